//! A judge at work: deciding an answer that waits, overruling a verdict, judging a history again and adopting it.

use assize_testbed::browser::{Browser, Browsers};
use assize_testbed::contest::{Contest, wrong_answer};
use serde_json::json;

use crate::hall::{Hall, PASSWORD, is_clean, log_in};

#[test]
fn a_judge_decides_overrules_and_judges_again() {
    let (browsers, hall) = (Browsers::start(), Hall::new());
    let server = hall.serve();
    let contest = Contest::open(&server, &server.admin_token(), "spring");
    let ants = server.client(&contest.register("ants"));
    contest.must("/api/v1/users", &json!({ "name": "jude", "role": "judge", "password": PASSWORD }));
    contest.must(&contest.path("/tasks"), &json!({ "id": "p1", "type": "KIS" }));
    contest.start_task("p1", 3_600.0, 10.0);
    contest.run_task("t1", 3_600.0, 10.0);
    let (status, _) = ants.post(&contest.path("/tasks/p1/submissions"), &wrong_answer(7), None).unwrap();
    assert_eq!(status, 202, "it waits for a judge");
    let jude = browsers.open(1280, 900);
    log_in(&jude, &hall, "jude");
    decides(&jude, &hall);
    overrules(&jude, &hall);
    let answer = json!({ "answerSets": [{ "answers": [{ "mediaItemName": "V2", "start": 7, "end": 8 }] }] });
    let (status, wrong) = ants.post(&contest.path("/tasks/t1/submissions"), &answer, None).unwrap();
    assert_eq!((status, &wrong["verdict"]["outcome"]), (200, &json!("incorrect")));
    judges_again(&jude, &hall);
    let (_, board) = contest.board(Some("t1"));
    assert!(board[0]["points"].as_f64().unwrap() > 0.0, "what was adopted counts: {board:?}");
    is_clean(&jude, &hall);
    server.stop();
}

fn decides(jude: &Browser, hall: &Hall) {
    jude.visit(&hall.url("/contests/spring/queue"));
    jude.click("[data-live=desk] button");
    jude.until("the answer is theirs", |jude| jude.text(".card").contains("L01_V001 7"));
    assert!(!jude.text("main").contains("ants"), "a judge need not know whose it is");
    jude.choose("#decide-outcome", "full");
    jude.fill("#decide-note", "seen in the video");
    jude.click("form:has(#decide-note) button");
    jude.until("nothing waits any more", |jude| jude.text("[data-live=desk]").contains("Nothing waits"));
}

fn overrules(jude: &Browser, hall: &Hall) {
    jude.visit(&hall.url("/contests/spring/teams/ants"));
    assert!(jude.text(".attempts").contains("full"), "{}", jude.text(".attempts"));
    jude.click(".attempts a[href^='/records/']");
    jude.until("the record is there", |jude| jude.text("h1").starts_with("Record"));
    jude.choose("#overrule-outcome", "incorrect");
    jude.fill("#overrule-reason", "it was another street");
    jude.click("form:has(#overrule-reason) button");
    jude.until("both verdicts are shown", |jude| {
        let shown = jude.text("[data-live=verdict]");
        shown.contains("What counts") && shown.contains("At first") && shown.contains("it was another street")
    });
}

fn judges_again(jude: &Browser, hall: &Hall) {
    jude.visit(&hall.url("/contests/spring/revisions"));
    jude.choose("#look-task", "t1");
    jude.fill("#look-video_id", "V2");
    jude.fill("#look-points", "7-8");
    jude.click("form:has(#look-points) button");
    jude.until("before and after are shown", |jude| {
        let row = jude.text("[data-live=report] tbody tr");
        row.contains("incorrect") && row.contains("full")
    });
    assert!(jude.text("[data-live=report]").contains("On the board"), "who moves is shown");
    jude.fill("#adopt-reason", "the truth had a slip of the pen");
    jude.click("form:has(#adopt-reason) button");
    jude.until("it is adopted", |jude| jude.text(".said").contains("It counts from now on"));
}
