//! The exact assessor: compares an answer with the ground truth and reports what it found.

use super::answer::Answer;
use super::task::TaskSpec;

/// What was found; nothing here tells what would have been right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Findings {
    /// How many boundaries the task has.
    pub boundaries: u32,
    /// How many values were submitted.
    pub submitted: u32,
    /// How many of them are boundaries, each boundary counted once.
    pub matched: u32,
    /// Whether the video is the task's, and the only one named.
    pub right_video: bool,
    /// Whether the text is the task's; none when the task has no text.
    pub right_text: Option<bool>,
}

pub(super) fn compare(task: &TaskSpec, answer: &Answer) -> Findings {
    let right_video = answer.videos.len() == 1 && answer.videos.contains(&task.video_id);
    let mut boundaries = task.points.clone();
    boundaries.sort_unstable();
    let matched = if right_video { common(&boundaries, &answer.sorted()) } else { 0 };
    Findings {
        boundaries: count(boundaries.len()),
        submitted: count(answer.values.len()),
        matched,
        right_video,
        right_text: answer.text.as_deref().and_then(|text| task.accepts_text(text)),
    }
}

impl Findings {
    /// Equal lists, the right video, and the right text where there is one.
    pub(super) fn exact(&self) -> bool {
        self.all_values() && self.right_video && self.right_text != Some(false)
    }

    /// Equal lists: no boundary missing, nothing beside them.
    pub(super) const fn all_values(&self) -> bool {
        self.matched == self.boundaries && self.submitted == self.boundaries
    }

    /// The matched part of the longer list, so that guessing many values buys nothing.
    pub(super) fn share(&self) -> f64 {
        f64::from(self.matched) / f64::from(self.boundaries.max(self.submitted).max(1))
    }
}

/// The size of the intersection of two sorted lists, repeats counted.
fn common(left: &[u64], right: &[u64]) -> u32 {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut common = 0;
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => _ = left.next(),
            std::cmp::Ordering::Greater => _ = right.next(),
            std::cmp::Ordering::Equal => {
                common += 1;
                left.next();
                right.next();
            }
        }
    }
    common
}

/// Both lists are bounded where they come in.
fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
