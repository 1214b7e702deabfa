//! A summary is judged and its evidence opened.

use serde_json::{Value, json};

use crate::hall::is_clean;
use crate::people::BrowserFixture;

const ARTICLE: &str = "The ferry between Larvik and Stensoy will run on batteries from May. The company Fjordlink has \
    spent 38 million crowns on the vessel. It carries 120 passengers and 22 cars. Captain Inger Moe said that the \
    crossing will take 25 minutes. Fares will not rise before 2028.";

/// A faithful summary of the article, or one with a wrong number, as a row of a run.
pub(crate) fn summary(item: &str, model: &str) -> Value {
    let passengers = if model == "small" { 220 } else { 120 };
    let summary = format!(
        "The ferry between Larvik and Stensoy will run on batteries from May. It carries {passengers} passengers and 22 cars."
    );
    json!({ "item": item, "model": model, "article": ARTICLE, "summary": summary })
}

#[test]
fn a_run_ranks_its_models_and_follows_what_comes_in() {
    let fixture = BrowserFixture::open();
    fixture.must("/summary/runs", &json!({ "id": "nightly", "name": "The nightly run" }));
    fixture.must("/summary/runs/nightly/items", &summary("row-1", "small"));
    let reader = fixture.let_in("kim", "judge", "");
    fixture.visit(&reader, "/summaries");
    reader.click("main .cards a");
    reader.until("the run is shown", |browser| browser.texts("[data-live=models] tbody tr").len() == 1);
    fixture.must("/summary/runs/nightly/items", &summary("row-2", "large"));
    reader.until("the better model comes first, by itself", |browser| {
        browser.texts("[data-live=models] tbody th") == ["large", "small"]
    });
    reader.click("[data-live=items] tbody a");
    reader.until("its evidence is there", |browser| !browser.texts("#the-summary mark.against").is_empty());
    assert!(reader.text("main").contains("By small"));
    is_clean(&reader, &fixture.hall);
    fixture.server.stop();
}

#[test]
fn a_summary_is_judged_and_its_evidence_opened() {
    let fixture = BrowserFixture::open();
    let reader = fixture.let_in("kim", "judge", "");
    fixture.visit(&reader, "/summaries");
    reader.fill("#article", ARTICLE);
    reader.fill("#summary", "The ferry will run on batteries from May. The vessel carries 220 passengers.");
    reader.click("main form button");
    reader.until("it is judged", |browser| browser.texts("main meter").len() >= 10);
    assert_eq!(reader.texts("main section.card").len(), 2, "two frameworks");
    assert!(!reader.texts("#the-article mark.tie-1").is_empty(), "evidence is joined by colour");
    assert!(!reader.texts("#the-summary mark.against").is_empty(), "the wrong number is marked");
    reader.click("#evidence-1 > summary");
    assert!(reader.text("#evidence-1 blockquote").contains("batteries from May"));
    reader.click("#evidence-2 > summary");
    assert!(reader.text("#evidence-2").contains("120"), "{}", reader.text("#evidence-2"));
    let kept = reader.run("return document.querySelector('textarea[name=summary]').value", &json!([]));
    assert!(
        kept.as_str().unwrap().contains("220 passengers"),
        "what was pasted can be changed and judged again"
    );
    is_clean(&reader, &fixture.hall);
    fixture.server.stop();
}
