//! The audit log: who changed what, when and from which address; and its erasure.

use assize_testbed::contest::{Contest, right_answer};
use serde_json::{Value, json};

use crate::installation::Installation;

#[test]
fn every_change_says_who_and_from_where() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let contest = Contest::open(&server, &server.admin_token(), "spring");
    contest.run_task("q1", 3_600.0, 10.0);
    let ants = server.client(&contest.register("ants"));
    let (_, judged) = ants.post(&contest.path("/tasks/q1/submissions"), &right_answer(), None).unwrap();
    let position = judged["receipt"]["position"].as_u64().unwrap();

    let audit = |query: &str| contest.admin.get(&format!("/api/v1/audit{query}")).unwrap().1;
    let changes = audit("")["changes"].as_array().unwrap().clone();
    let kinds: Vec<&str> = changes.iter().filter_map(|change| change["kind"].as_str()).collect();
    let expected =
        ["TokenIssued", "CodeIssued", "ContestOpened", "RulebookEntered", "TaskAdded", "TaskStarted"];
    assert_eq!(kinds[..6], expected);
    assert_eq!(kinds[6..], ["TeamRegistered", "TokenIssued", "AnswerJudged"]);
    assert_eq!((&changes[0]["actor"], &changes[0]["origin"]), (&json!("system:start"), &Value::Null));
    for change in &changes[2..] {
        assert_eq!(change["origin"]["address"], "127.0.0.1", "{change}");
        assert!(change["origin"]["request_id"].is_string(), "{change}");
    }
    let by_ants = audit("?actor=participant:ants");
    assert_eq!(by_ants["changes"].as_array().unwrap().len(), 1);
    assert_eq!(by_ants["changes"][0]["position"], position);
    let access = audit("?stream=assize/access&limit=2");
    assert_eq!((access["changes"].as_array().unwrap().len(), &access["next"]), (2, &json!(2)));
    let rest = audit("?stream=assize/access&limit=2&after=2");
    assert_eq!((rest["changes"].as_array().unwrap().len(), &rest["next"]), (1, &Value::Null));

    let record = format!("/api/v1/records/{position}");
    assert_eq!(contest.admin.get(&record).unwrap().1["origin"]["address"], "127.0.0.1");
    assert_eq!(ants.get(&record).unwrap().1["origin"], Value::Null, "for admins only");
    let (code, said) = installation.run(&["ledger", "erase", "contest/spring/ants"], "");
    let erased = "erased 0 personal texts of `contest/spring/ants`, and from where 1 record came\n";
    assert_eq!((code, said.as_str()), (0, erased));
    assert_eq!(contest.admin.get(&record).unwrap().1["origin"], Value::Null);
    assert_eq!(audit("?actor=participant:ants")["changes"][0]["origin"], Value::Null);
    let export = installation.run(&["ledger", "export"], "").1;
    assert!(!export.contains("127.0.0.1"));
    for command in [&["ledger", "verify"][..], &["replay"]] {
        assert_eq!(installation.run(command, "").0, 0);
    }
    server.stop();
}
