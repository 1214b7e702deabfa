//! Parser for submitted answers. An answer that does not parse is refused and costs nothing.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use super::rules::MatchingMode;
use super::submission::{SubmittedAnswer, VideoMark};
use super::task::TaskType;

/// The maximum number of values in one answer or one ground truth.
pub(super) const MOST_VALUES: usize = 1000;
/// The largest whole number that every JSON parser reads exactly (2^53 − 1).
pub(super) const LARGEST: u64 = 9_007_199_254_740_991;

/// A parsed answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ParsedAnswer {
    /// The text of a QA answer, as submitted.
    pub text: Option<String>,
    /// The videos named; an answer with more than one is never right.
    pub videos: BTreeSet<String>,
    /// The spans, in the order submitted; a point is a span from itself to itself.
    pub spans: Vec<(u64, u64)>,
}

/// Parses the answers of one answer set for a task of this type.
///
/// # Errors
/// A message that names what does not parse, and where.
pub(super) fn read(
    matching: MatchingMode,
    task_type: TaskType,
    answers: &[SubmittedAnswer],
) -> Result<ParsedAnswer, String> {
    let may_be_empty = matching == MatchingMode::Distance;
    let answer = match (task_type, answers) {
        (_, []) if may_be_empty => ParsedAnswer::default(),
        (_, []) => return Err("there is no answer".to_owned()),
        (TaskType::Kis, answers) => read_moments(answers)?,
        (TaskType::Qa | TaskType::Tr, [only]) => read_text(task_type, only, may_be_empty)?,
        (TaskType::Qa | TaskType::Tr, more) => {
            return Err(format!("there are {} answers where one belongs", more.len()));
        }
    };
    let count = answer.values().count();
    if count > MOST_VALUES {
        return Err(format!("there are {count} values, more than {MOST_VALUES}"));
    }
    Ok(answer)
}

impl ParsedAnswer {
    /// Every point, in the order submitted: the start of each span, and its end where it differs.
    pub(super) fn values(&self) -> impl Iterator<Item = u64> {
        let points = self.spans.iter().map(|(start, end)| (*start, (end != start).then_some(*end)));
        points.flat_map(|(start, end)| std::iter::once(start).chain(end))
    }

    /// The start of each span, in the order submitted.
    pub(super) fn starts(&self) -> impl Iterator<Item = u64> {
        self.spans.iter().map(|(start, _)| *start)
    }

    /// The values in ascending order.
    #[must_use]
    pub(super) fn sorted(&self) -> Vec<u64> {
        let mut values: Vec<u64> = self.values().collect();
        values.sort_unstable();
        values
    }

    /// The whole answer as one text: its text if it has one, the videos and the values.
    #[must_use]
    pub(super) fn words(&self) -> String {
        let text = self.text.iter().map(String::as_str);
        let values = self.values_text();
        let parts = text.chain(self.videos.iter().map(String::as_str)).chain([values.as_str()]);
        parts.collect::<Vec<_>>().join(" ")
    }

    /// The values separated by commas, in the order submitted.
    #[must_use]
    pub(super) fn values_text(&self) -> String {
        let mut text = String::new();
        for value in self.values() {
            if !text.is_empty() {
                text.push(',');
            }
            text.push_str(&value.to_string());
        }
        text
    }
}

/// Normalises a text: lower case, single spaces, trimmed, Unicode NFC.
pub(super) fn normalised(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase().nfc().collect()
}

/// Whether a text can name a video in a single-text answer, where commas and dashes separate the values.
pub(super) fn can_be_video(text: &str) -> bool {
    !text.is_empty() && !text.contains(',') && !text.starts_with('-') && !text.ends_with('-')
}

/// Parses a text of digits.
pub(super) fn whole_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number.filter(|number| *number <= LARGEST)
}

/// Truncates a submitted text for use in a message.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 80;
    let mut shown: String = text.chars().take(MOST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

fn read_moments(answers: &[SubmittedAnswer]) -> Result<ParsedAnswer, String> {
    let mut read = ParsedAnswer::default();
    for (index, answer) in answers.iter().enumerate() {
        let video = answer.media_item_name.as_deref().map(str::trim).filter(|video| !video.is_empty());
        let video = video.ok_or_else(|| format!("answers[{index}].mediaItemName is missing"))?;
        let start = answer.start.as_ref().ok_or_else(|| format!("answers[{index}].start is missing"))?;
        let start = start.read().map_err(|problem| format!("answers[{index}].start is {problem}"))?;
        let end = answer.end.as_ref().map_or(Ok(start), VideoMark::read);
        let end = end.map_err(|problem| format!("answers[{index}].end is {problem}"))?;
        read.videos.insert(video.to_owned());
        read.spans.push((start, end));
    }
    Ok(read)
}

fn read_text(
    task_type: TaskType,
    answer: &SubmittedAnswer,
    may_be_empty: bool,
) -> Result<ParsedAnswer, String> {
    let text = answer.text.as_deref().ok_or("answers[0].text is missing")?.trim();
    let form = || format!("answers[0].text is `{}`", shown(text));
    let rest = text.strip_prefix(task_type.as_str()).and_then(|rest| rest.strip_prefix('-'));
    let (rest, values) = rest.and_then(|rest| rest.rsplit_once('-')).ok_or_else(form)?;
    let (text, video) = match task_type {
        TaskType::Qa => {
            let (text, video) = rest.rsplit_once('-').ok_or_else(form)?;
            if text.trim().is_empty() {
                return Err(form());
            }
            (Some(text.trim().to_owned()), video)
        }
        TaskType::Kis | TaskType::Tr => (None, rest),
    };
    if !can_be_video(video.trim()) {
        return Err(form());
    }
    let points = values.split(',').map(str::trim).filter(|value| !(may_be_empty && value.is_empty()));
    let spans = points.map(|value| {
        let point = whole_number(value);
        point
            .map(|point| (point, point))
            .ok_or_else(|| format!("answers[0].text has `{}` where a whole number belongs", shown(value)))
    });
    let spans = spans.collect::<Result<_, _>>()?;
    Ok(ParsedAnswer { text, videos: BTreeSet::from([video.trim().to_owned()]), spans })
}

impl VideoMark {
    fn read(&self) -> Result<u64, String> {
        let number = match self {
            Self::Number(number) => whole(number),
            Self::Text(text) => whole_number(text.trim()),
        };
        number.ok_or_else(|| format!("`{}`, not a whole number", shown(&self.to_string())))
    }
}

fn whole(number: &serde_json::Number) -> Option<u64> {
    if let Some(whole) = number.as_u64() {
        return (whole <= LARGEST).then_some(whole);
    }
    let float = number.as_f64()?;
    #[allow(clippy::cast_precision_loss, reason = "the bound is exact in f64")]
    let in_range = (0.0..=LARGEST as f64).contains(&float) && float.fract() == 0.0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and in range")]
    in_range.then_some(float as u64)
}
