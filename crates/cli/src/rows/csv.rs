//! Reads rows from CSV with a header.

use std::io::BufRead;

use ::csv::{Reader, StringRecord};

use super::{RowIterator, RowReader, TableCell};
use crate::output::Failure;

pub(super) fn rows<W: RowReader>(
    input: Box<dyn BufRead + Send>,
    wanted: W,
) -> Result<RowIterator<W::Row>, Failure> {
    let mut reader = Reader::from_reader(input);
    let header =
        reader.headers().map_err(|error| Failure::Use(format!("the header cannot be read: {error}")))?;
    let header: Vec<String> = header.iter().map(str::to_owned).collect();
    let rows = (1_u64..).zip(reader.into_records()).map(move |(number, record)| {
        let row = match record {
            Ok(record) => row(&wanted, &header, &record),
            Err(error) => Err(error.to_string()),
        };
        Ok((number, row))
    });
    Ok(Box::new(rows))
}

fn row<W: RowReader>(wanted: &W, header: &[String], record: &StringRecord) -> Result<W::Row, String> {
    wanted.row(&mut |name| {
        let place = header.iter().position(|column| column == name)?;
        let text = record.get(place).filter(|text| !text.is_empty())?;
        Some(TableCell::Text(text.to_owned()))
    })
}
