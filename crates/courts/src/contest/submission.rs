//! What teams' tools send, as they send it.

use std::error::Error;
use std::fmt;

use assize_kernel::ByName;
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::{Field, NotAField};

/// The body of a submission: `{"team_id", "question_id", "answerSets": [{"answers": […]}]}`, or a bare `{"text"}`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "Box<RawValue>")]
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

/// A body without anything unusual in it, which is nearly every one.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Plain {
    #[serde(rename = "team_id")]
    team: Option<String>,
    #[serde(rename = "question_id")]
    question: Option<String>,
    answer_sets: Option<Vec<PlainSet>>,
    text: Option<String>,
}

#[derive(Deserialize)]
struct PlainSet {
    answers: Option<Vec<SubmittedAnswer>>,
}

impl Plain {
    /// None when it has to be read field by field, to be understood or to say what is wrong with it.
    fn read(text: &str) -> Option<Self> {
        Self::deserialize(ByName(&mut serde_json::Deserializer::from_str(text))).ok()
    }

    fn into_body(self) -> SubmissionBody {
        let bare = |text| SubmittedAnswer { text: Some(text), ..SubmittedAnswer::default() };
        let answers = match self.answer_sets {
            Some(sets) => sets.into_iter().next().and_then(|first| first.answers).unwrap_or_default(),
            None => self.text.map(bare).into_iter().collect(),
        };
        SubmissionBody { team_id: self.team, question_id: self.question, answers }
    }
}

impl TryFrom<Box<RawValue>> for SubmissionBody {
    type Error = Box<dyn Error>;
    fn try_from(text: Box<RawValue>) -> Result<Self, Self::Error> {
        match Plain::read(text.get()) {
            Some(plain) => Ok(plain.into_body()),
            None => Ok(Self::read(&Field::root(&serde_json::from_str(text.get())?))?),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Read field by field.
    fn thoroughly(text: &str) -> Result<SubmissionBody, String> {
        let body = serde_json::from_str(text).map_err(|error| error.to_string())?;
        SubmissionBody::read(&Field::root(&body)).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_plain_is_understood_as_if_it_were_read_field_by_field() {
        for plain in [
            "{}",
            r#"{"team_id": "ants", "question_id": "7", "answerSets": [{"answers": [{"text": "a"}, {}]}]}"#,
            r#"{"answerSets": [{"answers": [{"mediaItemName": "V1", "start": 4890, "end": "5e3", "x": []}]}]}"#,
            r#"{"answerSets": [{"answers": [{"start": -1, "end": 1.5}]}, {"answers": []}]}"#,
            r#"{"answerSets": null, "text": "bare", "other": {"answers": 1}}"#,
            r#"{"answerSets": [], "text": "not this one"}"#,
            r#"{"answerSets": [{"answers": null}], "team_id": null, "text": "\u00e9"}"#,
        ] {
            let read = Plain::read(plain).map(|plain| plain.into_body());
            assert_eq!(read, Some(thoroughly(plain).unwrap()), "{plain}");
        }
    }

    #[test]
    fn what_is_unusual_or_wrong_is_read_field_by_field() {
        for unusual in [
            r#"{"question_id": 7}"#,
            r#"{"text": "first", "text": "last"}"#,
            r#"{"answerSets": [{"answers": []}, "nobody looks at this one"]}"#,
            "[null, null, null, null]",
            r#"{"answerSets": [[[]]]}"#,
            r#"{"answerSets": {}}"#,
            r#"{"answerSets": [{"answers": [{"text": 5}]}]}"#,
            r#"{"team_id": true}"#,
        ] {
            assert!(Plain::read(unusual).is_none(), "{unusual}");
            let read = serde_json::from_str::<SubmissionBody>(unusual);
            assert_eq!(read.map_err(|error| error.to_string()), thoroughly(unusual), "{unusual}");
        }
    }
}
