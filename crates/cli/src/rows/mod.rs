//! Reads rows of articles and summaries, one at a time, from JSON Lines, CSV or Parquet.

mod csv;
mod directory;
mod jsonl;
mod parquet;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::judge;
use crate::output::Failure;

/// Where rows come from, and which columns hold what.
#[derive(Args, Clone)]
pub(crate) struct RowInput {
    /// A file of JSON lines, CSV or Parquet, or a directory of such; `-` for standard input
    pub(crate) file: PathBuf,
    /// The form of the file; by its ending otherwise, and JSON lines on standard input
    #[arg(long, value_name = "FORM")]
    pub(crate) input_format: Option<TableFormat>,
    /// The column with the article
    #[arg(long, value_name = "COLUMN", default_value = "article")]
    pub(crate) article: String,
    /// The column with the summary
    #[arg(long, value_name = "COLUMN", default_value = "summary")]
    pub(crate) summary: String,
    /// The column with a name for the row, if there is one
    #[arg(long, value_name = "COLUMN", default_value = "id")]
    pub(crate) id: String,
    /// The column that names the model that wrote the summary, if there is one
    #[arg(long, value_name = "COLUMN", default_value = "model")]
    pub(crate) model: String,
}

/// The forms that tables come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values with a header.
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// An article with its summary.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SummaryRow {
    pub(crate) article: String,
    pub(crate) summary: String,
    pub(crate) id: Option<String>,
    pub(crate) model: Option<String>,
    /// The human judgement, if its column was asked for.
    pub(crate) human: Option<f64>,
}

/// A row, or its problem, with its number.
pub(crate) type Numbered<T> = (u64, Result<T, String>);
pub(crate) type RowIterator<T> = Box<dyn Iterator<Item = Result<Numbered<T>, Failure>> + Send>;
pub(crate) type NumberedRow = Numbered<SummaryRow>;
pub(crate) type SummaryRows = RowIterator<SummaryRow>;

/// Converts the rows of a table.
pub(crate) trait RowReader: Clone + Send + 'static {
    /// The result.
    type Row: Send + 'static;

    /// Builds a row from its cells by column name.
    fn row(&self, cell: &mut dyn FnMut(&str) -> Option<TableCell>) -> Result<Self::Row, String>;
}

/// The names of the columns.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    article: String,
    summary: String,
    id: String,
    model: String,
    human: Option<String>,
}

/// All rows of a file or of every file in a directory, numbered from 1.
pub(crate) fn open(input: &RowInput, human: Option<&str>) -> Result<SummaryRows, Failure> {
    let columns = Columns {
        article: input.article.clone(),
        summary: input.summary.clone(),
        id: input.id.clone(),
        model: input.model.clone(),
        human: human.map(str::to_owned),
    };
    if input.file.is_dir() {
        return directory::rows(&input.file, input.input_format, columns);
    }
    table(&input.file, input.input_format.or_else(|| TableFormat::of(&input.file)), columns)
}

/// All rows of a file; JSON Lines when its format is unknown.
pub(crate) fn table<W: RowReader>(
    file: &Path,
    form: Option<TableFormat>,
    wanted: W,
) -> Result<RowIterator<W::Row>, Failure> {
    match form.unwrap_or(TableFormat::Jsonl) {
        TableFormat::Jsonl => Ok(Box::new(jsonl::JsonLines::new(judge::open_for_threads(file)?, wanted))),
        TableFormat::Csv => csv::rows(judge::open_for_threads(file)?, wanted),
        TableFormat::Parquet => parquet::rows(file, wanted),
    }
}

impl TableFormat {
    /// The format by the extension of a file.
    pub(crate) fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()? {
            "jsonl" | "ndjson" | "json" => Some(Self::Jsonl),
            "csv" => Some(Self::Csv),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

impl RowReader for Columns {
    type Row = SummaryRow;

    fn row(&self, get: &mut dyn FnMut(&str) -> Option<TableCell>) -> Result<SummaryRow, String> {
        let mut text = |name: &str| match get(name) {
            Some(TableCell::Text(text)) => Ok(text),
            Some(TableCell::Number(_)) => Err(format!("column `{name}` is not a text")),
            None => Err(format!("there is no column `{name}`, or it is empty")),
        };
        let article = text(&self.article)?;
        let summary = text(&self.summary)?;
        let human = self.human.as_ref().map(|name| match get(name) {
            Some(TableCell::Number(number)) => Ok(number),
            Some(TableCell::Text(text)) => {
                text.trim().parse().map_err(|_| format!("column `{name}` is no number"))
            }
            None => Err(format!("there is no column `{name}`, or it is empty")),
        });
        let id = get(&self.id).map(TableCell::shown);
        let model = get(&self.model).map(TableCell::shown);
        Ok(SummaryRow { article, summary, id, model, human: human.transpose()? })
    }
}

/// The value of a cell.
pub(crate) enum TableCell {
    Text(String),
    Number(f64),
}

impl TableCell {
    pub(crate) fn shown(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}
