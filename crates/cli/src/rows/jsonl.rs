//! Rows from JSON lines.

use std::io::BufRead;

use serde_json::{Map, Value};

use super::{Cell, Columns, Read};
use crate::judge::unreadable;
use crate::output::Failure;

pub(super) struct Lines {
    input: Box<dyn BufRead + Send>,
    columns: Columns,
    line: u64,
    text: String,
}

impl Lines {
    pub(super) fn new(input: Box<dyn BufRead + Send>, columns: Columns) -> Self {
        Self { input, columns, line: 0, text: String::new() }
    }
}

impl Iterator for Lines {
    type Item = Result<Read, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.text.clear();
            match self.input.read_line(&mut self.text) {
                Ok(0) => return None,
                Ok(_) => self.line += 1,
                Err(error) => return Some(Err(unreadable(error))),
            }
            if !self.text.trim().is_empty() {
                return Some(Ok((self.line, row(&self.columns, &self.text))));
            }
        }
    }
}

fn row(columns: &Columns, text: &str) -> Result<super::Row, String> {
    let mut object: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| format!("is no JSON object: {error}"))?;
    columns.row(|name| match object.get_mut(name)?.take() {
        Value::String(text) => Some(Cell::Text(text)),
        Value::Number(number) => number.as_f64().map(Cell::Number),
        Value::Bool(truth) => Some(Cell::Number(f64::from(truth))),
        _ => None,
    })
}
