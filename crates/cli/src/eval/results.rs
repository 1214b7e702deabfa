//! Writes the results, one line for each row: JSON Lines, CSV or Parquet.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use serde_json::{Map, Value, json};

use crate::CommandResult;
use crate::batch::JudgedRow;
use crate::output::Failure;
use crate::rows::TableFormat;
use crate::scores::{self, COUNT, NAMES};

/// The number of rows in a row group of a Parquet file.
const GROUP: usize = 8192;

pub(super) enum ResultWriter {
    Jsonl { out: Box<dyn Write>, full: bool },
    Csv(csv::Writer<Box<dyn Write>>),
    Parquet { out: SerializedFileWriter<Box<dyn Write + Send>>, group: Vec<ResultLine> },
}

/// The result of a row.
pub(super) struct ResultLine {
    row: u64,
    id: Option<String>,
    model: Option<String>,
    scores: Option<[f64; COUNT]>,
    error: Option<String>,
}

impl ResultWriter {
    /// Opens the output; an existing file is truncated, or continued with `goes_on`.
    pub(super) fn open(
        file: Option<&Path>,
        form: TableFormat,
        full: bool,
        goes_on: bool,
    ) -> Result<Self, Failure> {
        let out: Box<dyn Write + Send> = match file {
            None => Box::new(io::stdout()),
            Some(file) => {
                let opened =
                    if goes_on { OpenOptions::new().append(true).open(file) } else { File::create(file) };
                Box::new(opened.map_err(|error| Failure::Use(format!("`{}`: {error}", file.display())))?)
            }
        };
        let out: Box<dyn Write + Send> = Box::new(BufWriter::with_capacity(1 << 16, out));
        Ok(match form {
            TableFormat::Jsonl => Self::Jsonl { out, full },
            TableFormat::Csv => {
                let mut out = csv::Writer::from_writer(out as Box<dyn Write>);
                let header = ["row", "id", "model"].into_iter().chain(NAMES).chain(["error"]);
                if !goes_on {
                    out.write_record(header).map_err(fault)?;
                }
                Self::Csv(out)
            }
            TableFormat::Parquet => {
                let schema = parse_message_type(&schema()).map_err(fault)?;
                let properties = Arc::new(WriterProperties::builder().build());
                let out = SerializedFileWriter::new(out, Arc::new(schema), properties).map_err(fault)?;
                Self::Parquet { out, group: Vec::with_capacity(GROUP) }
            }
        })
    }

    pub(super) fn write(&mut self, judged: &JudgedRow) -> CommandResult {
        match self {
            Self::Jsonl { out, full } => {
                match &judged.outcome {
                    Ok((_, verdict)) if *full => {
                        writeln!(out, "{{\"row\":{},\"verdict\":{}}}", judged.number, verdict.to_json())?;
                    }
                    _ => writeln!(out, "{}", line_of(judged).json())?,
                }
                Ok(())
            }
            Self::Csv(out) => out.write_record(line_of(judged).cells()).map_err(fault),
            Self::Parquet { out, group } => {
                group.push(line_of(judged));
                if group.len() == GROUP { write_group(out, group) } else { Ok(()) }
            }
        }
    }

    pub(super) fn finish(self) -> CommandResult {
        match self {
            Self::Jsonl { mut out, .. } => Ok(out.flush()?),
            Self::Csv(mut out) => Ok(out.flush()?),
            Self::Parquet { mut out, mut group } => {
                if !group.is_empty() {
                    write_group(&mut out, &mut group)?;
                }
                out.finish().map_err(fault)?;
                Ok(out.inner_mut().flush()?)
            }
        }
    }
}

fn line_of(judged: &JudgedRow) -> ResultLine {
    match &judged.outcome {
        Ok((row, verdict)) => ResultLine {
            row: judged.number,
            id: row.id.clone(),
            model: row.model.clone(),
            scores: Some(scores::of(&verdict.detail)),
            error: None,
        },
        Err(problem) => ResultLine {
            row: judged.number,
            id: None,
            model: None,
            scores: None,
            error: Some(problem.clone()),
        },
    }
}

