//! `assize check --bless`: what came out is written into a case file, value by value; the rest stays as it is.

use std::ops::Range;

use assize_kernel::{CaseChange, PathKey};
use serde_json::Value;
use toml::de::{DeTable, DeValue};

/// The text of a case file with these values in the place of what was expected.
///
/// # Errors
/// Why that cannot be: what came out has more or fewer parts than what was expected.
pub(crate) fn blessed(text: &str, changes: &[CaseChange]) -> Result<String, String> {
    let table = DeTable::parse(text).map_err(|error| error.to_string())?;
    let root = DeValue::Table(table.get_ref().clone());
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for CaseChange { at, value } in changes {
        let place = find(&root, at).ok_or_else(|| format!("`{}` is not in the file", written(at)))?;
        let value = as_toml(value).ok_or_else(|| format!("nothing comes out for `{}`", written(at)))?;
        edits.push((place, value));
    }
    // From the end, so that the places before stay where they are.
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut text = text.to_owned();
    edits.into_iter().for_each(|(place, value)| text.replace_range(place, &value));
    Ok(text)
}

/// Where a value stands in the text.
fn find(root: &DeValue<'_>, at: &[PathKey]) -> Option<Range<usize>> {
    let mut value = root;
    let mut place = None;
    for key in at {
        let inner = match (key, value) {
            (PathKey::Name(name), DeValue::Table(table)) => table.get(name.as_str())?,
            (PathKey::Index(index), DeValue::Array(items)) => items.get(*index)?,
            _ => return None,
        };
        place = Some(inner.span());
        value = inner.get_ref();
    }
    // The span of a table with a header of its own is its header: no value to replace.
    place.filter(|_| !matches!(value, DeValue::Table(_) | DeValue::Array(_)))
}

/// None for what TOML has no word for.
fn as_toml(value: &Value) -> Option<String> {
    toml::Value::try_from(value).ok().filter(|_| !value.is_null()).map(|value| value.to_string())
}

fn written(at: &[PathKey]) -> String {
    let keys = at.iter().map(|key| match key {
        PathKey::Name(name) => name.clone(),
        PathKey::Index(index) => format!("[{index}]"),
    });
    keys.collect::<Vec<_>>().join(".").replace(".[", "[")
}
