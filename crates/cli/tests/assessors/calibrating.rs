//! `assize calibrate assessors`: agreement with gold answers.

use serde_json::{Value, json};

use crate::judging::quest;
use crate::oracle::Oracle;
use crate::stage::Stage;

fn gold() -> String {
    let line = |feedback: &str, pain: &str, ease: &str| {
        json!({ "document": quest(feedback), "gold": { "sign_2": pain, "sign_4": ease } }).to_string()
    };
    let lines = [
        line("my knee hurts", "yes", "no"),
        line("that was too easy", "no", "yes"),
        line("fine, as always", "no", "no"),
        line("the elbow complains a bit", "yes", "no"),
    ];
    lines.join("\n")
}

#[test]
fn two_assessors_stand_side_by_side() {
    // It sees pain in everything.
    let oracle = Oracle::choosing(|item| if item["id"] == "sign_2" { "yes" } else { "no" }.to_owned());
    let stage = Stage::set(&[("gloomy", &oracle)]);
    let args = ["calibrate", "assessors", "quest", "-", "--assessor", "reading,gloomy", "--json"];
    let output = stage.run(&args, &gold());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let of = |name: &str| {
        let all = report["assessors"].as_array().unwrap();
        all.iter().find(|measured| measured["assessor"] == name).unwrap().clone()
    };
    let (reading, gloomy) = (of("reading"), of("gloomy"));
    // The word list misses the elbow: 7 of 8. The other says pain four times and never ease: 2 + 3 of 8.
    assert_eq!(reading["kinds"][0]["agreement"], 0.875);
    assert_eq!(gloomy["kinds"][0]["agreement"], 0.625);
    assert_eq!(reading["kinds"][0]["confusion"]["yes"], json!({ "no": 1, "yes": 2 }));
    assert_eq!(reading["worst"][0]["line"], 4);
    assert_eq!(gloomy["usage"]["calls"], 4);
    let output = stage.run(&args[..args.len() - 1], &gold());
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("gloomy") && told.contains("0.625"), "{told}");
}

#[test]
fn what_would_be_asked_can_be_seen_and_wrong_gold_is_named() {
    let stage = Stage::set(&[]);
    let output = stage.run(&["calibrate", "assessors", "quest", "-", "--questions"], &gold());
    let first: Value =
        serde_json::from_str(String::from_utf8(output.stdout).unwrap().lines().next().unwrap()).unwrap();
    assert_eq!(first["asked"]["items"][1]["id"], "sign_2");
    let wrong = json!({ "document": quest("x"), "gold": { "sign_9": "yes" } }).to_string();
    let output = stage.run(&["calibrate", "assessors", "quest", "-"], &wrong);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("line 1: gold: `sign_9` is not asked about this document"), "{told}");
}