impl ResultLine {
    fn json(&self) -> String {
        let mut line = Map::new();
        line.insert("row".to_owned(), json!(self.row));
        let texts = [("id", &self.id), ("model", &self.model), ("error", &self.error)];
        for (name, text) in texts.into_iter().filter_map(|(name, text)| Some((name, text.as_ref()?))) {
            line.insert(name.to_owned(), Value::String(text.clone()));
        }
        for (name, score) in NAMES.iter().zip(self.scores.iter().flatten()) {
            line.insert((*name).to_owned(), json!(score));
        }
        Value::Object(line).to_string()
    }

    fn cells(&self) -> Vec<String> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let mut cells = vec![self.row.to_string(), text(&self.id), text(&self.model)];
        match &self.scores {
            Some(scores) => cells.extend(scores.iter().map(ToString::to_string)),
            None => cells.extend(NAMES.iter().map(|_| String::new())),
        }
        cells.push(text(&self.error));
        cells
    }
}

fn schema() -> String {
    let scores: String =
        NAMES.iter().map(|name| format!("OPTIONAL DOUBLE {}; ", name.replace('.', "_"))).collect();
    let text = |name: &str| format!("OPTIONAL BYTE_ARRAY {name} (UTF8); ");
    format!(
        "message results {{ REQUIRED INT64 row; {}{}{scores}{}}}",
        text("id"),
        text("model"),
        text("error")
    )
}

type RowGroup<'a> = SerializedRowGroupWriter<'a, Box<dyn Write + Send>>;

fn write_group(
    out: &mut SerializedFileWriter<Box<dyn Write + Send>>,
    lines: &mut Vec<ResultLine>,
) -> CommandResult {
    let mut group = out.next_row_group().map_err(fault)?;
    let rows: Vec<i64> = lines.iter().map(|line| i64::try_from(line.row).unwrap_or(i64::MAX)).collect();
    let mut column = group.next_column().map_err(fault)?.ok_or_else(missing)?;
    column.typed::<Int64Type>().write_batch(&rows, None, None).map_err(fault)?;
    column.close().map_err(fault)?;
    write_texts(&mut group, lines.iter().map(|line| &line.id))?;
    write_texts(&mut group, lines.iter().map(|line| &line.model))?;
    for metric in 0..COUNT {
        let score = |line: &ResultLine| line.scores.and_then(|scores| scores.get(metric).copied());
        let scores: Vec<f64> = lines.iter().filter_map(score).collect();
        let present: Vec<i16> = lines.iter().map(|line| i16::from(line.scores.is_some())).collect();
        let mut column = group.next_column().map_err(fault)?.ok_or_else(missing)?;
        column.typed::<DoubleType>().write_batch(&scores, Some(&present), None).map_err(fault)?;
        column.close().map_err(fault)?;
    }
    write_texts(&mut group, lines.iter().map(|line| &line.error))?;
    group.close().map_err(fault)?;
    lines.clear();
    Ok(())
}

fn write_texts<'a>(
    group: &mut RowGroup<'_>,
    texts: impl Iterator<Item = &'a Option<String>> + Clone,
) -> CommandResult {
    let present: Vec<i16> = texts.clone().map(|text| i16::from(text.is_some())).collect();
    let values: Vec<ByteArray> = texts.flatten().map(|text| ByteArray::from(text.as_str())).collect();
    let mut column = group.next_column().map_err(fault)?.ok_or_else(missing)?;
    column.typed::<ByteArrayType>().write_batch(&values, Some(&present), None).map_err(fault)?;
    column.close().map_err(fault)
}

fn fault(error: impl std::fmt::Display) -> Failure {
    Failure::Fault(format!("the results cannot be written: {error}"))
}

fn missing() -> Failure {
    Failure::Fault("a column of the results is missing".into())
}
