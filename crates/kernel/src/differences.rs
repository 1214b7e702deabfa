//! Compares two JSON values path by path; each difference is a readable line.

use serde_json::Value;

/// One step of a path into a JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathKey {
    /// A field.
    Name(String),
    /// A place in a list.
    Index(usize),
}

/// What the two sides are called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words {
    pub(crate) left: &'static str,
    pub(crate) right: &'static str,
}

impl Words {
    /// Adds a line for each difference. Numbers are compared by value, and empty values equal missing ones.
    pub(crate) fn compare(self, path: &str, left: &Value, right: &Value, differences: &mut Vec<String>) {
        walk(&mut Vec::new(), left, right, &mut |at, left, right| {
            differences.push(self.line(path, at, left, right));
        });
    }

    /// The line about one difference, below a path that is written already.
    pub(crate) fn line(self, path: &str, at: &[PathKey], left: &Value, right: &Value) -> String {
        let path = at.iter().fold(path.to_owned(), |path, key| match key {
            PathKey::Name(name) if path.is_empty() => name.clone(),
            PathKey::Name(name) => format!("{path}.{name}"),
            PathKey::Index(index) => format!("{path}[{index}]"),
        });
        let path = if path.is_empty() { path } else { format!("{path}: ") };
        format!("{path}{} {}, {} {}", self.left, shown(left), self.right, shown(right))
    }
}

/// Visits every place where two values differ; see [`Words::compare`].
pub(crate) fn walk(
    at: &mut Vec<PathKey>,
    left: &Value,
    right: &Value,
    found: &mut dyn FnMut(&[PathKey], &Value, &Value),
) {
    let mut below = |key: PathKey, left: &Value, right: &Value| {
        at.push(key);
        walk(at, left, right, found);
        at.pop();
    };
    match (left, right) {
        (Value::Object(these), Value::Object(those)) => {
            for (name, left) in these {
                below(PathKey::Name(name.clone()), left, those.get(name).unwrap_or(&Value::Null));
            }
            for (name, right) in those.iter().filter(|(name, _)| !these.contains_key(*name)) {
                below(PathKey::Name(name.clone()), &Value::Null, right);
            }
        }
        (Value::Array(these), Value::Array(those)) => {
            for index in 0..these.len().max(those.len()) {
                let item = |items: &[Value]| items.get(index).cloned().unwrap_or(Value::Null);
                below(PathKey::Index(index), &item(these), &item(those));
            }
        }
        _ if same(left, right) => {}
        _ => found(at, left, right),
    }
}

/// Adds the differences between a recorded text and a new one; `what` names the text as a whole.
pub(crate) fn from_the_record(
    what: &str,
    recorded: Option<&str>,
    today: Option<&str>,
    differences: &mut Vec<String>,
) {
    if recorded == today {
        return;
    }
    let read = |text: Option<&str>| text.map_or(Ok(Value::Null), serde_json::from_str);
    let (Ok(recorded), Ok(today)) = (read(recorded), read(today)) else {
        differences.push(format!("{what} is recorded as something that is no JSON"));
        return;
    };
    let before = differences.len();
    Words { left: "recorded", right: "today" }.compare("", &recorded, &today, differences);
    if differences.len() == before {
        differences.push(format!("{what} says the same in other bytes"));
    }
}

fn same(left: &Value, right: &Value) -> bool {
    match (left.as_f64(), right.as_f64()) {
        #[allow(clippy::float_cmp, reason = "verdicts are the same to the last bit or they are not the same")]
        (Some(left), Some(right)) => left == right,
        _ => left == right || (is_empty(left) && is_empty(right)),
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(expected: &Value, actual: &Value, differences: &[&str]) {
        let mut found = Vec::new();
        Words { left: "expected", right: "got" }.compare("", expected, actual, &mut found);
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

    #[test]
    fn a_record_differs_from_today_by_path_or_at_least_in_its_bytes() {
        let differ = |recorded, today| {
            let mut found = Vec::new();
            from_the_record("the verdict", Some(recorded), today, &mut found);
            found
        };
        assert_eq!(differ(r#"{"points":95}"#, Some(r#"{"points":90}"#)), ["points: recorded 95, today 90"]);
        assert_eq!(differ("[1]", None), ["recorded [1], today nothing"]);
        assert_eq!(differ("[1]", Some("[1.0]")), ["the verdict says the same in other bytes"]);
        assert_eq!(differ("[1", Some("[1]")), ["the verdict is recorded as something that is no JSON"]);
        assert_eq!(differ("[1]", Some("[1]")), Vec::<String>::new());
    }
}
