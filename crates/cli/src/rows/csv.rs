//! Rows from comma-separated values with a header.

use std::io::BufRead;

use ::csv::{Reader, StringRecord};

use super::{Cell, Columns, Rows};
use crate::output::Failure;

pub(super) fn rows(input: Box<dyn BufRead + Send>, columns: Columns) -> Result<Rows, Failure> {
    let mut reader = Reader::from_reader(input);
    let header =
        reader.headers().map_err(|error| Failure::Use(format!("the header cannot be read: {error}")))?;
    let header: Vec<String> = header.iter().map(str::to_owned).collect();
    let rows = (1_u64..).zip(reader.into_records()).map(move |(number, record)| {
        let row = match record {
            Ok(record) => row(&columns, &header, &record),
            Err(error) => Err(error.to_string()),
        };
        Ok((number, row))
    });
    Ok(Box::new(rows))
}

fn row(columns: &Columns, header: &[String], record: &StringRecord) -> Result<super::Row, String> {
    columns.row(|name| {
        let place = header.iter().position(|column| column == name)?;
        let text = record.get(place).filter(|text| !text.is_empty())?;
        Some(Cell::Text(text.to_owned()))
    })
}
