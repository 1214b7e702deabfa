//! Comparing what came out with what must come out, path by path.

use serde_json::{Map, Value};

use crate::{Refusal, to_json};

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

/// Adds a line for every place where the two differ; numbers are equal by value, and what is empty may be left out.
pub(super) fn compare(path: &str, expected: &Value, actual: &Value, differences: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(left), Value::Object(right)) => {
            for (name, expected) in left {
                compare(&inner(path, name), expected, right.get(name).unwrap_or(&Value::Null), differences);
            }
            for (name, actual) in right.iter().filter(|(name, _)| !left.contains_key(*name)) {
                compare(&inner(path, name), &Value::Null, actual, differences);
            }
        }
        (Value::Array(left), Value::Array(right)) => {
            for index in 0..left.len().max(right.len()) {
                let at = |items: &[Value]| items.get(index).cloned().unwrap_or(Value::Null);
                compare(&format!("{path}[{index}]"), &at(left), &at(right), differences);
            }
        }
        _ if same(expected, actual) => {}
        _ => {
            let path = if path.is_empty() { String::new() } else { format!("{path}: ") };
            differences.push(format!("{path}expected {}, got {}", shown(expected), shown(actual)));
        }
    }
}

fn same(expected: &Value, actual: &Value) -> bool {
    match (expected.as_f64(), actual.as_f64()) {
        #[allow(clippy::float_cmp, reason = "verdicts are the same to the last bit or they are not the same")]
        (Some(expected), Some(actual)) => expected == actual,
        _ => expected == actual || (is_empty(expected) && is_empty(actual)),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

fn shown(value: &Value) -> String {
    match value.as_f64() {
        Some(number) => number.to_string(),
        None if value.is_null() => "nothing".to_owned(),
        None => value.to_string(),
    }
}

fn inner(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(expected: &Value, actual: &Value, differences: &[&str]) {
        let mut found = Vec::new();
        compare("", expected, actual, &mut found);
        assert_eq!(found, differences);
    }

    #[test]
    fn every_difference_is_named_by_its_path() {
        check(
            &json!({"points": 85, "reasons": [{"code": "a"}], "detail": {"k": 1}}),
            &json!({"points": 75.0, "reasons": [{"code": "b"}, {"code": "c"}], "detail": {}}),
            &[
                "points: expected 85, got 75",
                r#"reasons[0].code: expected "a", got "b""#,
                r#"reasons[1]: expected nothing, got {"code":"c"}"#,
                "detail.k: expected 1, got nothing",
            ],
        );
    }

    #[test]
    fn numbers_are_equal_by_value_and_what_is_empty_may_be_left_out() {
        check(&json!({"points": 85}), &json!({"points": 85.0, "evidence": [], "facts": {}}), &[]);
        check(&json!({"points": 0}), &json!({}), &["points: expected 0, got nothing"]);
    }
}
