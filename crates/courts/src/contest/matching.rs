//! The exact assessor: compares an answer with the ground truth.

use super::answer::ParsedAnswer;
use super::rules::MatchingMode;
use super::task::TaskSpec;

/// The findings of a comparison; they do not reveal the ground truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MatchFindings {
    /// The number of boundaries of the task; of events when matching by overlap.
    pub wanted: u32,
    /// The number of submitted values; of spans when matching by overlap.
    pub submitted: u32,
    /// The number of wanted items that were matched, each counted once.
    pub matched: u32,
    /// Whether the task's video is the only one named.
    pub right_video: bool,
    /// Whether the text is the task's; `None` if the task has no text.
    pub right_text: Option<bool>,
}

/// Compares values with boundaries, or spans with events.
pub(super) fn compare(matching: MatchingMode, task: &TaskSpec, answer: &ParsedAnswer) -> MatchFindings {
    let right_video = is_right_video(task, answer);
    let (wanted, submitted, matched) = if matching == MatchingMode::Overlap {
        (task.points.len() / 2, answer.spans.len(), overlapping(task, answer))
    } else {
        let mut boundaries = task.points.clone();
        boundaries.sort_unstable();
        let values = answer.sorted();
        (boundaries.len(), values.len(), common(&boundaries, &values))
    };
    MatchFindings {
        wanted: count(wanted),
        submitted: count(submitted),
        matched: if right_video { matched } else { 0 },
        right_video,
        right_text: is_right_text(task, answer),
    }
}

/// Whether the task's video is the only one named.
pub(super) fn is_right_video(task: &TaskSpec, answer: &ParsedAnswer) -> bool {
    answer.videos.len() == 1 && answer.videos.contains(&task.video_id)
}

/// Whether the text is the task's; `None` if the task has no text.
pub(super) fn is_right_text(task: &TaskSpec, answer: &ParsedAnswer) -> Option<bool> {
    answer.text.as_deref().and_then(|text| task.accepts_text(text))
}

impl MatchFindings {
    /// Everything wanted and nothing else, in the right video, with the right text if the task has one.
    pub(super) fn exact(&self) -> bool {
        self.all_values() && self.right_video && self.right_text != Some(false)
    }

    /// Nothing missing and nothing extra.
    pub(super) const fn all_values(&self) -> bool {
        self.matched == self.wanted && self.submitted == self.wanted
    }

    /// The matched share of the longer list, so that guessing many values does not pay.
    pub(super) fn share(&self) -> f64 {
        f64::from(self.matched) / f64::from(self.wanted.max(self.submitted).max(1))
    }
}

/// The number of events overlapped by a span of their own, ends included. Greedy: the span that ends first
/// takes the first-ending event that it overlaps.
fn overlapping(task: &TaskSpec, answer: &ParsedAnswer) -> u32 {
    let mut events: Vec<(u64, u64)> = task.events().collect();
    let mut spans: Vec<(u64, u64)> = answer.spans.iter().map(|(a, b)| (*a.min(b), *a.max(b))).collect();
    events.sort_unstable_by_key(|(start, end)| (*end, *start));
    spans.sort_unstable_by_key(|(start, end)| (*end, *start));
    let mut matched = 0;
    for (start, end) in spans {
        let event = events.iter().position(|event| event.0 <= end && start <= event.1);
        if let Some(event) = event {
            events.remove(event);
            matched += 1;
        }
    }
    matched
}

/// The size of the intersection of two sorted lists, repeats counted.
fn common(left: &[u64], right: &[u64]) -> u32 {
    let mut left = left.iter().peekable();
    let mut right = right.iter().peekable();
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

/// Cannot saturate: the length of both lists is bounded on input.
fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
