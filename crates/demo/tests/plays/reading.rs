//! Parser of answers and ground truth for the reference: reads the JSON, shares no code with the court.

use serde_json::Value;

/// Ground truth of a task.
pub(crate) struct GroundTruth {
    kind: String,
    video: String,
    boundaries: Vec<u64>,
    text: Option<String>,
}

/// Correctness of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Correctness {
    Full,
    Half,
    Wrong,
}

/// A parsed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParsedAnswer {
    text: Option<String>,
    videos: Vec<String>,
    values: Vec<u64>,
}

impl GroundTruth {
    pub(crate) fn read(added: &Value) -> Self {
        let text = |name: &str| added[name].as_str().map(str::to_owned);
        let mut boundaries: Vec<u64> =
            added["points"].as_array().unwrap().iter().map(|point| point.as_u64().unwrap()).collect();
        boundaries.sort_unstable();
        Self {
            kind: text("type").unwrap(),
            video: text("video_id").unwrap(),
            boundaries,
            text: text("answer"),
        }
    }

    /// An answer in the form of this kind of task; none when it is malformed.
    pub(crate) fn answer(&self, answers: &Value) -> Option<ParsedAnswer> {
        let answers = answers.as_array().unwrap();
        if self.kind == "KIS" {
            return moments(answers);
        }
        let [only] = answers.as_slice() else { return None };
        let text = only["text"].as_str()?.trim();
        let rest = text.strip_prefix(&format!("{}-", self.kind))?;
        let parts: Vec<&str> = rest.split('-').collect();
        // The values come last, the video before them; what is left is the answer to the question.
        let [said @ .., video, values] = parts.as_slice() else { return None };
        let values: Option<Vec<u64>> = values.split(',').map(|value| value.parse().ok()).collect();
        let text = (self.kind == "QA").then(|| plain(&said.join("-")));
        Some(ParsedAnswer { text, videos: vec![(*video).to_owned()], values: sorted(values?) })
    }

    pub(crate) fn judge(&self, answer: &ParsedAnswer) -> Correctness {
        let right_video = answer.videos.iter().all(|video| *video == self.video);
        let right_text = self.text.as_deref().is_none_or(|text| Some(plain(text)) == answer.text);
        if right_video && right_text && answer.values == self.boundaries {
            return Correctness::Full;
        }
        let mut left = self.boundaries.clone();
        let matched = answer.values.iter().filter(|value| {
            let found = left.iter().position(|boundary| boundary == *value);
            found.map(|place| left.remove(place)).is_some()
        });
        let matched = matched.count();
        let most = self.boundaries.len().max(answer.values.len());
        if self.kind == "TR" && right_video && 2 * matched >= most {
            Correctness::Half
        } else {
            Correctness::Wrong
        }
    }
}

fn moments(answers: &[Value]) -> Option<ParsedAnswer> {
    let mut videos = Vec::new();
    let mut values = Vec::new();
    for answer in answers {
        videos.push(answer["mediaItemName"].as_str()?.to_owned());
        let start = number(&answer["start"])?;
        values.push(start);
        if !answer["end"].is_null() {
            values.extend(Some(number(&answer["end"])?).filter(|end| *end != start));
        }
    }
    if values.is_empty() { None } else { Some(ParsedAnswer { text: None, videos, values: sorted(values) }) }
}

fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

fn sorted(mut values: Vec<u64>) -> Vec<u64> {
    values.sort_unstable();
    values
}

/// Normalises case and whitespace.
fn plain(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}
