//! A student's call with the recognised items and the errors highlighted in its text.

use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;

/// The part of a verdict's detail that concerns the words of a call.
#[derive(Debug, Default, Deserialize)]
pub(super) struct CallDetail {
    #[serde(default)]
    pub(super) components: Vec<Value>,
    #[serde(default, rename = "blockReason")]
    pub(super) block_reason: Option<String>,
    #[serde(default)]
    pub(super) corrected: Option<String>,
    #[serde(default)]
    errors: Vec<PhraseError>,
    #[serde(default)]
    entities: CallEntities,
}

#[derive(Debug, Default, Deserialize)]
struct CallEntities {
    #[serde(default)]
    pilot: Vec<CallEntity>,
}

#[derive(Debug, Deserialize)]
struct CallEntity {
    item: String,
    #[serde(default)]
    value: String,
    span: (usize, usize),
}

#[derive(Debug, Deserialize)]
struct PhraseError {
    kind: String,
    item: String,
    #[serde(default)]
    expected: String,
    span: (usize, usize),
}

impl CallDetail {
    /// Item and kind of every error.
    pub(super) fn wrongs(&self) -> impl Iterator<Item = (String, String)> {
        self.errors.iter().map(|wrong| (wrong.item.replace('_', " "), wrong.kind.replace('_', " ")))
    }
}

/// A segment of a call's text.
#[derive(Debug, PartialEq, Eq)]
struct CallSegment<'a> {
    words: &'a str,
    /// The item that the words were recognised as; empty for other text.
    taken_for: String,
    wrong: bool,
}

/// The call with its recognised items highlighted.
pub(super) fn marked(text: &str, heard: &CallDetail) -> Markup {
    let pieces = pieces(text, heard);
    html! {
        p class="call" {
            @for piece in &pieces {
                @if piece.taken_for.is_empty() { (piece.words) }
                @else {
                    mark class=[piece.wrong.then_some("wrong")] {
                        (piece.words) span class="taken" { (if piece.wrong { "✗ " } else { "" }) (piece.taken_for) }
                    }
                }
            }
        }
    }
}

/// Errors with no words in the call, such as omissions.
pub(super) fn missing(heard: &CallDetail) -> Markup {
    let gone: Vec<&PhraseError> = heard.errors.iter().filter(|wrong| wrong.span.0 == wrong.span.1).collect();
    html! {
        @if !gone.is_empty() {
            ul class="reasons" { @for wrong in gone {
                li { (wrong.kind.replace('_', " ")) ": " strong { (wrong.item.replace('_', " ")) } @if !wrong.expected.is_empty() { " " q { (wrong.expected) } } }
            } }
        }
    }
}

/// Splits the text into segments, in order. Of overlapping spans the first wins; errors win over items.
fn pieces<'a>(text: &'a str, heard: &CallDetail) -> Vec<CallSegment<'a>> {
    let wrong = heard.errors.iter().filter(|wrong| wrong.span.0 < wrong.span.1);
    let wrong =
        wrong.map(|wrong| (wrong.span, format!("{}: {}", wrong.item, wrong.kind).replace('_', " "), true));
    let read = heard.entities.pilot.iter().map(|entity| {
        let item = entity.item.replace('_', " ");
        let said = if entity.value.is_empty() { item } else { format!("{item} {}", entity.value) };
        (entity.span, said, false)
    });
    let mut spans: Vec<((usize, usize), String, bool)> = Vec::new();
    for (span, said, is_wrong) in wrong.chain(read) {
        let free = spans.iter().all(|(other, ..)| span.1 <= other.0 || span.0 >= other.1);
        if free && span.0 < span.1 {
            spans.push((span, said, is_wrong));
        }
    }
    spans.sort_by_key(|(span, ..)| *span);
    let mut pieces = Vec::new();
    let mut at = 0;
    let plain = |words: &'a str| CallSegment { words, taken_for: String::new(), wrong: false };
    for ((from, to), taken_for, wrong) in spans {
        let (Some(before), Some(words)) = (text.get(at..from), text.get(from..to)) else { continue };
        if !before.is_empty() {
            pieces.push(plain(before));
        }
        pieces.push(CallSegment { words, taken_for, wrong });
        at = to;
    }
    pieces.extend(text.get(at..).filter(|rest| !rest.is_empty()).map(plain));
    pieces
}

#[test]
fn words_are_marked_by_what_they_were_taken_for() {
    let heard: CallDetail = serde_json::from_value(serde_json::json!({
        "errors": [
            { "kind": "wrong_value", "item": "runway", "expected": "27", "span": [7, 14] },
            { "kind": "omission", "item": "qnh", "expected": "1016", "span": [0, 0] },
        ],
        "entities": { "pilot": [
            { "item": "runway", "value": "22", "span": [0, 14] },
            { "item": "callsign", "value": "GELOP", "span": [16, 20] },
        ] },
    }))
    .unwrap();
    let text = "Runway two two, Papa";
    let seen: Vec<_> = pieces(text, &heard)
        .iter()
        .map(|piece| (piece.words.to_owned(), piece.taken_for.clone(), piece.wrong))
        .collect();
    let expected = [
        ("Runway ", "", false),
        ("two two", "runway: wrong value", true),
        (", ", "", false),
        ("Papa", "callsign GELOP", false),
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|(words, said, wrong)| ((*words).to_owned(), (*said).to_owned(), *wrong))
        .collect();
    assert_eq!(seen, expected);
    assert!(missing(&heard).into_string().contains("omission: <strong>qnh</strong>"));
}
