//! Rulebooks written before something existed: they are read, and what they do not list is not judged.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

use assize_courts::quest::QuestRules;
use assize_courts::radio::RadioRules;
use assize_courts::summary::SummaryRules;
use assize_kernel::{Rulebook, Rules};
use serde_json::{Value, json};

const RADIO: &str = include_str!("../../../cases/ledgers/rulebooks-0.1/radio/icao.toml");
const QUEST: &str = include_str!("../../../cases/ledgers/rulebooks-0.1/quest/hunter.toml");
const SUMMARY: &str = include_str!("../../../cases/ledgers/rulebooks-0.1/summary/locks.toml");

/// What a rulebook does not list; it must be one.
#[track_caller]
fn unlisted<R: Rules>(court: &str, text: &str) -> Vec<String> {
    let book = Rulebook::<R>::read(court, "older.toml", text).unwrap_or_else(|error| panic!("{error}"));
    book.rules.unlisted().into_iter().map(|fault| format!("{}: {}", fault.key, fault.problem)).collect()
}

#[track_caller]
fn judge(court: &str, text: &str, document: &Value) -> Value {
    let courts = assize_courts::courts();
    let court = courts.iter().find(|known| known.name() == court).unwrap();
    let book = court.read_rulebook("older.toml", text).unwrap_or_else(|error| panic!("{error}"));
    let Ok(verdict) = court.judge(&book, &document.to_string()) else { panic!("not judged: {document}") };
    let mut verdict: Value = serde_json::from_str(&verdict).unwrap();
    verdict.as_object_mut().unwrap().remove("rulebook");
    verdict
}

/// The text without its lines that begin so.
#[track_caller]
fn without_line(text: &str, begin: &str) -> String {
    let kept: String =
        text.lines().filter(|line| !line.starts_with(begin)).map(|line| format!("{line}\n")).collect();
    assert!(kept.len() < text.len(), "no line begins with `{begin}`");
    kept
}

fn without_item(item: &str) -> String {
    let text = RADIO.replace(&format!("\"{item}\", "), "").replace(&format!("\"{item}\","), "");
    assert!(text.len() < RADIO.len(), "there is no item `{item}`");
    text
}

/// The first words of the lines of a table.
fn keys(text: &str, table: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| !line.starts_with(&format!("[{table}]"))).skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn rulebooks_that_ship_list_everything() {
    let mut seen = 0;
    for court in assize_courts::courts() {
        for (name, text) in court.rulebooks() {
            let left_out = match court.name() {
                "radio" => unlisted::<RadioRules>("radio", text),
                "quest" => unlisted::<QuestRules>("quest", text),
                "summary" => unlisted::<SummaryRules>("summary", text),
                _ => continue,
            };
            assert_eq!(left_out, Vec::<String>::new(), "{} {name}", court.name());
            seen += 1;
        }
    }
    assert!(seen >= 7, "only {seen} rulebooks ship");
}

#[test]
fn a_radio_rulebook_without_an_entry_is_read() {
    for item in ["runway", "qnh", "behind", "push_back", "ident"] {
        let expected = format!("readback: `{item}` is in no class");
        assert_eq!(unlisted::<RadioRules>("radio", &without_item(item)), [expected]);
    }
    for (table, count) in [("weights", 11), ("severity", 15)] {
        let keys = keys(RADIO, table);
        assert_eq!(keys.len(), count, "{keys:?}");
        for key in keys {
            let text = without_line(RADIO, &format!("{key} ="));
            assert_eq!(unlisted::<RadioRules>("radio", &text), [format!("{table}: `{key}` is missing")]);
        }
    }
}

const CLEARANCE: &str = "Coastal 734, line up and wait runway 16 right, QNH 1012";
const RIGHT: &str = "Line up and wait runway 16 right, QNH 1012, Coastal 734";
const WRONG_PRESSURE: &str = "Line up and wait runway 16 right, QNH 1013, Coastal 734";

fn call(pilot: &str) -> Value {
    json!({ "controller": CLEARANCE, "pilot": pilot })
}

