//! Live updates of a page in use: no typed text is lost, no click misses, nothing decided reappears.

use assize_testbed::browser::Browser;
use serde_json::json;

use crate::hall::is_clean;
use crate::hunters::monday;
use crate::people::BrowserFixture;

/// A hunter of whom a log has been doubted once.
fn doubted(fixture: &BrowserFixture, hunter: &str) {
    let (quest, done) = monday();
    fixture.must("/hunters", &json!({ "id": hunter, "class": "Striker" }));
    fixture.must(&format!("/hunters/{hunter}/quests"), &quest);
    fixture.must(&format!("/hunters/{hunter}/quests/monday/log"), &done);
    fixture.must("/hunters", &json!({ "id": format!("{hunter}_doubter"), "class": "Striker" }));
    let report = json!({ "reporter": format!("{hunter}_doubter"), "reason": "impossible_numbers" });
    fixture.must(&format!("/hunters/{hunter}/logs/monday/reports"), &report);
}

fn item(hunter: &str) -> String {
    format!("li[data-key=report-{hunter}-monday-{hunter}_doubter]")
}

fn waiting(judge: &Browser) -> usize {
    judge.texts(".queue > li").len()
}

#[test]
fn what_comes_in_meanwhile_takes_nothing_out_of_a_judges_hands() {
    let fixture = BrowserFixture::open();
    doubted(&fixture, "ada");
    let judge = fixture.let_in("kim", "judge", "");
    fixture.visit(&judge, "/moderation");
    judge.fill(&format!("{} input[name=note]", item("ada")), "seen the whole set");
    judge.click(&format!("{} input[name=remove_log]", item("ada")));
    judge.click("h1");
    doubted(&fixture, "bea");
    judge.until("another one waits", |judge| waiting(judge) == 2);
    let kept = "const [note, tick] = ['note', 'remove_log'].map((name) => document.querySelector(`${arguments[0]} [name=${name}]`));
        return [note.value, tick.checked]";
    assert_eq!(judge.run(kept, &json!([item("ada")])), json!(["seen the whole set", true]));
    assert_eq!(judge.run(kept, &json!([item("bea")])), json!(["", false]));

    judge.press(&format!("{} button[value=no]", item("ada")));
    doubted(&fixture, "cem");
    judge.until("a third is counted", |judge| judge.text("[data-live=count]").starts_with("3 things"));
    assert_eq!(waiting(&judge), 2, "what is pressed stays where it is");
    judge.let_go();
    judge.until("ada is cleared, and cem has come", |judge| {
        waiting(judge) == 2 && judge.text(".queue").contains("cem")
    });
    assert!(!judge.text(".queue").contains("ada"));
    is_clean(&judge, &fixture.hall);
    fixture.server.stop();
}

#[test]
fn a_page_that_was_asked_for_before_a_decision_does_not_undo_it() {
    let fixture = BrowserFixture::open();
    doubted(&fixture, "ada");
    let judge = fixture.let_in("kim", "judge", "");
    fixture.visit(&judge, "/moderation");
    judge.until("it follows", |judge| judge.text("main[data-connected]").contains("1 thing waits"));
    // Pages that are fetched again come back late, and are counted; so is every item that is ever drawn.
    let slow = "const real = window.fetch;
        window.late = [];
        window.back = 0;
        window.drawn = 0;
        window.fetch = async (address, how) => {
            const answer = await real(address, how);
            if (address !== location.href || how.method) return answer;
            await new Promise((go) => window.late.push(go));
            window.back += 1;
            return answer;
        };";
    let _ = judge.run(slow, &json!([]));
    doubted(&fixture, "bea");
    judge.until("a page is under way", |judge| judge.run("return late.length", &json!([])) == 1);
    judge.click(&format!("{} button[value=no]", item("ada")));
    judge.until("bea alone waits", |judge| waiting(judge) == 1 && judge.text(".queue").contains("bea"));
    let watch = "new MutationObserver(() => (drawn = Math.max(drawn, document.querySelectorAll('.queue > li').length)))
            .observe(document.querySelector('[data-live=queue]'), { childList: true, subtree: true });
        late.shift()()";
    let _ = judge.run(watch, &json!([]));
    judge.until("the page is asked for again", |judge| {
        judge.run("return [back, late.length]", &json!([])) == json!([1, 1])
    });
    let _ = judge.run("late.shift()()", &json!([]));
    judge.until("and has come", |judge| judge.run("return back", &json!([])) == 2);
    assert_eq!(judge.run("return drawn", &json!([])), 0, "nothing was drawn that was not news");
    assert_eq!(waiting(&judge), 1);
    fixture.server.stop();
}
