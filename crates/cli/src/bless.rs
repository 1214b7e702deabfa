//! `assize check --bless`: replaces single expected values in a case file; all other text stays unchanged.

use std::ops::Range;

use assize_kernel::{CaseChange, PathKey};
use serde_json::Value;
use toml::de::{DeTable, DeValue};

/// The text of a case file with its expected values replaced.
///
/// # Errors
/// When the text is not TOML, a value is not in the file, or its replacement cannot be written as TOML.
pub(crate) fn blessed(text: &str, changes: &[CaseChange]) -> Result<String, String> {
    let table = DeTable::parse(text).map_err(|error| error.to_string())?;
    let root = DeValue::Table(table.get_ref().clone());
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for CaseChange { at, value } in changes {
        let place = find(&root, at).ok_or_else(|| format!("`{}` is not in the file", written(at)))?;
        let value = as_toml(value).ok_or_else(|| format!("nothing comes out for `{}`", written(at)))?;
        edits.push((place, value));
    }
    // From the end, so that the remaining spans stay valid.
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut text = text.to_owned();
    edits.into_iter().for_each(|(place, value)| text.replace_range(place, &value));
    Ok(text)
}

/// The span of a value in the text; none for tables and arrays.
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
    // The span of a table with its own header covers only that header.
    place.filter(|_| !matches!(value, DeValue::Table(_) | DeValue::Array(_)))
}

/// The value as TOML; none for null, which TOML does not have.
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
