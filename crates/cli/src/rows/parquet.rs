//! Reads rows from Apache Parquet.

use std::fs::File;
use std::path::Path;

use ::parquet::file::reader::SerializedFileReader;
use ::parquet::record::Field;
use ::parquet::record::reader::RowIter;

use super::{RowIterator, RowReader, TableCell};
use crate::output::Failure;

pub(super) fn rows<W: RowReader>(file: &Path, wanted: W) -> Result<RowIterator<W::Row>, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::Use(format!("`{}`: {error}", file.display()));
    let opened = File::open(file).map_err(|error| wrong(&error))?;
    let reader = SerializedFileReader::new(opened).map_err(|error| wrong(&error))?;
    let rows = RowIter::from_file_into(Box::new(reader));
    let rows = (1_u64..).zip(rows).map(move |(number, row)| {
        let row = row.map_err(|error| Failure::Use(format!("row {number}: {error}")))?;
        let read = wanted.row(&mut |name| {
            let (_, field) = row.get_column_iter().find(|(column, _)| column.as_str() == name)?;
            cell(field)
        });
        Ok((number, read))
    });
    Ok(Box::new(rows))
}

fn cell(field: &Field) -> Option<TableCell> {
    match field {
        Field::Str(text) => Some(TableCell::Text(text.clone())),
        Field::Bytes(bytes) => String::from_utf8(bytes.data().to_vec()).ok().map(TableCell::Text),
        Field::Bool(truth) => Some(TableCell::Number(f64::from(*truth))),
        Field::Byte(number) => Some(TableCell::Number(f64::from(*number))),
        Field::Short(number) => Some(TableCell::Number(f64::from(*number))),
        Field::Int(number) => Some(TableCell::Number(f64::from(*number))),
        #[allow(clippy::cast_precision_loss, reason = "a judgement or a name, not a count of particles")]
        Field::Long(number) => Some(TableCell::Number(*number as f64)),
        Field::Float(number) => Some(TableCell::Number(f64::from(*number))),
        Field::Double(number) => Some(TableCell::Number(*number)),
        _ => None,
    }
}
