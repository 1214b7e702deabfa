//! Reads the results of an earlier run, as a baseline or to resume it.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use crate::output::Failure;
use crate::rows::{self, RowIterator, RowReader, TableCell, TableFormat};
use crate::scores::{COUNT, NAMES};

/// One line of results.
pub(super) struct EarlierResult {
    pub(super) row: f64,
    pub(super) id: Option<String>,
    /// The scores, or the problem of the row.
    pub(super) outcome: Result<[f64; COUNT], String>,
}

#[derive(Clone)]
struct EarlierColumns;

/// The results in a file, in order.
pub(super) fn read(file: &Path, form: Option<TableFormat>) -> Result<RowIterator<EarlierResult>, Failure> {
    rows::table(file, form.or_else(|| TableFormat::of(file)), EarlierColumns)
}

/// Truncates a partially written last line; returns false when there are no results.
pub(super) fn cut(file: &Path, form: TableFormat) -> Result<bool, Failure> {
    if !file.exists() {
        return Ok(false);
    }
    let cut = || -> Result<bool, std::io::Error> {
        let whole = match form {
            TableFormat::Csv => whole_records(file)?,
            TableFormat::Jsonl | TableFormat::Parquet => whole_lines(file)?,
        };
        OpenOptions::new().write(true).open(file)?.set_len(whole)?;
        Ok(whole > 0)
    };
    cut().map_err(|error| Failure::Use(format!("`{}`: {error}", file.display())))
}

/// The length of all complete lines, in bytes.
fn whole_lines(file: &Path) -> std::io::Result<u64> {
    let mut input = BufReader::new(File::open(file)?);
    let mut whole = 0;
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if line.last() == Some(&b'\n') {
            whole += line.len() as u64;
        }
        line.clear();
    }
    Ok(whole)
}

/// The length of all complete CSV records, which may contain line ends.
fn whole_records(file: &Path) -> std::io::Result<u64> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_path(file)?;
    let mut record = csv::ByteRecord::new();
    let mut whole = 0;
    let mut cells = None;
    while reader.read_byte_record(&mut record)? {
        let end = reader.position().byte();
        if *cells.get_or_insert(record.len()) == record.len() && ends_a_line(file, end)? {
            whole = end;
        }
    }
    Ok(whole)
}

fn ends_a_line(file: &Path, end: u64) -> std::io::Result<bool> {
    let mut file = File::open(file)?;
    let mut last = [0];
    file.seek(SeekFrom::Start(end.saturating_sub(1)))?;
    file.read_exact(&mut last)?;
    Ok(last == [b'\n'])
}

impl RowReader for EarlierColumns {
    type Row = EarlierResult;

    fn row(&self, cell: &mut dyn FnMut(&str) -> Option<TableCell>) -> Result<EarlierResult, String> {
        let row = number(cell("row"), "row")?;
        let id = cell("id").map(TableCell::shown);
        if let Some(problem) = cell("error") {
            return Ok(EarlierResult { row, id, outcome: Err(problem.shown()) });
        }
        let mut scores = [0.0; COUNT];
        for (score, name) in scores.iter_mut().zip(NAMES) {
            // Column names in Parquet have underscores instead of dots.
            let found = cell(name).or_else(|| cell(&name.replace('.', "_")));
            *score = number(found, name)?;
        }
        Ok(EarlierResult { row, id, outcome: Ok(scores) })
    }
}

fn number(cell: Option<TableCell>, name: &str) -> Result<f64, String> {
    match cell {
        Some(TableCell::Number(number)) => Ok(number),
        Some(TableCell::Text(text)) => text.parse().map_err(|_| format!("`{name}` is no number")),
        None => Err(format!("there is no `{name}`: these are not the scores of an earlier run")),
    }
}
