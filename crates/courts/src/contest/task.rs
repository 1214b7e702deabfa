//! Task specifications: type and ground truth, validated on input so that judging cannot fail.

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::answer::{LARGEST, MOST_VALUES, can_be_video, normalised, shown, whole_number};
use super::hint::{self, TaskHint};
use super::messages::is_false;
use super::rules::LONGEST_SECONDS;

/// The maximum size of a compiled regular expression.
const REGEX_BYTES: usize = 1 << 20;

/// The type of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum TaskType {
    /// Known-item search: find the moments shown.
    Kis,
    /// A question whose answer is seen in a video.
    Qa,
    /// TRAKE: find the frames of a sequence of events; partly right counts.
    Tr,
}

/// A task with its ground truth: for organisers and judges only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskSpec {
    /// The type of the task.
    #[serde(rename = "type")]
    pub task_type: TaskType,
    /// The authors' name of the scene: for organisers only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub scene_id: Option<String>,
    /// The video that contains the answer; may be empty if people judge.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub video_id: String,
    /// The boundaries, start and end of each event in turn; empty if people judge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<u64>,
    /// The answer text of a QA task; `\regex\` is a regular expression that must match the whole text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub answer: Option<String>,
    /// The time limit, if it differs from the rulebook's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub time_limit_seconds: Option<f64>,
    /// The hints, in the order in which they are shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<TaskHint>,
    /// Whether the task is a rehearsal, which scores nothing.
    #[serde(default, skip_serializing_if = "is_false")]
    pub rehearsal: bool,
}

/// Boundaries as people write them: `4890-5000-5001-5020`, with commas, or as a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a text such as `4890-5000` or a list of whole numbers")]
pub enum TaskPoints {
    /// Separated by dashes or commas.
    Text(String),
    /// One by one.
    List(Vec<u64>),
}

/// A validation error of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFault {
    /// The field.
    pub field: &'static str,
    /// The problem, in lower case and without a full stop.
    pub problem: String,
}

impl TaskType {
    /// The serialised name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Kis => "KIS",
            Self::Qa => "QA",
            Self::Tr => "TR",
        }
    }

    /// Parses the serialised name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Kis, Self::Qa, Self::Tr].into_iter().find(|known| known.as_str() == name)
    }

    /// The expected form of an answer, for error messages.
    #[must_use]
    pub const fn form(self) -> &'static str {
        match self {
            Self::Kis => r#"{"mediaItemName": "<video>", "start": <ms>} for each boundary"#,
            Self::Qa => "QA-<answer>-<video>-<ms>,<ms>…",
            Self::Tr => "TR-<video>-<frame>,<frame>…",
        }
    }
}

impl TaskPoints {
    /// The boundaries, start and end of each event in turn.
    ///
    /// # Errors
    /// The first validation error.
    pub fn read(&self) -> Result<Vec<u64>, TaskFault> {
        let points = match self {
            Self::List(points) => points.clone(),
            Self::Text(text) => read_points(text)?,
        };
        let count = points.len();
        if count == 0 || !count.is_multiple_of(2) || count > MOST_VALUES {
            let problem = format!("needs pairs of start and end, at most {MOST_VALUES} values, has {count}");
            return Err(TaskFault::new("points", problem));
        }
        if let Some(point) = points.iter().find(|point| **point > LARGEST) {
            return Err(TaskFault::new("points", format!("{point} is larger than {LARGEST}")));
        }
        match points.chunks_exact(2).find(|pair| pair.first() > pair.last()) {
            Some(pair) => {
                let pair: Vec<String> = pair.iter().map(u64::to_string).collect();
                Err(TaskFault::new("points", format!("the event {} ends before it starts", pair.join("-"))))
            }
            None => Ok(points),
        }
    }
}

fn read_points(text: &str) -> Result<Vec<u64>, TaskFault> {
    let read = |part: &str| {
        whole_number(part)
            .ok_or_else(|| TaskFault::new("points", format!("`{}` is not a whole number", shown(part))))
    };
    text.split(['-', ',']).map(|part| read(part.trim())).collect()
}

