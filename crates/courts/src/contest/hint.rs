//! Hints: texts and media that are shown while a task runs, each at its own time.

use serde::{Deserialize, Serialize};

use super::answer::shown;
use super::rules::LONGEST_SECONDS;
use super::task::TaskFault;

/// The maximum length in bytes of a hint's text or URL.
const LONGEST: usize = 4000;
/// The maximum number of hints of a task.
const MOST: usize = 100;

/// A hint that helps to find the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Hint))]
#[serde(deny_unknown_fields, expecting = "struct Hint")]
pub struct TaskHint {
    /// Seconds after the start at which the hint is shown.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 604_800))]
    pub at_seconds: f64,
    /// The kind of content.
    pub kind: HintKind,
    /// The text, or the URL of the picture or video.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 4000))]
    pub content: String,
}

/// The kind of content of a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum HintKind {
    /// A text.
    Text,
    /// A picture.
    Image,
    /// A video.
    Video,
}

/// Validates hints and sorts them by the time at which they are shown.
pub(super) fn checked(mut hints: Vec<TaskHint>) -> Result<Vec<TaskHint>, TaskFault> {
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
