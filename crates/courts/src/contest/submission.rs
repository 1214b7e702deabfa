//! What teams' tools send, as they send it.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use super::fields::{Field, NotAField};

/// The body of a submission: `{"team_id", "question_id", "answerSets": [{"answers": […]}]}`, or a bare `{"text"}`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "Value")]
pub struct SubmissionBody {
    /// Who submits, where the sender is not known otherwise.
    pub team_id: Option<String>,
    /// The task meant; a number becomes its text.
    pub question_id: Option<String>,
    answers: Vec<SubmittedAnswer>,
}

/// One answer as a team's tool sends it; fields we do not know are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedAnswer {
    /// The whole answer of a QA or TR task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The video of a KIS answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_item_name: Option<String>,
    /// The moment of a KIS answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Mark>,
    /// The end of a KIS answer, when it is another moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Mark>,
}

/// A place in a video as it was sent: a number, or a text of digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Mark {
    /// `4890`
    Number(serde_json::Number),
    /// `"4890"`
    Text(String),
}

impl SubmissionBody {
    /// The answers of the first answer set; empty when there are none, which no task takes for an answer.
    #[must_use]
    pub fn into_answers(self) -> Vec<SubmittedAnswer> {
        self.answers
    }

    /// Reads a body; fields we do not know are ignored, those we know must be what they should be.
    pub(super) fn read(body: &Field<'_>) -> Result<Self, NotAField> {
        body.object()?;
        let answers = match body.optional("answerSets") {
            Some(sets) => match sets.items()?.into_iter().next() {
                Some(first) => read_answers(&first)?,
                None => Vec::new(),
            },
            None => {
                let bare = SubmittedAnswer { text: text_of(body, "text")?, ..SubmittedAnswer::default() };
                if bare.text.is_some() { vec![bare] } else { Vec::new() }
            }
        };
        Ok(Self { team_id: name_of(body, "team_id")?, question_id: name_of(body, "question_id")?, answers })
    }
}

fn read_answers(set: &Field<'_>) -> Result<Vec<SubmittedAnswer>, NotAField> {
    set.object()?;
    let Some(answers) = set.optional("answers") else { return Ok(Vec::new()) };
    answers.items()?.iter().map(read_answer).collect()
}

fn read_answer(answer: &Field<'_>) -> Result<SubmittedAnswer, NotAField> {
    answer.object()?;
    Ok(SubmittedAnswer {
        text: text_of(answer, "text")?,
        media_item_name: text_of(answer, "mediaItemName")?,
        start: mark_of(answer, "start")?,
        end: mark_of(answer, "end")?,
    })
}

fn text_of(field: &Field<'_>, name: &str) -> Result<Option<String>, NotAField> {
    field.optional(name).map(|text| text.text().map(str::to_owned)).transpose()
}

fn name_of(field: &Field<'_>, name: &str) -> Result<Option<String>, NotAField> {
    let name = field.optional(name).map(|name| match name.value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(name.expected("a text or a number")),
    });
    name.transpose()
}

fn mark_of(field: &Field<'_>, name: &str) -> Result<Option<Mark>, NotAField> {
    let mark = field.optional(name).map(|mark| match mark.value {
        Value::String(text) => Ok(Mark::Text(text.clone())),
        Value::Number(number) => Ok(Mark::Number(number.clone())),
        _ => Err(mark.expected("a number, a text of digits or null")),
    });
    mark.transpose()
}

impl TryFrom<Value> for SubmissionBody {
    type Error = NotAField;
    fn try_from(body: Value) -> Result<Self, NotAField> {
        Self::read(&Field::root(&body))
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// By hand, because an untagged enum would first copy everything: this is read a million times on start.
impl<'de> Deserialize<'de> for Mark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrText;
        impl de::Visitor<'_> for NumberOrText {
            type Value = Mark;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a text of digits")
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Mark, E> {
                Ok(Mark::Number(number.into()))
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Mark, E> {
                Ok(Mark::Number(number.into()))
            }
            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Mark, E> {
                let number = serde_json::Number::from_f64(number);
                number.map(Mark::Number).ok_or_else(|| E::custom("not a number"))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Mark, E> {
                Ok(Mark::Text(text.to_owned()))
            }
            fn visit_string<E: de::Error>(self, text: String) -> Result<Mark, E> {
                Ok(Mark::Text(text))
            }
        }
        deserializer.deserialize_any(NumberOrText)
    }
}
