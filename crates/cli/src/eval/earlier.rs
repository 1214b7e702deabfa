//! The results of an earlier run, read back: to compare with them, or to go on where they end.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use crate::output::Failure;
use crate::rows::{self, Cell, Form, Table, Wanted};
use crate::scores::{COUNT, NAMES};

/// What a line of results says.
pub(super) struct Earlier {
    pub(super) row: f64,
    pub(super) id: Option<String>,
    /// The scores, or what was wrong with the row.
    pub(super) outcome: Result<[f64; COUNT], String>,
}

#[derive(Clone)]
struct Lines;

/// The results in a file, in their order.
pub(super) fn read(file: &Path, form: Option<Form>) -> Result<Table<Earlier>, Failure> {
    rows::table(file, form.or_else(|| Form::of(file)), Lines)
}

/// Cuts off what was written in part when a run broke off; false when there is nothing to go on from.
pub(super) fn cut(file: &Path, form: Form) -> Result<bool, Failure> {
    if !file.exists() {
        return Ok(false);
    }
    let cut = || -> Result<bool, std::io::Error> {
        let whole = match form {
            Form::Csv => whole_records(file)?,
            Form::Jsonl | Form::Parquet => whole_lines(file)?,
        };
        OpenOptions::new().write(true).open(file)?.set_len(whole)?;
        Ok(whole > 0)
    };
    cut().map_err(|error| Failure::Use(format!("`{}`: {error}", file.display())))
}

/// How many bytes are lines with their ends.
fn whole_lines(file: &Path) -> std::io::Result<u64> {
    let mut input = BufReader::new(File::open(file)?);
    let (mut whole, mut line) = (0, Vec::new());
    while input.read_until(b'\n', &mut line)? > 0 {
        if line.last() == Some(&b'\n') {
            whole += line.len() as u64;
        }
        line.clear();
    }
    Ok(whole)
}

/// The same for CSV, where a line may end within a record.
fn whole_records(file: &Path) -> std::io::Result<u64> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_path(file)?;
    let mut record = csv::ByteRecord::new();
    let (mut whole, mut cells) = (0, None);
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

impl Wanted for Lines {
    type Row = Earlier;

    fn row(&self, cell: &mut dyn FnMut(&str) -> Option<Cell>) -> Result<Earlier, String> {
        let row = number(cell("row"), "row")?;
        let id = cell("id").map(Cell::shown);
        if let Some(problem) = cell("error") {
            return Ok(Earlier { row, id, outcome: Err(problem.shown()) });
        }
        let mut scores = [0.0; COUNT];
        for (score, name) in scores.iter_mut().zip(NAMES) {
            // Parquet has no dots in names.
            let found = cell(name).or_else(|| cell(&name.replace('.', "_")));
            *score = number(found, name)?;
        }
        Ok(Earlier { row, id, outcome: Ok(scores) })
    }
}

fn number(cell: Option<Cell>, name: &str) -> Result<f64, String> {
    match cell {
        Some(Cell::Number(number)) => Ok(number),
        Some(Cell::Text(text)) => text.parse().map_err(|_| format!("`{name}` is no number")),
        None => Err(format!("there is no `{name}`: these are not the scores of an earlier run")),
    }
}
