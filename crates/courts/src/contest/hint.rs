//! Hints: what is shown of a task while it runs, each at its time.

use serde::{Deserialize, Serialize};

use super::answer::shown;
use super::rules::LONGEST_SECONDS;
use super::task::TaskFault;

/// The longest text of a hint, or address of a picture or video.
const LONGEST: usize = 4000;
/// More than anybody can take in.
const MOST: usize = 100;

/// Something that helps to find the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// How long after the start it is shown.
    pub at_seconds: f64,
    /// What it is.
    pub kind: HintKind,
    /// The text, or where the picture or the video is.
    pub content: String,
}

/// What a hint is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HintKind {
    /// A text to be read.
    Text,
    /// A picture.
    Image,
    /// A video.
    Video,
}

/// Hints in the order in which they are shown.
pub(super) fn checked(mut hints: Vec<Hint>) -> Result<Vec<Hint>, TaskFault> {
    let wrong = |problem: String| Err(TaskFault::new("hints", problem));
    if hints.len() > MOST {
        return wrong(format!("at most {MOST}, there are {}", hints.len()));
    }
    for hint in &hints {
        if !(0.0..=LONGEST_SECONDS).contains(&hint.at_seconds) {
            return wrong(format!("at_seconds must be from 0 to {LONGEST_SECONDS}, is {}", hint.at_seconds));
        }
        if hint.content.trim().is_empty() || hint.content.len() > LONGEST {
            let content = shown(&hint.content);
            return wrong(format!("content must be 1 to {LONGEST} bytes, is `{content}`"));
        }
    }
    hints.sort_by(|left, right| left.at_seconds.total_cmp(&right.at_seconds));
    Ok(hints)
}
