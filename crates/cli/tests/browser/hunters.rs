//! A hunter is reported, comes under review, and is cleared by a judge.

use serde_json::{Value, json};

use crate::hall::is_clean;
use crate::people::BrowserFixture;

#[test]
fn a_hunter_is_reported_flagged_and_cleared() {
    let fixture = BrowserFixture::open();
    let doubters = ["bea", "cem", "dov"];
    for hunter in ["ada"].iter().chain(&doubters) {
        fixture.must("/hunters", &json!({ "id": hunter, "class": "Striker" }));
    }
    let (quest, done) = monday();
    fixture.must("/hunters/ada/quests", &quest);
    fixture.must("/hunters/ada/quests/monday/log", &done);
    for (number, name) in doubters.iter().enumerate() {
        let browser = fixture.let_in(name, "participant", &format!("quest/{name}"));
        fixture.visit(&browser, "/hunters/ada");
        assert!(!browser.text("main").contains("under review"), "two doubts are not enough");
        fixture.visit(&browser, "/hunters/ada/logs/monday");
        assert!(browser.text("main").contains("From base to final XP"));
        browser.click("#report > summary");
        browser.choose("#report-reason", "impossible_numbers");
        browser.fill("#report-text", "I was there & saw <nothing>");
        browser.click("#report form button");
        let doubts = number + 1;
        browser.until("the doubt is there", |browser| {
            browser.texts("[data-live=reports] > ul > li").len() == doubts
        });
        is_clean(&browser, &fixture.hall);
    }
    let judge = fixture.let_in("kim", "judge", "");
    fixture.visit(&judge, "/hunters/ada");
    assert!(judge.text("main").contains("under review"), "{}", judge.text("main"));
    fixture.visit(&judge, "/moderation");
    for left in (0..3).rev() {
        assert!(
            judge.text(".queue").contains("I was there & saw <nothing>"),
            "what they wrote stands beside it"
        );
        judge.fill(".queue li:first-child input[name=note]", "I have seen the whole set");
        judge.click(".queue li:first-child button[value=no]");
        judge.until("one less waits", |browser| browser.texts(".queue > li").len() == left);
    }
    assert!(judge.text("main").contains("Nothing waits"));
    fixture.visit(&judge, "/hunters/ada");
    assert!(!judge.text("main").contains("under review"));
    // What it earned, drawn as steps: 30 × 10, tried hard, and fitting for the class.
    assert!(judge.text(".matches .xp").contains("396"), "{}", judge.text(".matches"));
    judge.click(".matches details summary");
    // Text of a drawing is not laid out as other text is.
    let texts =
        "return [...document.querySelectorAll('.matches .chart text')].map((each) => each.textContent)";
    let steps = judge.run(texts, &json!([])).to_string();
    assert!(steps.contains("\"× 1.2\"") && steps.contains("\"396\""), "{steps}");
    is_clean(&judge, &fixture.hall);
    fixture.server.stop();
}

/// A quest, and a log of it that nobody need doubt.
pub(crate) fn monday() -> (Value, Value) {
    let exercises = json!([{ "name": "Push-ups", "sets": 3, "reps": 10 }]);
    let plan = json!({ "estimated_duration_min": 30, "target_rpe": 7, "intensity": "Medium", "exercises": exercises });
    let done = json!([{ "name": "Push-ups", "sets_done": 3, "reps_done": 10 }]);
    let log = json!({ "duration_seconds": 1500, "actual_rpe": 8, "condition": "Fresh", "exercises": done });
    (json!({ "id": "monday", "quest_type": "Daily", "plan": plan }), json!({ "log": log }))
}
