//! Answer fingerprints: equal answers have equal fingerprints, so a repetition is found without parsing old
//! answers.

use std::fmt;

use assize_kernel::Digest;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::answer::{ParsedAnswer, normalised};
use super::rules::MatchingMode;

/// The first half of a SHA-256 digest over a normalised answer, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct AnswerFingerprint(u128);

impl AnswerFingerprint {
    /// The fingerprint of a parsed answer. Ignores case and spacing, and order unless the matching mode
    /// depends on it.
    #[must_use]
    pub(super) fn of(matching: MatchingMode, answer: &ParsedAnswer) -> Self {
        let mut said = String::with_capacity(128);
        said.push_str(&answer.text.as_deref().map(normalised).unwrap_or_default());
        for video in &answer.videos {
            said.push('\0');
            said.push_str(video);
        }
        let values = match matching {
            MatchingMode::Exact => answer.sorted(),
            MatchingMode::Distance => answer.starts().collect(),
            MatchingMode::Overlap => {
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

    /// The bytes, in the order of the hexadecimal digits.
    pub(super) const fn bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// The low 16 bits, used as a fast pre-filter when comparing fingerprints.
    #[allow(clippy::cast_possible_truncation, reason = "only the low bits are wanted")]
    pub(super) const fn mark(self) -> u16 {
        self.0 as u16
    }

    /// Parses 32 hexadecimal digits. Written by hand because it runs for every answer and `from_str_radix` is
    /// far slower.
    pub(super) fn read(text: &str) -> Option<Self> {
        let digits: &[u8; 32] = text.as_bytes().try_into().ok()?;
        let hexadecimal = digits.iter().fold(true, |all, digit| all & digit.is_ascii_hexdigit());
        // The low four bits of a hex letter count from 1, and only letters have bit 6 set.
        let values = digits.map(|digit| (digit & 15) + 9 * (digit >> 6));
        let number = values.iter().fold(0, |number, value| number << 4 | u128::from(*value));
        hexadecimal.then_some(Self(number))
    }
}

impl fmt::Display for AnswerFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for AnswerFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for AnswerFingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AnswerFingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FingerprintVisitor;
        impl de::Visitor<'_> for FingerprintVisitor {
            type Value = AnswerFingerprint;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("32 hexadecimal digits")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<AnswerFingerprint, E> {
                AnswerFingerprint::read(text)
                    .ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_str(FingerprintVisitor)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn answer(text: Option<&str>, video: &str, values: &[u64]) -> ParsedAnswer {
        let videos = BTreeSet::from([video.to_owned()]);
        ParsedAnswer {
            text: text.map(str::to_owned),
            videos,
            spans: values.iter().map(|value| (*value, *value)).collect(),
        }
    }

    #[test]
    fn order_case_and_spacing_do_not_count_and_everything_else_does() {
        let of = |answer: &ParsedAnswer| AnswerFingerprint::of(MatchingMode::Exact, answer);
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
        let of =
            |values: &[u64]| AnswerFingerprint::of(MatchingMode::Distance, &answer(None, "V017", values));
        assert_ne!(of(&[4890, 5000]), of(&[5000, 4890]));
    }

    #[test]
    fn where_spans_count_the_same_ends_may_be_other_spans() {
        let of = |spans: &[(u64, u64)]| {
            let spans = spans.to_vec();
            AnswerFingerprint::of(MatchingMode::Overlap, &ParsedAnswer { spans, ..answer(None, "V017", &[]) })
        };
        assert_eq!(of(&[(1, 5), (7, 9)]), of(&[(7, 9), (1, 5)]));
        assert_ne!(of(&[(1, 5), (7, 9)]), of(&[(1, 7), (5, 9)]));
    }

    #[test]
    fn a_fingerprint_survives_the_wire() {
        let fingerprint = AnswerFingerprint(7);
        let text = serde_json::to_string(&fingerprint).unwrap();
        assert_eq!(text, format!("\"{:032x}\"", 7));
        assert_eq!(serde_json::from_str::<AnswerFingerprint>(&text).unwrap(), fingerprint);
    }
}
