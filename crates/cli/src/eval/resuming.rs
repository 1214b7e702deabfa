//! Resuming an interrupted run: rows with results are not judged again.

use std::path::Path;

use assize_courts::summary::{SummaryRules, TextPair, assess};
use assize_kernel::Rulebook;

use super::earlier::{self, EarlierResult};
use super::tally::EvalTally;
use crate::output::Failure;
use crate::rows::{NumberedRow, SummaryRow, SummaryRows, TableFormat};

/// Moves the rows that already have results from `rows` to the tally; returns false when there are none.
pub(super) fn take_earlier(
    file: &Path,
    form: TableFormat,
    rows: &mut SummaryRows,
    book: &Rulebook<SummaryRules>,
    tally: &mut EvalTally,
) -> Result<bool, Failure> {
    let wrong = |problem: String| Failure::Use(format!("`{}`: {problem}", file.display()));
    if form == TableFormat::Parquet {
        return Err(wrong("a Parquet file cannot be gone on with; write JSON lines or CSV".to_owned()));
    }
    if !earlier::cut(file, form)? {
        return Ok(false);
    }
    for line in earlier::read(file, Some(form))? {
        let (number, line) = line?;
        let line = line.map_err(|problem| wrong(format!("line {number}: {problem}")))?;
        let row = rows.next().transpose()?;
        let row = row.ok_or_else(|| wrong(format!("line {number} is of a row that is not there")))?;
        take(line, row, book, tally).map_err(|problem| wrong(format!("line {number} {problem}")))?;
    }
    Ok(true)
}

/// Adds a row with its earlier result.
fn take(
    line: EarlierResult,
    (number, row): NumberedRow,
    book: &Rulebook<SummaryRules>,
    tally: &mut EvalTally,
) -> Result<(), String> {
    let known = row.as_ref().ok().and_then(|row| row.id.clone());
    #[allow(clippy::cast_precision_loss, clippy::float_cmp, reason = "numbers of rows are whole")]
    let same = line.row == number as f64 && (line.outcome.is_err() || line.id == known);
    match (line.outcome, row) {
        _ if !same => Err(format!("is not of row {number}: these are the results of something else")),
        (Ok(scores), Ok(row)) => {
            tally.add(number, row, &scores, |row| claims(book, row));
            Ok(())
        }
        (Err(problem), _) | (Ok(_), Err(problem)) => {
            tally.add_bad(number, problem);
            Ok(())
        }
    }
}

/// The claims of a row, read again for the report: the results do not contain them.
fn claims(book: &Rulebook<SummaryRules>, row: &SummaryRow) -> Vec<assize_courts::summary::Claim> {
    let texts = TextPair { article: &row.article, summary: &row.summary };
    assess(book, texts).map(|verdict| verdict.detail.findings.claims).unwrap_or_default()
}
