//! A summary is judged and its evidence opened.

use crate::hall::is_clean;
use crate::people::House;

const ARTICLE: &str = "The ferry between Larvik and Stensoy will run on batteries from May. The company Fjordlink has \
    spent 38 million crowns on the vessel. It carries 120 passengers and 22 cars. Captain Inger Moe said that the \
    crossing will take 25 minutes. Fares will not rise before 2028.";

#[test]
fn a_summary_is_judged_and_its_evidence_opened() {
    let house = House::open();
    let reader = house.let_in("kim", "judge", "");
    house.visit(&reader, "/summaries");
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
    let kept =
        reader.run("return document.querySelector('textarea[name=summary]').value", &serde_json::json!([]));
    assert!(
        kept.as_str().unwrap().contains("220 passengers"),
        "what was pasted can be changed and judged again"
    );
    is_clean(&reader, &house.hall);
    house.server.stop();
}
