//! Reading JSON by hand, so that whatever is wrong is named by its path and by what was expected.

use serde_json::{Map, Value};

use super::answer::shown;

/// A value and where it stands, which is put into words only when something is wrong there.
pub(super) struct Field<'a> {
    pub(super) value: &'a Value,
    step: Step<'a>,
}

/// The last step of the way to a value.
enum Step<'a> {
    Root,
    Name(&'a Field<'a>, &'a str),
    Item(&'a Field<'a>, usize),
}

/// A value that is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct NotAField {
    /// Where it stands.
    pub path: String,
    /// Lower case, no full stop.
    pub problem: String,
}

impl<'a> Field<'a> {
    pub(super) const fn root(value: &'a Value) -> Self {
        Self { value, step: Step::Root }
    }

    /// What is wrong, when something else was expected here.
    pub(super) fn expected(&self, expected: &str) -> NotAField {
        self.wrong(format!("expected {expected}, found {}", found(self.value)))
    }

    pub(super) fn wrong(&self, problem: String) -> NotAField {
        let path = self.path();
        NotAField { path: if path.is_empty() { "document".to_owned() } else { path }, problem }
    }

    /// `answerSets[0].answers`; empty for the whole document.
    fn path(&self) -> String {
        match self.step {
            Step::Root => String::new(),
            Step::Name(Field { step: Step::Root, .. }, name) => name.to_owned(),
            Step::Name(within, name) => format!("{}.{name}", within.path()),
            Step::Item(list, index) => format!("{}[{index}]", list.path()),
        }
    }

    pub(super) fn object(&self) -> Result<&'a Map<String, Value>, NotAField> {
        self.value.as_object().ok_or_else(|| self.expected("an object"))
    }

    /// The same, when it has no other fields than these.
    pub(super) fn object_of(&self, known: &[&str]) -> Result<(), NotAField> {
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
    pub(super) fn optional<'b>(&'b self, name: &'b str) -> Option<Field<'b>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(self.inner(name, value))
    }

    /// A field that must be there; what it is, the next step says.
    pub(super) fn required<'b>(&'b self, name: &'b str) -> Field<'b> {
        self.inner(name, self.value.get(name).unwrap_or(&Value::Null))
    }

    pub(super) fn items(&self) -> Result<Vec<Field<'_>>, NotAField> {
        let items = self.value.as_array().ok_or_else(|| self.expected("a list"))?;
        let item = |(index, value)| Field { value, step: Step::Item(self, index) };
        Ok(items.iter().enumerate().map(item).collect())
    }

    pub(super) fn text(&self) -> Result<&'a str, NotAField> {
        self.value.as_str().ok_or_else(|| self.expected("a text"))
    }

    /// A number in this range.
    pub(super) fn number(&self, least: f64, most: f64) -> Result<f64, NotAField> {
        let number = self.value.as_f64().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| self.expected(&format!("a number from {least} to {most}")))
    }

    /// A whole number up to this.
    pub(super) fn count(&self, most: u32) -> Result<u32, NotAField> {
        let number = self.value.as_u64().and_then(|number| u32::try_from(number).ok());
        let number = number.filter(|number| *number <= most);
        number.ok_or_else(|| self.expected(&format!("a whole number from 0 to {most}")))
    }

    fn inner<'b>(&'b self, name: &'b str, value: &'b Value) -> Field<'b> {
        Field { value, step: Step::Name(self, name) }
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
