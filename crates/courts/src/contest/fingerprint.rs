//! Answers that say the same have the same fingerprint: a repeated one is found without reading the others again.

use std::fmt;

use assize_kernel::Digest;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::answer::{Answer, normalised};
use super::rules::Matching;

/// The first half of a SHA-256 digest over what an answer says, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Fingerprint(u128);

impl Fingerprint {
    /// Of an answer as it was understood: case and spacing do not count, and order only where it does in matching.
    #[must_use]
    pub(super) fn of(matching: Matching, answer: &Answer) -> Self {
        let mut said = String::with_capacity(128);
        said.push_str(&answer.text.as_deref().map(normalised).unwrap_or_default());
        for video in &answer.videos {
            said.push('\0');
            said.push_str(video);
        }
        let values = match matching {
            Matching::Exact => answer.sorted(),
            Matching::Distance => answer.starts().collect(),
            Matching::Overlap => {
                let mut spans = answer.spans.clone();
                spans.sort_unstable();
                spans.into_iter().flat_map(|(start, end)| [start, end]).collect()
            }
        };
        for value in values {
            said.push('\n');
            said.push_str(&value.to_string());
        }
        let digest = Digest::of(said.as_bytes()).0;
        Self(digest.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte)))
    }

    /// Its bytes, which its digits are written from.
    pub(super) const fn bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// A part of it, which answers that say something else seldom share.
    #[allow(clippy::cast_possible_truncation, reason = "that is what is meant")]
    pub(super) const fn mark(self) -> u16 {
        self.0 as u16
    }

    /// From its digits. Not as any number is read: that takes many times as long, and this is done for every answer.
    pub(super) fn read(text: &str) -> Option<Self> {
        let digits: &[u8; 32] = text.as_bytes().try_into().ok()?;
        let hexadecimal = digits.iter().fold(true, |all, digit| all & digit.is_ascii_hexdigit());
        // A letter's lower half counts from 1, and only letters have this bit.
        let values = digits.map(|digit| (digit & 15) + 9 * (digit >> 6));
        let number = values.iter().fold(0, |number, value| number << 4 | u128::from(*value));
        hexadecimal.then_some(Self(number))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Digits;
        impl de::Visitor<'_> for Digits {
            type Value = Fingerprint;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("32 hexadecimal digits")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Fingerprint, E> {
                Fingerprint::read(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_str(Digits)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn answer(text: Option<&str>, video: &str, values: &[u64]) -> Answer {
        let videos = BTreeSet::from([video.to_owned()]);
        Answer {
            text: text.map(str::to_owned),
            videos,
            spans: values.iter().map(|value| (*value, *value)).collect(),
        }
    }

    #[test]
    fn order_case_and_spacing_do_not_count_and_everything_else_does() {
        let of = |answer: &Answer| Fingerprint::of(Matching::Exact, answer);
        let first = of(&answer(Some("Two  Dogs"), "V017", &[5000, 4890]));
        assert_eq!(first, of(&answer(Some("two dogs"), "V017", &[4890, 5000])));
        for other in [
            answer(Some("two cats"), "V017", &[4890, 5000]),
            answer(Some("two dogs"), "V018", &[4890, 5000]),
            answer(Some("two dogs"), "V017", &[4890, 5000, 5000]),
            answer(None, "V017", &[4890, 5000]),
        ] {
            assert_ne!(first, of(&other), "{other:?}");
        }
    }

    #[test]
    fn order_counts_where_values_meet_events_in_order() {
        let of = |values: &[u64]| Fingerprint::of(Matching::Distance, &answer(None, "V017", values));
        assert_ne!(of(&[4890, 5000]), of(&[5000, 4890]));
    }

    #[test]
    fn where_spans_count_the_same_ends_may_be_other_spans() {
        let of = |spans: &[(u64, u64)]| {
            let spans = spans.to_vec();
            Fingerprint::of(Matching::Overlap, &Answer { spans, ..answer(None, "V017", &[]) })
        };
        assert_eq!(of(&[(1, 5), (7, 9)]), of(&[(7, 9), (1, 5)]));
        assert_ne!(of(&[(1, 5), (7, 9)]), of(&[(1, 7), (5, 9)]));
    }

    #[test]
    fn a_fingerprint_survives_the_wire() {
        let fingerprint = Fingerprint(7);
        let text = serde_json::to_string(&fingerprint).unwrap();
        assert_eq!(text, format!("\"{:032x}\"", 7));
        assert_eq!(serde_json::from_str::<Fingerprint>(&text).unwrap(), fingerprint);
    }
}
