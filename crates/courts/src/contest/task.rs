//! A task: its type and its ground truth, checked when it comes in so that judging cannot fail.

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::answer::{LARGEST, MOST_VALUES, can_be_video, normalised, shown, whole_number};
use super::hint::{self, Hint};
use super::messages::is_false;
use super::rules::LONGEST_SECONDS;

/// Regular expressions beyond this size, compiled, are refused.
const REGEX_BYTES: usize = 1 << 20;

/// What kind of question a task asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
#[serde(deny_unknown_fields)]
pub struct TaskSpec {
    /// What kind of question it asks.
    #[serde(rename = "type")]
    pub task_type: TaskType,
    /// The scene it is from, as its authors call it: for them alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene_id: Option<String>,
    /// The video the answer is in; may be empty where people judge.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub video_id: String,
    /// The boundaries, start and end of each event in turn; empty where people judge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<u64>,
    /// The answer text of a QA task; `\regex\` is a regular expression for the whole of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// How long the task runs, when the rulebook's time does not suit it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_seconds: Option<f64>,
    /// What is shown of it while it runs, in that order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<Hint>,
    /// Whether it only tries out the connections, and scores nothing.
    #[serde(default, skip_serializing_if = "is_false")]
    pub rehearsal: bool,
}

/// Boundaries as people write them: `4890-5000-5001-5020`, with commas, or as a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a text such as `4890-5000` or a list of whole numbers")]
pub enum Points {
    /// Separated by dashes or commas.
    Text(String),
    /// One by one.
    List(Vec<u64>),
}

/// What is wrong with a task: the field and the problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFault {
    /// Which field.
    pub field: &'static str,
    /// Lower case, no full stop.
    pub problem: String,
}

impl TaskType {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Kis => "KIS",
            Self::Qa => "QA",
            Self::Tr => "TR",
        }
    }

    /// The type of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Kis, Self::Qa, Self::Tr].into_iter().find(|known| known.as_str() == name)
    }

    /// What an answer to such a task looks like.
    #[must_use]
    pub const fn form(self) -> &'static str {
        match self {
            Self::Kis => r#"{"mediaItemName": "<video>", "start": <ms>} for each boundary"#,
            Self::Qa => "QA-<answer>-<video>-<ms>,<ms>…",
            Self::Tr => "TR-<video>-<frame>,<frame>…",
        }
    }
}

impl Points {
    /// The boundaries, start and end of each event in turn.
    ///
    /// # Errors
    /// What is wrong with them.
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
    /// The task as it is judged by.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn checked(mut self) -> Result<Self, TaskFault> {
        if !self.points.is_empty() {
            self.points = Points::List(self.points).read()?;
        }
        if !self.is_judged_by_people() || !self.video_id.is_empty() {
            self.video_id = checked_video(self.task_type, &self.video_id)?;
        }
        self.scene_id = checked_scene(self.scene_id.as_deref())?;
        self.hints = hint::checked(self.hints)?;
        self.answer = checked_answer(self.task_type, self.answer.as_deref())?;
        Ok(self)
    }

    /// Whether there is nothing to compare answers with.
    #[must_use]
    pub fn is_judged_by_people(&self) -> bool {
        self.points.is_empty()
    }

    /// The events, start and end of each.
    pub fn events(&self) -> impl Iterator<Item = (u64, u64)> {
        self.points.chunks_exact(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?)))
    }

    /// Whether a submitted text is the answer; none when the task has no answer text.
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

/// A time limit in seconds, as a task or its start may name one.
///
/// # Errors
/// When it is negative, endless or no number.
pub(super) fn checked_seconds(field: &'static str, seconds: Option<f64>) -> Result<(), TaskFault> {
    match seconds {
        Some(seconds) if !(0.0..=LONGEST_SECONDS).contains(&seconds) => {
            Err(TaskFault::new(field, format!("must be from 0 to {LONGEST_SECONDS} seconds, is {seconds}")))
        }
        _ => Ok(()),
    }
}

/// A scene as its authors call it; none when nothing is written.
pub(super) fn checked_scene(scene: Option<&str>) -> Result<Option<String>, TaskFault> {
    let scene = scene.map(str::trim).filter(|scene| !scene.is_empty());
    if scene.is_some_and(|scene| scene.chars().count() > 200 || scene.chars().any(char::is_control)) {
        return Err(TaskFault::new("scene_id", "must be at most 200 characters"));
    }
    Ok(scene.map(str::to_owned))
}

/// An answer text; none when nothing is written.
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
    // In an answer of one text, such a video could never be named.
    if task_type != TaskType::Kis && !can_be_video(video) {
        return Err(TaskFault::new("video_id", "cannot contain `,` or have `-` at its ends"));
    }
    if task_type == TaskType::Qa && video.contains('-') {
        return Err(TaskFault::new("video_id", "the video of a QA task cannot contain `-`"));
    }
    Ok(video.to_owned())
}

/// The regular expression in an answer written `\regex\`; none when it is plain text.
fn pattern(answer: &str) -> Option<Result<Regex, TaskFault>> {
    let inner = answer.trim().strip_prefix('\\')?.strip_suffix('\\')?;
    let compile = |pattern: &str| {
        RegexBuilder::new(pattern).case_insensitive(true).size_limit(REGEX_BYTES).build().map_err(|error| {
            let error = error.to_string();
            let problem = error.lines().last().unwrap_or_default().trim_start_matches("error: ");
            TaskFault::new("answer", format!("`{}` is not a regular expression: {problem}", shown(inner)))
        })
    };
    // Compiled by itself first: `a)|(b` would otherwise escape from the parentheses around it.
    Some(compile(inner).and_then(|_| compile(&format!(r"\A(?:{inner})\z"))))
}

impl TaskFault {
    pub(super) fn new(field: &'static str, problem: impl Into<String>) -> Self {
        Self { field, problem: problem.into() }
    }
}
