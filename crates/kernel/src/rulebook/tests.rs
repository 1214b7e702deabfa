//! Error messages for wrong rulebooks.

use serde::Deserialize;

use super::{Fault, Rulebook, Rules};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    score: Score,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Score {
    penalty: f64,
}

impl Rules for Example {
    fn faults(&self) -> Vec<Fault> {
        if self.score.penalty < 0.0 {
            vec![Fault::new("score.penalty", format!("must not be negative, is {}", self.score.penalty))]
        } else {
            vec![]
        }
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let said = match Rulebook::<Example>::read("contest", "mine.toml", text) {
        Ok(book) => book.reference.to_string(),
        Err(error) => error.to_string(),
    };
    assert_eq!(said, expected);
}

const HEADER: &str = "court = \"contest\"\nname = \"mine\"\nversion = 2\n";

#[test]
fn a_good_one_is_named_by_the_hash_of_its_bytes() {
    let text = format!("{HEADER}[score]\npenalty = 10\n");
    let book = Rulebook::<Example>::read("contest", "mine.toml", &text).unwrap();
    assert_eq!(book.reference.hash, crate::Digest::of(text.as_bytes()));
    assert_eq!((book.reference.name.as_ref(), book.reference.version), ("mine", 2));
}

#[test]
fn an_unknown_key_is_named_with_its_line() {
    check(
        &format!("{HEADER}[score]\npenalty = 10\npenalti = 3\n"),
        "mine.toml:6: score.penalti: unknown field `penalti`, expected `penalty`",
    );
}

#[test]
fn a_value_of_the_wrong_type_is_named_with_its_line() {
    check(
        &format!("{HEADER}[score]\npenalty = \"ten\"\n"),
        "mine.toml:5: score.penalty: invalid type: string \"ten\", expected f64",
    );
}

#[test]
fn a_nonsense_value_is_named_with_its_line() {
    check(
        &format!("{HEADER}\n[score]\npenalty = -10\n"),
        "mine.toml:6: score.penalty: must not be negative, is -10",
    );
}

#[test]
fn a_missing_value_is_named_with_the_table_it_is_missing_from() {
    check(&format!("{HEADER}[score]\n"), "mine.toml:4: score: missing field `penalty`");
}

#[test]
fn all_that_is_wrong_with_the_header_is_said_at_once() {
    check(
        "court = \"quest\"\nversion = 0\n[score]\npenalty = 1\n",
        "mine.toml:1: court: must be `contest`, is `quest`\n\
         mine.toml:1: name: is missing; must be letters, digits, `.`, `_` and `-`\n\
         mine.toml:2: version: is missing; must be a whole number from 1 on",
    );
}

#[test]
fn a_text_that_is_no_toml_is_named_with_its_line() {
    check(&format!("{HEADER}[score\n"), "mine.toml:4: unclosed table, expected `]`");
}
