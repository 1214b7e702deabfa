//! A student flies a scenario to its end, once well and once dangerously; the instructor sees one turn otherwise.

use assize_testbed::browser::Browser;
use serde_json::json;

use crate::hall::is_clean;
use crate::people::BrowserFixture;

fn begin(student: &Browser, fixture: &BrowserFixture) {
    fixture.visit(student, "/radio/morning");
    student.choose("#begin-scenario", "conditional-line-up");
    student.click("main form button");
    student.until("the controller speaks", |browser| browser.text(".heard").contains("line up and wait"));
}

fn transmit(student: &Browser, call: &str) {
    student.fill("#call", call);
    student.click("[data-live=now] form button");
}

#[test]
fn a_student_flies_a_scenario_once_well_and_once_dangerously() {
    let fixture = BrowserFixture::open();
    fixture.must("/radio/classes", &json!({ "id": "morning", "name": "The morning class" }));
    let student = fixture.let_in("amelia", "participant", "radio/morning");
    fixture.visit(&student, "/radio");
    student.click("main .cards a");
    begin(&student, &fixture);
    transmit(
        &student,
        "Behind the landing Boeing, line up and wait runway one six right behind, Coastal seven three four",
    );
    student.until("the next phase", |browser| browser.text(".heard").contains("cleared for take-off"));
    assert!(student.text(".call").contains("runway 16R"), "words are marked: {}", student.text(".call"));
    transmit(&student, "Runway one six right, cleared for take-off, Coastal seven three four");
    student.until("it is over", |browser| browser.text("main").contains("flown to its end"));
    begin(&student, &fixture);
    for turn in 1..=3 {
        transmit(
            &student,
            "Behind the landing Boeing, line up and wait runway one six left behind, Coastal seven three four",
        );
        student.until("it is judged", |browser| browser.texts(".turns > li").len() == turn);
        assert!(!student.texts(".call mark.wrong").is_empty(), "the wrong words are marked");
        assert!(student.text(".turns > li").contains("It should have been"));
    }
    student.until("it is stopped", |browser| browser.text("main").contains("stopped for safety"));
    is_clean(&student, &fixture.hall);
    let place = student.place();
    let judge = fixture.let_in("kim", "judge", "");
    fixture.visit(&judge, "/radio/morning");
    assert_eq!(judge.texts("[data-live=sessions] tbody tr").len(), 2);
    assert!(judge.text("[data-live=students]").contains("amelia"));
    judge.visit(&place);
    judge.click("#overrule-1 > summary");
    judge.choose("#overrule-1-code", "PA_RUNWAY");
    judge.fill("#overrule-1-reason", "the intercom cracked, I heard right");
    judge.click("#overrule-1 form button");
    judge.until("it is seen otherwise", |browser| browser.text("#turn-1").contains("the intercom cracked"));
    let lines = judge.run("return document.querySelectorAll('figure polyline').length", &json!([]));
    assert_eq!(lines, 4, "four dimensions over time");
    judge.click("main .note a[href$=debrief]");
    judge.until("the debrief is shown", |browser| browser.text("h1").starts_with("Debrief"));
    assert_eq!(judge.texts(".turns > li").len(), 3);
    assert!(judge.text("main tbody tr").contains("runway"), "what went wrong most often comes first");
    assert!(judge.text(".turns > li").contains("the intercom cracked"));
    assert!(judge.text("[data-print]").contains("Print"), "where there is a script it can be printed");
    is_clean(&judge, &fixture.hall);
    fixture.server.stop();
}
