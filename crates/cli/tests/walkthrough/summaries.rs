//! A run of summaries over HTTP: opened, filled, ranked, read, exported, judged again.

use assize_testbed::client::Client;
use serde_json::{Value, json};

use crate::stage::serve;

const RUN: &str = "/api/v1/summary/runs/nightly";
const ARTICLE: &str = "The council of Leeds approved a new tram line on Tuesday. Mayor Ann Berry said the line would \
    cost 250 million pounds. The first trams should run along the river in 2031. Shares in the builder Norcon rose by \
    four per cent. Unions welcomed the two thousand jobs that the builder promised.";
const FAITHFUL: &str = "The council of Leeds approved a new tram line on Tuesday.";
const FALSE: &str = "Shares in the builder Norcon fell by four per cent.";

fn add(client: &Client, item: &str, model: &str, summary: &str) -> (u16, Value) {
    let body = json!({ "item": item, "model": model, "article": ARTICLE, "summary": summary });
    client.post(&format!("{RUN}/items"), &body, None).unwrap()
}

#[test]
fn a_run_is_opened_filled_ranked_and_exported() {
    let server = serve();
    let admin = server.client(&server.admin_token());
    assert_eq!(admin.get(RUN).unwrap().0, 404);
    assert_eq!(add(&admin, "one", "ant", FAITHFUL).0, 404, "it is not open");
    let (status, opened) = admin.post("/api/v1/summary/runs", &json!({ "id": "nightly" }), None).unwrap();
    assert_eq!((status, &opened["event"]["RunOpened"]["name"]), (201, &json!("nightly")), "{opened}");
    assert_eq!(admin.post("/api/v1/summary/runs", &json!({ "id": "nightly" }), None).unwrap().0, 409);

    let (status, judged) = add(&admin, "one", "ant", FAITHFUL);
    assert_eq!(
        (status, &judged["verdict"]["detail"]["twin_lock"]["hallucination"]["overall_score"]),
        (201, &json!(10.0))
    );
    // What is kept is what the same document gets without being kept.
    let document = json!({ "article": ARTICLE, "summary": FAITHFUL });
    let (_, alone) = admin.post("/api/v1/judge/summary", &document, None).unwrap();
    assert_eq!(judged["verdict"], alone);
    add(&admin, "two", "bee", FALSE);
    let (status, taken) = add(&admin, "two", "bee", FALSE);
    assert_eq!((status, &taken["code"]), (409, &json!("summary.item.exists")));
    let (status, empty) = add(&admin, "three", "bee", " ");
    assert_eq!((status, &empty["code"]), (400, &json!("summary.text.empty")));

    let (_, run) = admin.get(RUN).unwrap();
    assert_eq!(run["items"], 2);
    assert_eq!((&run["models"][0]["model"], &run["models"][0]["rank"]), (&json!("ant"), &json!(1)));
    assert_eq!(run["models"][0]["mean"], alone["points"]);
    let (_, page) = admin.get(&format!("{RUN}/items?offset=1&limit=1")).unwrap();
    assert_eq!((&page["total"], &page["items"][0]["item"]), (&json!(2), &json!("two")));
    let (_, list) = admin.get("/api/v1/summary/runs").unwrap();
    assert_eq!((&list["total"], &list["runs"][0]["id"]), (&json!(1), &json!("nightly")));
    let (status, one) = admin.get(&format!("{RUN}/items/one")).unwrap();
    assert_eq!((status, &one["event"]["SummaryJudged"]["summary"]), (200, &json!(FAITHFUL)));
    assert_eq!(admin.get(&format!("{RUN}/items/none")).unwrap().0, 404);

    let export = admin.send("GET", &format!("{RUN}/export"), &[], None).unwrap();
    assert_eq!((export.status, export.content_type.as_str()), (200, "application/jsonl"));
    let lines: Vec<Value> = export.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]["article"], &lines[0]["verdict"]), (2, &json!(ARTICLE), &alone));
    server.stop();
}

#[test]
fn the_same_request_again_gets_the_first_answer_and_nobody_signs_as_the_reading() {
    let server = serve();
    let admin = server.client(&server.admin_token());
    admin.post("/api/v1/summary/runs", &json!({ "id": "nightly" }), None).unwrap();
    let body = json!({ "item": "one", "article": ARTICLE, "summary": FALSE });
    let path = format!("{RUN}/items");
    let (_, first) = admin.post(&path, &body, Some("k1")).unwrap();
    let (status, again) = admin.post(&path, &body, Some("k1")).unwrap();
    assert_eq!((status, &again["repeated"]), (201, &json!(true)));
    assert_eq!(first["receipt"], again["receipt"]);

    let findings = first["verdict"]["detail"]["findings"].clone();
    let mut signed = json!({ "item": "two", "article": ARTICLE, "summary": FALSE, "findings": findings,
        "assessor": { "name": "reading", "version": "1" } });
    assert_eq!(admin.post(&path, &signed, None).unwrap().0, 400);
    signed["assessor"]["name"] = json!("a person");
    let (status, weighed) = admin.post(&path, &signed, None).unwrap();
    assert_eq!((status, &weighed["verdict"]["points"]), (201, &first["verdict"]["points"]), "{weighed}");
    server.stop();
}

#[test]
fn a_run_is_judged_again_under_another_rulebook() {
    let server = serve();
    let admin = server.client(&server.admin_token());
    admin.post("/api/v1/summary/runs", &json!({ "id": "nightly" }), None).unwrap();
    add(&admin, "one", "ant", FAITHFUL);
    add(&admin, "two", "bee", FALSE);
    let (_, before) = admin.get(RUN).unwrap();
    let rulebook = include_str!("../../../../rulebooks/summary/locks.toml");
    // Hallucination alone: what is faithful has ten, what is not has nothing.
    let weights = "{ coverage = 1, alignment = 1, hallucination = 1, relevance = 1, bias_toxicity = 1 }";
    let alone = "{ coverage = 0, alignment = 0, hallucination = 1, relevance = 0, bias_toxicity = 0 }";
    assert!(rulebook.contains(weights));
    let text = rulebook.replace(weights, alone).replace("version = 1", "version = 2");
    let (status, report) = admin
        .post("/api/v1/streams/summary/nightly/rejudge", &json!({ "rulebook_text": text }), None)
        .unwrap();
    assert_eq!(status, 200, "{report}");
    assert_eq!(admin.get(RUN).unwrap().1, before, "nothing is changed by asking");
    let revision = json!({ "rulebook_text": text, "reason": "hallucination is all we care about" });
    let (status, adopted) = admin.post("/api/v1/streams/summary/nightly/revisions", &revision, None).unwrap();
    assert_eq!(status, 201, "{adopted}");
    let (_, after) = admin.get(RUN).unwrap();
    assert_eq!(after["rulebook"]["version"], 2, "{after}");
    assert_eq!((&after["models"][1]["model"], &after["models"][1]["mean"]), (&json!("bee"), &json!(0.0)));
    let (_, two) = admin.get(&format!("{RUN}/items/two")).unwrap();
    assert_eq!(two["revision"]["verdict"]["points"], 0.0, "{two}");
    let export = admin.send("GET", &format!("{RUN}/export"), &[], None).unwrap();
    let last: Value = serde_json::from_str(export.text.lines().last().unwrap()).unwrap();
    assert_eq!((&last["item"], &last["verdict"]["points"]), (&json!("two"), &json!(0.0)));
    // What comes later is judged by the new one.
    let (_, third) = add(&admin, "three", "bee", FALSE);
    assert_eq!(third["verdict"]["points"], 0.0, "{third}");
    server.stop();
}
