//! The line of each key in a TOML text, for error messages.

use std::ops::Range;

use toml::de::{DeTable, DeValue, Error};

use super::{Fault, Mistake};

/// The keys of a text with their byte ranges, in order.
pub(super) struct Located {
    line_starts: Vec<usize>,
    /// The dotted key, and the range from the key to the end of its value.
    keys: Vec<(String, Range<usize>)>,
}

impl Located {
    pub(super) fn parse(text: &str) -> Result<Self, Mistake> {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut located = Self { line_starts, keys: Vec::new() };
        match DeTable::parse(text) {
            Ok(table) => located.walk("", table.get_ref()),
            Err(error) => return Err(located.mistake(&error)),
        }
        Ok(located)
    }

    /// A mistake for an error of the TOML parser, with the innermost key around it.
    pub(super) fn mistake(&self, error: &Error) -> Mistake {
        let at = error.span().map_or(0, |span| span.start);
        let inner = self.keys.iter().filter(|(_, range)| range.contains(&at));
        let key = inner.max_by_key(|(_, range)| range.start).map_or("", |(key, _)| key);
        let problem = error.message().trim_end_matches('.').replace('\n', ", ");
        Mistake { line: self.line(at), key: key.to_owned(), problem }
    }

    /// A mistake for an invalid value, with the line of its key.
    pub(super) fn fault(&self, fault: Fault) -> Mistake {
        let line = self.line_of(&fault.key);
        Mistake { line, key: fault.key.into_owned(), problem: fault.problem }
    }

    /// The line of a key, or of the nearest table around it when the key is missing.
    fn line_of(&self, key: &str) -> usize {
        let mut key = key;
        loop {
            if let Some((_, range)) = self.keys.iter().find(|(known, _)| known == key) {
                return self.line(range.start);
            }
            match key.rsplit_once('.') {
                Some((outer, _)) => key = outer,
                None => return 1,
            }
        }
    }

    fn line(&self, at: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= at)
    }

    fn walk(&mut self, prefix: &str, table: &DeTable<'_>) {
        for (name, value) in table {
            let key = if prefix.is_empty() {
                name.get_ref().to_string()
            } else {
                format!("{prefix}.{}", name.get_ref())
            };
            // The span of a table begins at its bracket, before its name.
            let start = name.span().start.min(value.span().start);
            self.keys.push((key.clone(), start..value.span().end));
            self.walk_value(&key, value.get_ref());
        }
    }

    fn walk_value(&mut self, key: &str, value: &DeValue<'_>) {
        match value {
            DeValue::Table(table) => self.walk(key, table),
            DeValue::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let key = format!("{key}.{index}");
                    self.keys.push((key.clone(), item.span()));
                    self.walk_value(&key, item.get_ref());
                }
            }
            _ => {}
        }
    }
}
