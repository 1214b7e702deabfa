//! Rows of articles and summaries from a file: JSON lines, CSV or Parquet, one at a time.

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
pub(crate) struct Input {
    /// A file of JSON lines, CSV or Parquet, or a directory of such; `-` for standard input
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
pub(crate) type Numbered<T> = (u64, Result<T, String>);
pub(crate) type Table<T> = Box<dyn Iterator<Item = Result<Numbered<T>, Failure>> + Send>;
pub(crate) type Read = Numbered<Row>;
pub(crate) type Rows = Table<Row>;

/// What is wanted of each row of a table.
pub(crate) trait Wanted: Clone + Send + 'static {
    /// What a row becomes.
    type Row: Send + 'static;

    /// A row, made from what a table has under each name.
    fn row(&self, cell: &mut dyn FnMut(&str) -> Option<Cell>) -> Result<Self::Row, String>;
}

/// The columns that are wanted.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    article: String,
    summary: String,
    id: String,
    model: String,
    human: Option<String>,
}

/// All rows of a file or of every file in a directory, numbered from 1.
pub(crate) fn open(input: &Input, human: Option<&str>) -> Result<Rows, Failure> {
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
    table(&input.file, input.input_format.or_else(|| Form::of(&input.file)), columns)
}

/// All rows of a file; JSON lines when its form is not known.
pub(crate) fn table<W: Wanted>(file: &Path, form: Option<Form>, wanted: W) -> Result<Table<W::Row>, Failure> {
    match form.unwrap_or(Form::Jsonl) {
        Form::Jsonl => Ok(Box::new(jsonl::Lines::new(judge::open_for_threads(file)?, wanted))),
        Form::Csv => csv::rows(judge::open_for_threads(file)?, wanted),
        Form::Parquet => parquet::rows(file, wanted),
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

impl Wanted for Columns {
    type Row = Row;

    fn row(&self, get: &mut dyn FnMut(&str) -> Option<Cell>) -> Result<Row, String> {
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
pub(crate) enum Cell {
    Text(String),
    Number(f64),
}

impl Cell {
    pub(crate) fn shown(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}