impl TaskSpec {
    /// Validates and normalises the task.
    ///
    /// # Errors
    /// The first validation error.
    pub fn checked(mut self) -> Result<Self, TaskFault> {
        if !self.points.is_empty() {
            self.points = TaskPoints::List(self.points).read()?;
        }
        if !self.is_judged_by_people() || !self.video_id.is_empty() {
            self.video_id = checked_video(self.task_type, &self.video_id)?;
        }
        self.scene_id = checked_scene(self.scene_id.as_deref())?;
        self.hints = hint::checked(self.hints)?;
        self.answer = checked_answer(self.task_type, self.answer.as_deref())?;
        Ok(self)
    }

    /// Whether the task has no ground truth to compare answers with.
    #[must_use]
    pub fn is_judged_by_people(&self) -> bool {
        self.points.is_empty()
    }

    /// The events, start and end of each.
    pub fn events(&self) -> impl Iterator<Item = (u64, u64)> {
        self.points.chunks_exact(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?)))
    }

    /// Whether a submitted text is the answer; `None` if the task has no answer text.
    #[must_use]
    pub fn accepts_text(&self, text: &str) -> Option<bool> {
        let expected = self.answer.as_deref()?;
        let text = normalised(text);
        Some(match pattern(expected) {
            Some(pattern) => pattern.is_ok_and(|pattern| pattern.is_match(&text)),
            None => normalised(expected) == text,
        })
    }
}

/// Validates a duration in seconds.
///
/// # Errors
/// When it is negative, too long or NaN.
pub(super) fn checked_seconds(field: &'static str, seconds: Option<f64>) -> Result<(), TaskFault> {
    match seconds {
        Some(seconds) if !(0.0..=LONGEST_SECONDS).contains(&seconds) => {
            Err(TaskFault::new(field, format!("must be from 0 to {LONGEST_SECONDS} seconds, is {seconds}")))
        }
        _ => Ok(()),
    }
}

/// Validates a scene name; a blank one is `None`.
pub(super) fn checked_scene(scene: Option<&str>) -> Result<Option<String>, TaskFault> {
    let scene = scene.map(str::trim).filter(|scene| !scene.is_empty());
    if scene.is_some_and(|scene| scene.chars().count() > 200 || scene.chars().any(char::is_control)) {
        return Err(TaskFault::new("scene_id", "must be at most 200 characters"));
    }
    Ok(scene.map(str::to_owned))
}

/// Validates an answer text; a blank one is `None`.
pub(super) fn checked_answer(task_type: TaskType, answer: Option<&str>) -> Result<Option<String>, TaskFault> {
    let Some(answer) = answer.filter(|answer| !answer.trim().is_empty()) else { return Ok(None) };
    if task_type != TaskType::Qa {
        return Err(TaskFault::new("answer", "only a QA task has an answer text"));
    }
    pattern(answer).transpose()?;
    Ok(Some(answer.to_owned()))
}

pub(super) fn checked_video(task_type: TaskType, video: &str) -> Result<String, TaskFault> {
    let video = video.trim();
    if video.is_empty() || video.chars().count() > 200 || video.chars().any(char::is_control) {
        return Err(TaskFault::new("video_id", "must be 1 to 200 characters"));
    }
    // A single-text answer could never name such a video.
    if task_type != TaskType::Kis && !can_be_video(video) {
        return Err(TaskFault::new("video_id", "cannot contain `,` or have `-` at its ends"));
    }
    if task_type == TaskType::Qa && video.contains('-') {
        return Err(TaskFault::new("video_id", "the video of a QA task cannot contain `-`"));
    }
    Ok(video.to_owned())
}

/// The regular expression in an answer written `\regex\`; `None` for plain text.
fn pattern(answer: &str) -> Option<Result<Regex, TaskFault>> {
    let inner = answer.trim().strip_prefix('\\')?.strip_suffix('\\')?;
    let compile = |pattern: &str| {
        RegexBuilder::new(pattern).case_insensitive(true).size_limit(REGEX_BYTES).build().map_err(|error| {
            let error = error.to_string();
            let problem = error.lines().last().unwrap_or_default().trim_start_matches("error: ");
            TaskFault::new("answer", format!("`{}` is not a regular expression: {problem}", shown(inner)))
        })
    };
    // Compiled alone first: `a)|(b` would otherwise escape from the parentheses around it.
    Some(compile(inner).and_then(|_| compile(&format!(r"\A(?:{inner})\z"))))
}

impl TaskFault {
    pub(super) fn new(field: &'static str, problem: impl Into<String>) -> Self {
        Self { field, problem: problem.into() }
    }
}
