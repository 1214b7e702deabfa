//! The options of `assize eval`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;

use crate::rows::{RowInput, TableFormat};

#[derive(Args)]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    pub(crate) input: RowInput,
    /// Where the results go, a row each; standard output otherwise
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The form of the results; by the file's ending otherwise, and JSON lines on standard output
    #[arg(long, value_name = "FORM")]
    pub(crate) output_format: Option<TableFormat>,
    /// Write whole verdicts instead of scores; JSON lines only
    #[arg(long)]
    pub(crate) full: bool,
    /// Fail when the mean of a metric is below this, such as coverage=7; may be given more than once
    #[arg(long, value_name = "METRIC=SCORE", value_parser = threshold)]
    pub(crate) fail_under: Vec<(usize, f64)>,
    /// Compare with the results of an earlier run: JSON lines, CSV or Parquet
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Fail when the mean of any metric is below the baseline's, by more than this of ten points
    #[arg(long, value_name = "POINTS", requires = "baseline", num_args = 0..=1, default_missing_value = "0",
        value_parser = points)]
    pub(crate) fail_on_drop: Option<f64>,
    /// Go on where an earlier run with the same output broke off
    #[arg(long, requires = "output", conflicts_with = "full")]
    pub(crate) resume: bool,
    /// Write what failed as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write a report as one HTML file
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// A rulebook that ships, by name, or a file; the court's default otherwise
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) rulebook: Option<String>,
    /// How many threads judge; as many as there are cores otherwise
    #[arg(long, value_name = "NUMBER")]
    pub(crate) threads: Option<NonZero<usize>>,
}

fn threshold(text: &str) -> Result<(usize, f64), String> {
    let known = || crate::scores::NAMES.join(", ");
    let (metric, score) = text.split_once('=').ok_or("expected a metric, `=` and a score")?;
    let metric = crate::scores::NAMES.iter().position(|name| *name == metric);
    let metric = metric.ok_or_else(|| format!("there is no such metric; there is {}", known()))?;
    Ok((metric, points(score)?))
}

fn points(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|points| (0.0..=10.0).contains(points));
    points.ok_or_else(|| "expected a score from 0 to 10".to_owned())
}
