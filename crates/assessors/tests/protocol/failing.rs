//! Unusable answers and unavailable endpoints.

use assize_assessors::ModelError;
use serde_json::json;

use crate::stage::{Reply, asked, assess, endpoint, good, model, prompt, settings};

#[tokio::test]
async fn two_answers_that_cannot_be_read_are_enough() {
    let bad = || Reply::Says(json!({ "claim_1": { "label": "True" } }).to_string(), "stop");
    let (assessment, _) = assess(vec![bad(), bad()]).await;
    let problem = "its answer could not be read: `claim_1`: `label` must be one of Supported, Partially, Unsupported, \
                   is `True`";
    assert_eq!(assessment.answer, Err(ModelError::Unusable(problem.into())));
    assert_eq!(assessment.exchanges.len(), 2, "both are kept");
}

#[tokio::test]
async fn an_answer_cut_short_twice_cannot_be_used() {
    let short = || Reply::Says(good(), "length");
    let (assessment, _) = assess(vec![short(), short()]).await;
    assert_eq!(assessment.answer, Err(ModelError::Unusable("its answer was cut short twice".into())));
}

#[tokio::test]
async fn what_does_not_speak_the_protocol_cannot_be_used() {
    let (assessment, _) = assess(vec![Reply::Raw("<html>"), Reply::Raw("[]")]).await;
    assert!(matches!(assessment.answer, Err(ModelError::Unusable(_))), "{assessment:?}");
}

#[tokio::test]
async fn a_filter_or_a_refused_request_is_not_argued_with() {
    let (assessment, _) = assess(vec![Reply::Says(String::new(), "content_filter")]).await;
    assert!(matches!(assessment.answer, Err(ModelError::Unusable(_))));
    let (assessment, _) = assess(vec![Reply::Fails(400, None)]).await;
    assert_eq!(assessment.answer, Err(ModelError::Unusable("it answered 400: no".into())));
}

#[tokio::test]
async fn an_endpoint_that_stays_busy_or_broken_is_away_and_says_nothing_about_anybody() {
    for status in [429, 500, 503] {
        let busy = || Reply::Fails(status, Some("0"));
        let (assessment, _) = assess(vec![busy(), busy(), busy()]).await;
        assert_eq!(assessment.answer, Err(ModelError::Away(format!("it answered {status}: no"))));
    }
    let (assessment, _) = assess(vec![Reply::Fails(401, None)]).await;
    assert_eq!(
        assessment.answer,
        Err(ModelError::Away("it answered 401: no".into())),
        "and is not tried again"
    );
}

#[tokio::test]
async fn an_endpoint_that_hangs_is_given_up() {
    let (address, _script) = endpoint(vec![Reply::Hangs]).await;
    let mut impatient = settings(address);
    (impatient.timeout_seconds, impatient.attempts) = (1, 1);
    let assessment = model(impatient).assess(&prompt(), &asked()).await;
    assert_eq!(assessment.answer, Err(ModelError::Away("it did not answer in time".into())));
}

#[tokio::test]
async fn nobody_there_is_away() {
    // Bound and let go: nobody listens there.
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut once = settings(address);
    once.attempts = 1;
    let assessment = model(once).assess(&prompt(), &asked()).await;
    assert!(matches!(assessment.answer, Err(ModelError::Away(_))), "{assessment:?}");
}
