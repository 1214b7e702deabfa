//! Compares the actual verdict or refusal with the expected one.

use serde_json::{Map, Value};

use crate::differences::{PathKey, Words, walk};
use crate::{Refusal, to_json};

const WORDS: Words = Words { left: "expected", right: "got" };

/// A value in a case file, and what came out in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseChange {
    /// Where it stands in the file.
    pub at: Vec<PathKey>,
    /// What came out; null when nothing did.
    pub value: Value,
}

/// A difference as people read it, and the change to the file that would end it, if there is one.
pub(super) struct Difference {
    pub(super) line: String,
    pub(super) change: Option<CaseChange>,
}

impl Difference {
    /// One that no change of a value ends.
    pub(super) const fn other(line: String) -> Self {
        Self { line, change: None }
    }

    /// The same of a part of the file, which the line names.
    pub(super) fn within(self, part: &str, name: &str, index: usize) -> Self {
        let inner = self.below(name, index);
        Self { line: format!("{part}: {}", inner.line), ..inner }
    }

    /// The same of an item of a list in the file.
    pub(super) fn below(self, name: &str, index: usize) -> Self {
        let change = self.change.map(|change| {
            let outer = [PathKey::Name(name.to_owned()), PathKey::Index(index)];
            CaseChange { at: outer.into_iter().chain(change.at).collect(), ..change }
        });
        Self { change, ..self }
    }
}

/// The differences between a verdict and the whole of what was expected of it.
pub(super) fn compare_verdict(
    expected: &Value,
    assessor: Option<&Value>,
    verdict: &str,
) -> Result<Vec<Difference>, String> {
    let mut actual: Map<String, Value> =
        serde_json::from_str(verdict).map_err(|error| format!("the verdict is not readable: {error}"))?;
    // The header of the case file already names the court, the rulebook and, where it matters, the assessor.
    actual.remove("court");
    actual.remove("rulebook");
    let assessed = actual.remove("assessor").unwrap_or(Value::Null);
    let mut differences = Vec::new();
    if let Some(assessor) = assessor {
        let mut lines = Vec::new();
        WORDS.compare("assessor", assessor, &assessed, &mut lines);
        differences.extend(lines.into_iter().map(Difference::other));
    }
    compare("", &["verdict"], expected, &Value::Object(actual), &mut differences);
    Ok(differences)
}

/// The differences between a refusal and the whole of what was expected of it.
pub(super) fn compare_refusal(expected: &Value, refusal: &Refusal) -> Vec<Difference> {
    let actual = serde_json::from_str(&to_json(refusal)).unwrap_or(Value::Null);
    let mut differences = Vec::new();
    compare("", &["refusal"], expected, &actual, &mut differences);
    differences
}

/// Adds a line for every place where something else came out; `within` is where the expected value stands.
pub(super) fn compare(
    path: &str,
    within: &[&str],
    expected: &Value,
    actual: &Value,
    differences: &mut Vec<Difference>,
) {
    walk(&mut Vec::new(), expected, actual, &mut |at, expected, actual| {
        let outer = within.iter().map(|name| PathKey::Name((*name).to_owned()));
        let change = CaseChange { at: outer.chain(at.iter().cloned()).collect(), value: actual.clone() };
        differences.push(Difference { line: WORDS.line(path, at, expected, actual), change: Some(change) });
    });
}
