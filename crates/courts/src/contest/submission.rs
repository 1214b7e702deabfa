//! The body of a submission as teams' tools send it, with a fast path for ordinary bodies.

use std::error::Error;
use std::fmt;

use assize_kernel::StrictObjects;
#[cfg(feature = "openapi")]
use assize_kernel::openapi::TextOrNumber;
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::{FieldError, JsonField};

/// The body of a submission: `{"team_id", "question_id", "answerSets": [{"answers": […]}]}`, or a bare
/// `{"text"}`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "Box<RawValue>")]
pub struct SubmissionBody {
    /// The team, if the request does not identify it otherwise.
    pub team_id: Option<String>,
    /// The task; a number is converted to text.
    pub question_id: Option<String>,
    answers: Vec<SubmittedAnswer>,
}

/// One answer as a team's tool sends it; unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    #[cfg_attr(feature = "openapi", schema(value_type = Option<TextOrNumber>))]
    pub start: Option<VideoMark>,
    /// The end of a KIS answer, if it differs from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<TextOrNumber>))]
    pub end: Option<VideoMark>,
}

/// A position in a video as it was sent: a number, or a text of digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum VideoMark {
    /// `4890`
    Number(serde_json::Number),
    /// `"4890"`
    Text(String),
}

impl SubmissionBody {
    /// The answers of the first answer set; may be empty.
    #[must_use]
    pub fn into_answers(self) -> Vec<SubmittedAnswer> {
        self.answers
    }

    /// Reads a body field by field; ignores unknown fields and checks the types of known ones.
    pub(super) fn read(body: &JsonField<'_>) -> Result<Self, FieldError> {
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

fn read_answers(set: &JsonField<'_>) -> Result<Vec<SubmittedAnswer>, FieldError> {
    set.object()?;
    let Some(answers) = set.optional("answers") else { return Ok(Vec::new()) };
    answers.items()?.iter().map(read_answer).collect()
}

fn read_answer(answer: &JsonField<'_>) -> Result<SubmittedAnswer, FieldError> {
    answer.object()?;
    Ok(SubmittedAnswer {
        text: text_of(answer, "text")?,
        media_item_name: text_of(answer, "mediaItemName")?,
        start: mark_of(answer, "start")?,
        end: mark_of(answer, "end")?,
    })
}

fn text_of(field: &JsonField<'_>, name: &str) -> Result<Option<String>, FieldError> {
    field.optional(name).map(|text| text.text().map(str::to_owned)).transpose()
}

fn name_of(field: &JsonField<'_>, name: &str) -> Result<Option<String>, FieldError> {
    let name = field.optional(name).map(|name| match name.value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(name.expected("a text or a number")),
    });
    name.transpose()
}

fn mark_of(field: &JsonField<'_>, name: &str) -> Result<Option<VideoMark>, FieldError> {
    let mark = field.optional(name).map(|mark| match mark.value {
        Value::String(text) => Ok(VideoMark::Text(text.clone())),
        Value::Number(number) => Ok(VideoMark::Number(number.clone())),
        _ => Err(mark.expected("a number, a text of digits or null")),
    });
    mark.transpose()
}

/// Fast path for an ordinary body, which is nearly every one.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlainBody {
    #[serde(rename = "team_id")]
    team: Option<String>,
    #[serde(rename = "question_id")]
    question: Option<String>,
    answer_sets: Option<Vec<PlainAnswerSet>>,
    text: Option<String>,
}

#[derive(Deserialize)]
struct PlainAnswerSet {
    answers: Option<Vec<SubmittedAnswer>>,
}

impl PlainBody {
    /// `None` if the body has to be read field by field, either to accept it or to report the error.
    fn read(text: &str) -> Option<Self> {
        Self::deserialize(StrictObjects(&mut serde_json::Deserializer::from_str(text))).ok()
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
        match PlainBody::read(text.get()) {
            Some(plain) => Ok(plain.into_body()),
            None => Ok(Self::read(&JsonField::root(&serde_json::from_str(text.get())?))?),
        }
    }
}

impl fmt::Display for VideoMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// Written by hand, because an untagged enum buffers its input, and replay on start reads millions of these.
impl<'de> Deserialize<'de> for VideoMark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrText;
        impl de::Visitor<'_> for NumberOrText {
            type Value = VideoMark;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a text of digits")
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<VideoMark, E> {
                Ok(VideoMark::Number(number.into()))
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<VideoMark, E> {
                Ok(VideoMark::Number(number.into()))
            }
            fn visit_f64<E: de::Error>(self, number: f64) -> Result<VideoMark, E> {
                let number = serde_json::Number::from_f64(number);
                number.map(VideoMark::Number).ok_or_else(|| E::custom("not a number"))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<VideoMark, E> {
                Ok(VideoMark::Text(text.to_owned()))
            }
            fn visit_string<E: de::Error>(self, text: String) -> Result<VideoMark, E> {
                Ok(VideoMark::Text(text))
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
        SubmissionBody::read(&JsonField::root(&body)).map_err(|error| error.to_string())
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
            let read = PlainBody::read(plain).map(|plain| plain.into_body());
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
            assert!(PlainBody::read(unusual).is_none(), "{unusual}");
            let read = serde_json::from_str::<SubmissionBody>(unusual);
            assert_eq!(read.map_err(|error| error.to_string()), thoroughly(unusual), "{unusual}");
        }
    }
}
