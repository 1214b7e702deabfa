//! Simulated speech recognition noise: lost, doubled and misheard words.

use super::editing::{capitalised, pieces, replace};
use super::lot::DeterministicRng;

/// Pairs of words that sound alike.
const ALIKE: [(&str, &str); 18] = [
    ("one", "won"),
    ("two", "to"),
    ("four", "for"),
    ("six", "sticks"),
    ("eight", "ate"),
    ("nine", "line"),
    ("zero", "hero"),
    ("three", "free"),
    ("five", "hive"),
    ("seven", "heaven"),
    ("left", "lift"),
    ("right", "write"),
    ("runway", "runaway"),
    ("cleared", "cheered"),
    ("climb", "clime"),
    ("hold", "old"),
    ("wait", "weight"),
    ("decimal", "dismal"),
];

/// Drops, doubles or mishears about `percent` of the words; `name` seeds the choice.
#[must_use]
pub fn disturb(name: &str, text: &str, percent: usize) -> String {
    let mut rng = DeterministicRng::of(&[name, text]);
    let mut disturbed = text.to_owned();
    for piece in pieces(text, (0, text.len())).iter().rev() {
        if rng.next(100) >= percent {
            continue;
        }
        let other = match rng.next(3) {
            0 => String::new(),
            1 => format!("{0} {0}", piece.text),
            _ => misheard(piece.text),
        };
        disturbed = replace(&disturbed, (piece.start, piece.end), &other);
    }
    disturbed
}

/// A word that sounds alike, or a truncated form.
fn misheard(word: &str) -> String {
    let lower = word.to_lowercase();
    let capital = word.starts_with(char::is_uppercase);
    let other = match ALIKE.iter().find(|(known, _)| *known == lower) {
        Some((_, other)) => (*other).to_owned(),
        None => lower.chars().take(lower.chars().count().div_ceil(2)).chain("er".chars()).collect(),
    };
    if capital { capitalised(&other) } else { other }
}
