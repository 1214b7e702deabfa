//! Valid answers, at once or after a repair.

use serde_json::json;

use crate::stage::{Reply, asked, assess, good, model, prompt, settings};

#[tokio::test]
async fn the_schema_is_sent_nested_and_strict_and_texts_stand_in_it_as_data() {
    let (assessment, requests) = assess(vec![Reply::Says(good(), "stop")]).await;
    assert_eq!(assessment.answer.unwrap()["claim_1"]["label"], "Supported");
    assert!(!assessment.repaired);
    let (headers, request) = &requests[0];
    assert_eq!(headers["authorization"], "Bearer s3cret-key");
    let format = &request["response_format"];
    assert_eq!(format["type"], "json_schema");
    assert_eq!(format["json_schema"]["strict"], true);
    assert_eq!(format["json_schema"]["schema"], asked().schema());
    assert_eq!((&request["model"], &request["temperature"]), (&json!("small-1"), &json!(0.0)));
    let question: serde_json::Value =
        serde_json::from_str(request["messages"][1]["content"].as_str().unwrap()).unwrap();
    assert_eq!(question["texts"]["article"], "The mayor opened the bridge on Monday.");
    assert_eq!(question["items"][0]["question"], "is it so?");
}

#[tokio::test]
async fn what_was_said_is_kept_word_for_word_and_without_the_key() {
    let (assessment, requests) = assess(vec![Reply::Says(good(), "stop")]).await;
    let kept: serde_json::Value = serde_json::from_str(&assessment.exchanges[0].request).unwrap();
    assert_eq!(kept, requests[0].1);
    assert!(assessment.exchanges[0].answer.contains("opened the bridge"));
    assert!(!format!("{assessment:?}").contains("s3cret"));
}

#[tokio::test]
async fn a_server_that_ignores_the_schema_is_asked_to_mend_it_once() {
    let ignoring = json!({ "verdict": "great", "score": 10 }).to_string();
    let (assessment, requests) =
        assess(vec![Reply::Says(ignoring, "stop"), Reply::Says(good(), "stop")]).await;
    assert!(assessment.repaired && assessment.answer.is_ok());
    let messages = requests[1].1["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 4);
    assert_eq!(messages[3]["content"], "wrong:\n- `claim_1`: is missing");
    assert_eq!((assessment.usage.calls, assessment.usage.tokens_in), (2, 2000));
}

#[tokio::test]
async fn wrong_types_and_what_is_no_json_are_mended_too() {
    for bad in ["{\"claim_1\": {\"label\": 7}}", "I think it is fine.", "{\"claim_1\": "] {
        let replies = vec![Reply::Says(bad.to_owned(), "stop"), Reply::Says(good(), "stop")];
        let (assessment, _) = assess(replies).await;
        assert!(assessment.repaired && assessment.answer.is_ok(), "{bad}");
    }
}

#[tokio::test]
async fn an_answer_cut_short_is_asked_for_again_with_more_room() {
    let short = Reply::Says("{\"claim_1\": {\"quote\": \"ope".to_owned(), "length");
    let (assessment, requests) = assess(vec![short, Reply::Says(good(), "stop")]).await;
    assert!(assessment.repaired && assessment.answer.is_ok());
    assert_eq!(requests[0].1["max_tokens"], 500);
    assert_eq!(requests[1].1["max_tokens"], 1000);
    assert_eq!(requests[1].1["messages"].as_array().unwrap().len(), 2, "half an answer is not quoted back");
}

#[tokio::test]
async fn an_endpoint_that_answers_429_twice_is_waited_for() {
    let busy = || Reply::Fails(429, Some("0"));
    let (assessment, _) = assess(vec![busy(), busy(), Reply::Says(good(), "stop")]).await;
    assert!(assessment.answer.is_ok() && !assessment.repaired);
    assert_eq!(assessment.usage.calls, 3);
}

#[tokio::test]
async fn the_same_question_is_known_again_and_another_is_not() {
    let address = "127.0.0.1:9".parse().unwrap();
    let model_a = model(settings(address));
    let mut other = asked();
    other.items[0].about = "the bridge is closed".into();
    assert_eq!(model_a.question(&prompt(), &asked()), model(settings(address)).question(&prompt(), &asked()));
    assert_ne!(model_a.question(&prompt(), &asked()), model_a.question(&prompt(), &other));
}
