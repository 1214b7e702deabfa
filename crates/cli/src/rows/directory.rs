//! Reads rows from every table in a directory, in order of file name.

use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

use super::{RowIterator, RowReader, TableFormat, table};
use crate::output::Failure;

/// All rows of all files, numbered consecutively from 1; files are opened lazily.
pub(super) fn rows<W: RowReader>(
    directory: &Path,
    form: Option<TableFormat>,
    wanted: W,
) -> Result<RowIterator<W::Row>, Failure> {
    let files = files(directory, form).map_err(|error| unusable(directory, &error))?;
    if files.is_empty() {
        return Err(unusable(directory, &"there is no JSON lines, CSV or Parquet file in it"));
    }
    let tables =
        files.into_iter().flat_map(move |file| match table(&file, TableFormat::of(&file), wanted.clone()) {
            Ok(rows) => within(file, rows),
            Err(failure) => Box::new(iter::once(Err(failure))),
        });
    let rows = (1_u64..).zip(tables).map(|(number, row)| row.map(|(_, row)| (number, row)));
    Ok(Box::new(rows))
}

/// The tables in a directory with this format, or with any.
fn files(directory: &Path, form: Option<TableFormat>) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let file = entry?.path();
        let found = TableFormat::of(&file);
        if file.is_file() && found.is_some() && (form.is_none() || form == found) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Adds the name of the file to the problems of rows.
fn within<T: Send + 'static>(file: PathBuf, rows: RowIterator<T>) -> RowIterator<T> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Box::new(rows.map(move |row| {
        let (number, row) = row?;
        Ok((number, row.map_err(|problem| format!("row {number} of `{name}`: {problem}"))))
    }))
}

fn unusable(directory: &Path, problem: &dyn std::fmt::Display) -> Failure {
    Failure::Use(format!("`{}`: {problem}", directory.display()))
}
