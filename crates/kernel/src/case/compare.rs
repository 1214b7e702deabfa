//! Comparing what came out with what must come out.

use serde_json::{Map, Value};

use crate::differences::Words;
use crate::{Refusal, to_json};

const WORDS: Words = Words { left: "expected", right: "got" };

/// The differences between a verdict and the whole of what was expected of it.
pub(super) fn compare_verdict(
    expected: &Value,
    assessor: Option<&Value>,
    verdict: &str,
) -> Result<Vec<String>, String> {
    let mut actual: Map<String, Value> =
        serde_json::from_str(verdict).map_err(|error| format!("the verdict is not readable: {error}"))?;
    // The case's head names these: the court, the rulebook and, where it matters, the assessor.
    actual.remove("court");
    actual.remove("rulebook");
    let assessed = actual.remove("assessor").unwrap_or(Value::Null);
    let mut differences = Vec::new();
    if let Some(assessor) = assessor {
        compare("assessor", assessor, &assessed, &mut differences);
    }
    compare("", expected, &Value::Object(actual), &mut differences);
    Ok(differences)
}

/// The differences between a refusal and the whole of what was expected of it.
pub(super) fn compare_refusal(expected: &Value, refusal: &Refusal) -> Vec<String> {
    let actual = serde_json::from_str(&to_json(refusal)).unwrap_or(Value::Null);
    let mut differences = Vec::new();
    compare("", expected, &actual, &mut differences);
    differences
}

/// Adds a line for every place where something else came out.
pub(super) fn compare(path: &str, expected: &Value, actual: &Value, differences: &mut Vec<String>) {
    WORDS.compare(path, expected, actual, differences);
}
