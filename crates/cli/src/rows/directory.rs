//! Rows from every table in a directory, by the names of the files.

use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

use super::{Form, Table, Wanted, table};
use crate::output::Failure;

/// All rows of all of them, numbered from 1 to the end; a file is opened when its turn comes.
pub(super) fn rows<W: Wanted>(
    directory: &Path,
    form: Option<Form>,
    wanted: W,
) -> Result<Table<W::Row>, Failure> {
    let files = files(directory, form).map_err(|error| unusable(directory, &error))?;
    if files.is_empty() {
        return Err(unusable(directory, &"there is no JSON lines, CSV or Parquet file in it"));
    }
    let tables =
        files.into_iter().flat_map(move |file| match table(&file, Form::of(&file), wanted.clone()) {
            Ok(rows) => within(file, rows),
            Err(failure) => Box::new(iter::once(Err(failure))),
        });
    let rows = (1_u64..).zip(tables).map(|(number, row)| row.map(|(_, row)| (number, row)));
    Ok(Box::new(rows))
}

/// The tables in a directory that have this form, or any.
fn files(directory: &Path, form: Option<Form>) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let file = entry?.path();
        let found = Form::of(&file);
        if file.is_file() && found.is_some() && (form.is_none() || form == found) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// What is wrong with a row says in which file it stands.
fn within<T: Send + 'static>(file: PathBuf, rows: Table<T>) -> Table<T> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Box::new(rows.map(move |row| {
        let (number, row) = row?;
        Ok((number, row.map_err(|problem| format!("row {number} of `{name}`: {problem}"))))
    }))
}

fn unusable(directory: &Path, problem: &dyn std::fmt::Display) -> Failure {
    Failure::Use(format!("`{}`: {problem}", directory.display()))
}
