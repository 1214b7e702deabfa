//! Compares single values of a long verdict, each selected by its path.

use std::collections::BTreeMap;

use serde_json::Value;

use super::compare::{Difference, compare};

/// The differences between the expected values and those of a verdict.
pub(super) fn compare_values(
    expected: &BTreeMap<String, Value>,
    verdict: &str,
) -> Result<Vec<Difference>, String> {
    let verdict: Value =
        serde_json::from_str(verdict).map_err(|error| format!("the verdict is not readable: {error}"))?;
    let mut differences = Vec::new();
    for (path, value) in expected {
        let actual = find(&verdict, path).unwrap_or(&Value::Null);
        compare(path, &["values", path], value, actual, &mut differences);
    }
    Ok(differences)
}

/// The value at a path such as `detail.total`, `reasons[0].code` or `derivation[coverage.f1].value`. Brackets
/// hold an index, or the term or code of an item; the last such item is selected.
fn find<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    let mut at = value;
    let mut rest = path;
    while !rest.is_empty() {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if let Some(inner) = rest.strip_prefix('[') {
            let (item, after) = inner.split_once(']')?;
            at = pick(at, item)?;
            rest = after;
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            at = at.get(name)?;
            rest = after;
        }
    }
    Some(at)
}

fn pick<'a>(list: &'a Value, item: &str) -> Option<&'a Value> {
    let items = list.as_array()?;
    if let Ok(place) = item.parse::<usize>() {
        return items.get(place);
    }
    let named =
        |value: &&Value| ["term", "code"].iter().any(|key| value.get(key).is_some_and(|name| name == item));
    items.iter().rev().find(named)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::find;

    #[test]
    fn a_value_is_found_by_name_place_and_term() {
        let verdict =
            json!({"points": 3, "derivation": [{"term": "a.b", "value": 1}, {"term": "a.b", "value": 2}]});
        let at = |path: &str| find(&verdict, path).cloned();
        assert_eq!(at("points"), Some(json!(3)));
        assert_eq!(at("derivation[0].value"), Some(json!(1)));
        assert_eq!(at("derivation[a.b].value"), Some(json!(2)));
        assert_eq!(at("derivation[c]"), None);
    }
}
