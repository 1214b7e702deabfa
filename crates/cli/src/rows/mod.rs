//! Rows of articles and summaries from a file: JSON lines, CSV or Parquet, one at a time.

mod csv;
mod jsonl;
mod parquet;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::judge;
use crate::output::Failure;

/// Where rows come from, and which columns hold what.
#[derive(Args, Clone)]
pub(crate) struct Input {
    /// A file of JSON lines, CSV or Parquet; `-` for standard input
    pub(crate) file: PathBuf,
    /// The form of the file; by its ending otherwise, and JSON lines on standard input
    #[arg(long, value_name = "FORM")]
    pub(crate) input_format: Option<Form>,
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
pub(crate) enum Form {
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values with a header.
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// One row.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Row {
    pub(crate) article: String,
    pub(crate) summary: String,
    pub(crate) id: Option<String>,
    pub(crate) model: Option<String>,
    /// What people said of it, where that was asked for.
    pub(crate) human: Option<f64>,
}

/// A row with its number, or what is wrong with it.
pub(crate) type Read = (u64, Result<Row, String>);
pub(crate) type Rows = Box<dyn Iterator<Item = Result<Read, Failure>> + Send>;

/// The columns that are wanted.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    article: String,
    summary: String,
    id: String,
    model: String,
    human: Option<String>,
}

/// All rows of a file, numbered from 1.
pub(crate) fn open(input: &Input, human: Option<&str>) -> Result<Rows, Failure> {
    let columns = Columns {
        article: input.article.clone(),
        summary: input.summary.clone(),
        id: input.id.clone(),
        model: input.model.clone(),
        human: human.map(str::to_owned),
    };
    match input.input_format.or_else(|| Form::of(&input.file)).unwrap_or(Form::Jsonl) {
        Form::Jsonl => Ok(Box::new(jsonl::Lines::new(judge::open_for_threads(&input.file)?, columns))),
        Form::Csv => csv::rows(judge::open_for_threads(&input.file)?, columns),
        Form::Parquet => parquet::rows(&input.file, columns),
    }
}

impl Form {
    /// By the ending of a file's name.
    pub(crate) fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()? {
            "jsonl" | "ndjson" | "json" => Some(Self::Jsonl),
            "csv" => Some(Self::Csv),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

impl Columns {
    /// A row, made from what a table has under each name.
    fn row(&self, mut get: impl FnMut(&str) -> Option<Cell>) -> Result<Row, String> {
        let mut text = |name: &str| match get(name) {
            Some(Cell::Text(text)) => Ok(text),
            Some(Cell::Number(_)) => Err(format!("column `{name}` is not a text")),
            None => Err(format!("there is no column `{name}`, or it is empty")),
        };
        let (article, summary) = (text(&self.article)?, text(&self.summary)?);
        let human = self.human.as_ref().map(|name| match get(name) {
            Some(Cell::Number(number)) => Ok(number),
            Some(Cell::Text(text)) => {
                text.trim().parse().map_err(|_| format!("column `{name}` is no number"))
            }
            None => Err(format!("there is no column `{name}`, or it is empty")),
        });
        let (id, model) = (get(&self.id).map(Cell::shown), get(&self.model).map(Cell::shown));
        Ok(Row { article, summary, id, model, human: human.transpose()? })
    }
}

/// What stands in one place of a table.
enum Cell {
    Text(String),
    Number(f64),
}

impl Cell {
    fn shown(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}
