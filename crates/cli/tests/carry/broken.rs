//! A damaged export is refused with the location of the error and leaves nothing behind.

use assize_kernel::{Digest, RecordRef};
use serde_json::{Value, json};

use crate::stage::{Place, eventful, exported};

/// The records of a document whose kind is this, by their place from 0.
fn nth(document: &Value, kind: &str) -> usize {
    let records = document["records"].as_array().unwrap();
    records.iter().position(|record| record["kind"] == kind).unwrap()
}

/// Chains the records anew, as somebody would who knows how it is done.
fn forge(document: &mut Value) {
    let mut digest = Digest::ZERO;
    let stream = document["stream"].as_str().unwrap().to_owned();
    for (record, version) in document["records"].as_array_mut().unwrap().iter_mut().zip(1..) {
        let (event, verdict) = (record["event"].to_string(), record["verdict"].to_string());
        let [kind, at, actor] = ["kind", "at", "actor"].map(|name| record[name].as_str().unwrap().to_owned());
        let position = record["position"].as_u64().unwrap();
        let facts = RecordRef::facts(position, &stream, version, &kind, at.parse().unwrap(), &event);
        let edition = u32::try_from(record["edition"].as_u64().unwrap()).unwrap();
        let verdict = Some(verdict.as_str()).filter(|verdict| *verdict != "null");
        digest = RecordRef { edition, actor: &actor, verdict, ..facts }.chained_to(&digest);
        record["digest"] = json!(digest);
    }
    document["end"]["digest"] = json!(digest);
}

/// What the program says to a document, which must leave the ledger as it was.
fn refused(place: &Place, text: &str) -> String {
    let before = place.run(&["ledger", "verify"]);
    let file = place.keep("broken.json", text);
    let (code, said) = place.run(&["contest", "import", &file, "--as", "copy"]);
    assert_eq!(code, 2, "{said}");
    assert_eq!(place.run(&["ledger", "verify"]), before, "nothing is left behind");
    said.strip_prefix(&format!("assize: `{file}`: ")).unwrap_or(&said).trim_end().to_owned()
}

fn check(place: &Place, document: &Value, change: impl FnOnce(&mut Value), expected: &str) {
    let mut changed = document.clone();
    change(&mut changed);
    let said = refused(place, &changed.to_string());
    assert!(said.contains(expected), "{said}\nshould say: {expected}");
}

#[test]
fn what_was_changed_is_named_with_its_place() {
    let place = Place::new();
    let contest = eventful(&place);
    let text = exported(&contest, "");
    let document: Value = serde_json::from_str(&text).unwrap();
    let judged = nth(&document, "AnswerJudged");
    let registered = nth(&document, "TeamRegistered");
    let position = document["records"][judged]["position"].as_u64().unwrap();
    let here = format!("record {} (AnswerJudged, position {position})", judged + 1);
    let points = |document: &mut Value| {
        document["records"][judged]["verdict"]["points"] = json!(99.9);
        document["records"][judged]["event"]["AnswerJudged"]["points"] = json!(99.9);
    };

    check(&place, &document, points, &format!("{here} does not match its digest"));
    let cunning = |document: &mut Value| {
        points(document);
        forge(document);
    };
    check(&place, &document, cunning, &format!("{here} does not come out as it stands: "));
    let truth = |document: &mut Value| {
        let task = nth(document, "TaskAdded");
        document["records"][task]["event"]["TaskAdded"]["spec"]["video_id"] = json!("V018");
        forge(document);
    };
    check(&place, &document, truth, "does not come out as it stands: ");
    let left_out = |document: &mut Value| drop(document["records"].as_array_mut().unwrap().remove(judged));
    check(&place, &document, left_out, "does not match its digest");
    let shorter = |document: &mut Value| drop(document["records"].as_array_mut().unwrap().pop());
    check(&place, &document, shorter, "do not lead to its end: something is missing");
    let rules = |document: &mut Value| {
        let text = document["rulebooks"][0]["text"].as_str().unwrap().replace("penalty = 10", "penalty = 11");
        document["rulebooks"][0]["text"] = json!(text);
    };
    check(&place, &document, rules, "the rulebook `competition` does not match its hash: it was changed");
    let no_rules = |document: &mut Value| document["rulebooks"] = json!([]);
    check(&place, &document, no_rules, "is not in the ledger");
    let contact = |document: &mut Value| {
        document["records"][registered]["personal"][0]["text"] = json!("eve@example.org");
    };
    check(&place, &document, contact, "does not match its digest");
    let tomorrow = |document: &mut Value| {
        document["records"][0]["at"] = json!("2996-01-01T00:00:00.000Z");
        forge(document);
    };
    check(&place, &document, tomorrow, " is dated 2996-01-01T00:00:00.000Z, after now");
    check(
        &place,
        &document,
        |document| document["assize_stream"] = json!(2),
        "format 2 is not known to this program",
    );
    check(
        &place,
        &document,
        |document| document["stream"] = json!("chess/spring"),
        "there is no court for `chess/spring` here",
    );
    check(&place, &document, |document| document["more"] = json!(1), "unknown field `more`");
    place.server.stop();
}

#[test]
fn what_is_no_document_is_named_by_line_and_column() {
    let place = Place::new();
    let contest = eventful(&place);
    let text = exported(&contest, "");
    let check = |text: &str, expected: &str| {
        let said = refused(&place, text);
        assert!(said.contains(expected), "{said}\nshould say: {expected}");
    };
    check("", "this is no export of a stream: EOF while parsing a value at line 1 column 0");
    let half: Vec<&str> = text.lines().take(6).collect();
    check(&half.join("\n"), "this is no export of a stream: EOF while parsing a value at line 6 column ");
    check(&text.replacen("\"kind\"", "\"sort\"", 1), "unknown field `sort`, expected");
    check(&text.replacen("\"edition\":1", "\"edition\":one", 1), "at line 4 column ");
    check("{\"assize_ledger\":1}\n", "unknown field `assize_ledger`");
    place.server.stop();
}
