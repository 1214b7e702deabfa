//! Reads rows from JSON Lines.

use std::io::BufRead;

use serde_json::{Map, Value};

use super::{Numbered, RowReader, TableCell};
use crate::judge::unreadable;
use crate::output::Failure;

pub(super) struct JsonLines<W> {
    input: Box<dyn BufRead + Send>,
    wanted: W,
    line: u64,
    text: String,
}

impl<W> JsonLines<W> {
    pub(super) fn new(input: Box<dyn BufRead + Send>, wanted: W) -> Self {
        Self { input, wanted, line: 0, text: String::new() }
    }
}

impl<W: RowReader> Iterator for JsonLines<W> {
    type Item = Result<Numbered<W::Row>, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.text.clear();
            match self.input.read_line(&mut self.text) {
                Ok(0) => return None,
                Ok(_) => self.line += 1,
                Err(error) => return Some(Err(unreadable(error))),
            }
            if !self.text.trim().is_empty() {
                return Some(Ok((self.line, row(&self.wanted, &self.text))));
            }
        }
    }
}

fn row<W: RowReader>(wanted: &W, text: &str) -> Result<W::Row, String> {
    let mut object: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| format!("is no JSON object: {error}"))?;
    wanted.row(&mut |name| match object.get_mut(name)?.take() {
        Value::String(text) => Some(TableCell::Text(text)),
        Value::Number(number) => number.as_f64().map(TableCell::Number),
        Value::Bool(truth) => Some(TableCell::Number(f64::from(truth))),
        _ => None,
    })
}