fn codes(verdict: &Value, list: &str) -> Vec<String> {
    let list = if list == "reasons" { &verdict["reasons"] } else { &verdict["detail"][list] };
    list.as_array().unwrap().iter().map(|each| each["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_a_radio_rulebook_does_not_list_is_not_judged() {
    let wrong = judge("radio", RADIO, &call(WRONG_PRESSURE));
    assert_eq!(codes(&wrong, "reasons"), ["radio.readback.wrong_value"]);
    assert!(codes(&wrong, "components").contains(&"PA_QNH".to_owned()), "{wrong}");
    let component = without_line(RADIO, "PA_QNH =");
    let kind = without_line(RADIO, "wrong_value =");
    for (text, still_there) in [(without_item("qnh"), false), (component, false), (kind, true)] {
        let judged = judge("radio", &text, &call(WRONG_PRESSURE));
        assert_eq!(codes(&judged, "reasons"), ["radio.call.right"], "{judged}");
        assert_eq!(codes(&judged, "components").contains(&"PA_QNH".to_owned()), still_there, "{judged}");
        assert_eq!(judged["detail"]["errors"], json!([]), "{judged}");
    }
}

#[test]
fn everything_else_is_judged_as_before() {
    let text = without_line(RADIO, "unclear =");
    let text = without_line(&text, "PA_PREFIX =").replace("\"mach\", ", "");
    let without_prefix = ["Cleared for take-off, Coastal 734", "Roger", RIGHT, WRONG_PRESSURE];
    for pilot in without_prefix {
        let (before, after) = (judge("radio", RADIO, &call(pilot)), judge("radio", &text, &call(pilot)));
        assert_eq!(
            (&before["outcome"], &before["reasons"]),
            (&after["outcome"], &after["reasons"]),
            "{pilot}"
        );
        let mut expected = codes(&before, "components");
        expected.retain(|code| code != "PA_PREFIX");
        assert_eq!(codes(&after, "components"), expected, "{pilot}");
    }
}

#[test]
fn a_wrong_key_or_value_is_the_error_it_was() {
    let check = |text: String, problem: &str| {
        let error = Rulebook::<RadioRules>::read("radio", "own.toml", &text).unwrap_err().to_string();
        assert!(error.ends_with(problem), "{error}");
    };
    check(RADIO.replace("PA_QNH = 10", "PA_QHN = 10"), "weights.PA_QHN: there is no such component");
    check(RADIO.replace("PA_QNH = 10", "PA_QNH = 0"), "weights.PA_QNH: must be from 1 to 100, is 0");
    check(RADIO.replace("unclear =", "unclera ="), "severity.unclera: there is no such kind of error");
    check(RADIO.replacen("\"stand\"", "\"stend\"", 1), "there is no item `stend`");
    check(RADIO.replacen("\"stand\"", "\"runway\"", 1), "`runway` is in two classes");
}

#[test]
fn a_quest_rulebook_without_a_class_a_status_or_the_last_exam_is_read() {
    let log = json!({ "duration_seconds": 1500, "actual_rpe": 7, "condition": "Fresh",
                      "exercises": [{ "name": "Push-ups", "sets_done": 3, "reps_done": "10" }] });
    let plan = json!({ "estimated_duration_min": 30, "target_rpe": 7, "intensity": "Medium",
                       "exercises": [{ "name": "Push-ups", "sets": 3, "reps": 10 }] });
    let profile = json!({ "class": "Striker", "rank": "E", "hunter_status": "Verified", "streak_days": 0 });
    let document = json!({ "quest_type": "Daily", "plan": plan, "log": log, "profile": profile });
    let multiplier = |text: &str, name: &str| {
        judge("quest", text, &document)["detail"]["multipliers"][name].as_f64().unwrap()
    };
    let status = without_line(QUEST, "Verified =");
    assert_eq!(unlisted::<QuestRules>("quest", &status), ["hunter_status: `Verified` is missing"]);
    assert!(multiplier(QUEST, "hunter_status") > 1.0);
    assert_eq!(multiplier(&status, "hunter_status"), 1.0);
    let last = QUEST.rfind("[[exams]]").unwrap();
    let end = QUEST[last..].find("\n\n").map_or(QUEST.len(), |end| last + end);
    let exam = format!("{}{}", &QUEST[..last], &QUEST[end..]);
    assert_eq!(unlisted::<QuestRules>("quest", &exam), ["exams: A to S is missing"]);
    let class = without_line(QUEST, "Striker =");
    assert_eq!(unlisted::<QuestRules>("quest", &class), ["classes: `Striker` is missing"]);
    assert!(multiplier(QUEST, "synergy") > 1.0);
    assert_eq!(multiplier(&class, "synergy"), 1.0);
}

#[test]
fn a_summary_rulebook_without_a_weight_leaves_the_metric_out_of_the_total() {
    let document = json!({ "article": "The council approved the bridge on Monday. It will cost 7 million dollars.",
                           "summary": "The council approved the bridge. Shares fell." });
    let text = SUMMARY.replace("relevance = 1, ", "");
    let named =
        ["twin_lock.weights: `relevance` weighs nothing", "judge_lock.weights: `relevance` weighs nothing"];
    assert_eq!(unlisted::<SummaryRules>("summary", &text), named);
    let lock = judge("summary", &text, &document)["detail"]["twin_lock"].clone();
    let score = |metric: &str| lock[metric]["overall_score"].as_f64().unwrap();
    let four = ["coverage", "alignment", "hallucination", "bias_toxicity"].map(score);
    let mean = four.iter().sum::<f64>() / 4.0;
    assert!((lock["total"].as_f64().unwrap() - mean).abs() < 0.006, "{lock}");
}
