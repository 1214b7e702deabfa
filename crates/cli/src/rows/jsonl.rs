//! Reads rows from JSON Lines.

use std::io::BufRead;

use serde_json::{Map, Value};

use super::{Numbered, RowReader, TableCell};
use crate::judge::{read_line, text};
use crate::output::Failure;

pub(super) struct JsonLines<W> {
    input: Box<dyn BufRead + Send>,
    wanted: W,
    line: u64,
    bytes: Vec<u8>,
}

impl<W> JsonLines<W> {
    pub(super) fn new(input: Box<dyn BufRead + Send>, wanted: W) -> Self {
        Self { input, wanted, line: 0, bytes: Vec::new() }
    }
}

impl<W: RowReader> Iterator for JsonLines<W> {
    type Item = Result<Numbered<W::Row>, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match read_line(&mut *self.input, &mut self.bytes) {
                Ok(false) => return None,
                Ok(true) => self.line += 1,
                Err(failure) => return Some(Err(failure)),
            }
            match text(&self.bytes) {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => return Some(Ok((self.line, row(&self.wanted, text)))),
                Err(problem) => return Some(Ok((self.line, Err(format!("is {problem}"))))),
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
