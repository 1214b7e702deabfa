//! Field-by-field JSON reader whose errors name the path of the wrong value and what was expected there.

use serde_json::{Map, Value};

use super::answer::shown;

/// A JSON value with its path; the path is formatted only for an error.
pub(super) struct JsonField<'a> {
    pub(super) value: &'a Value,
    step: PathStep<'a>,
}

/// The last step of the path to a value.
enum PathStep<'a> {
    Root,
    Name(&'a JsonField<'a>, &'a str),
    Item(&'a JsonField<'a>, usize),
}

/// A JSON value of the wrong type or out of range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct FieldError {
    /// The path of the value.
    pub path: String,
    /// The problem, in lower case and without a full stop.
    pub problem: String,
}

impl<'a> JsonField<'a> {
    pub(super) const fn root(value: &'a Value) -> Self {
        Self { value, step: PathStep::Root }
    }

    /// The error for a value that is not what was expected.
    pub(super) fn expected(&self, expected: &str) -> FieldError {
        self.wrong(format!("expected {expected}, found {}", found(self.value)))
    }

    pub(super) fn wrong(&self, problem: String) -> FieldError {
        let path = self.path();
        FieldError { path: if path.is_empty() { "document".to_owned() } else { path }, problem }
    }

    /// `answerSets[0].answers`; empty for the whole document.
    fn path(&self) -> String {
        match self.step {
            PathStep::Root => String::new(),
            PathStep::Name(JsonField { step: PathStep::Root, .. }, name) => name.to_owned(),
            PathStep::Name(within, name) => format!("{}.{name}", within.path()),
            PathStep::Item(list, index) => format!("{}[{index}]", list.path()),
        }
    }

    pub(super) fn object(&self) -> Result<&'a Map<String, Value>, FieldError> {
        self.value.as_object().ok_or_else(|| self.expected("an object"))
    }

    /// Checks that the value is an object without unknown fields.
    pub(super) fn object_of(&self, known: &[&str]) -> Result<(), FieldError> {
        let unknown = self.object()?.keys().find(|name| !known.contains(&name.as_str()));
        match unknown {
            Some(name) => {
                let problem = format!("unknown field, expected one of {}", known.join(", "));
                Err(self.inner(&shown(name), &Value::Null).wrong(problem))
            }
            None => Ok(()),
        }
    }

    /// A field that may be missing or null.
    pub(super) fn optional<'b>(&'b self, name: &'b str) -> Option<JsonField<'b>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(self.inner(name, value))
    }

    /// A required field; a missing one reads as null and fails the next check.
    pub(super) fn required<'b>(&'b self, name: &'b str) -> JsonField<'b> {
        self.inner(name, self.value.get(name).unwrap_or(&Value::Null))
    }

    pub(super) fn items(&self) -> Result<Vec<JsonField<'_>>, FieldError> {
        let items = self.value.as_array().ok_or_else(|| self.expected("a list"))?;
        let item = |(index, value)| JsonField { value, step: PathStep::Item(self, index) };
        Ok(items.iter().enumerate().map(item).collect())
    }

    pub(super) fn text(&self) -> Result<&'a str, FieldError> {
        self.value.as_str().ok_or_else(|| self.expected("a text"))
    }

    /// A number in this range.
    pub(super) fn number(&self, least: f64, most: f64) -> Result<f64, FieldError> {
        let number = self.value.as_f64().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| self.expected(&format!("a number from {least} to {most}")))
    }

    /// A whole number from 0 to `most`.
    pub(super) fn count(&self, most: u32) -> Result<u32, FieldError> {
        let number = self.value.as_u64().and_then(|number| u32::try_from(number).ok());
        let number = number.filter(|number| *number <= most);
        number.ok_or_else(|| self.expected(&format!("a whole number from 0 to {most}")))
    }

    fn inner<'b>(&'b self, name: &'b str, value: &'b Value) -> JsonField<'b> {
        JsonField { value, step: PathStep::Name(self, name) }
    }
}

fn found(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => format!("the text `{}`", shown(text)),
        Value::Bool(_) | Value::Number(_) => format!("`{value}`"),
    }
}
