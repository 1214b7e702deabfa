//! The options of `assize calibrate`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::rows::RowInput;

#[derive(Subcommand)]
pub(crate) enum CalibrateCommand {
    /// Put errors into right answers and count how many the reading of calls finds
    Radio(CalibrateRadio),
    /// Compare the scores of summaries with what people said of them
    Summary(CalibrateSummary),
    /// Compare what assessors find, models or the court's own reading, with what is known to be so
    ///
    /// Takes JSON lines {"document": …, "gold": {"claim_1": "Supported", …}}: agreement, Cohen's kappa (weighted
    /// where labels are ordered), correlation of numbers, who was taken for what, cost, and the worst
    /// disagreements; several assessors stand side by side.
    Assessors(CalibrateAssessors),
}

#[derive(Args)]
pub(crate) struct CalibrateAssessors {
    /// The court: quest, radio or summary
    pub(crate) court: String,
    /// A file with one JSON object a line; `-` for standard input
    pub(crate) file: PathBuf,
    /// Models by their names in the settings file, or `reading` for the court's own; with commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "reading")]
    pub(crate) assessor: Vec<String>,
    /// Ask nobody, and write what would be asked about each document: what gold is made of
    #[arg(long)]
    pub(crate) questions: bool,
    /// A rulebook that ships, by name, or a file; the court's default otherwise
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) rulebook: Option<String>,
    /// The settings file with the models; `assize.toml` otherwise
    #[arg(long, value_name = "FILE", env = "ASSIZE_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// Write the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct CalibrateRadio {
    /// A file of right exchanges, one JSON object a line with `id`, `controller` and `pilot`; `-` for standard input
    pub(crate) file: PathBuf,
    /// A rulebook that ships, by name, or a file; the court's default otherwise
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) rulebook: Option<String>,
    /// So many percent of the pilot's words are lost, doubled or taken for others
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = percent)]
    pub(crate) noise: usize,
    /// Exchanges of the file that are not right, by their ids, with commas
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub(crate) leave_out: Vec<String>,
    /// Write the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct CalibrateSummary {
    #[command(flatten)]
    pub(crate) input: RowInput,
    /// The column with what people said, as a number
    #[arg(long, value_name = "COLUMN")]
    pub(crate) human: String,
    /// The metric whose worst disagreements are shown
    #[arg(long, value_name = "METRIC", default_value = "support")]
    pub(crate) metric: String,
    /// A rulebook that ships, by name, or a file; the court's default otherwise
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) rulebook: Option<String>,
    /// How many threads judge; as many as there are cores otherwise
    #[arg(long, value_name = "NUMBER")]
    pub(crate) threads: Option<NonZero<usize>>,
    /// Write the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn percent(text: &str) -> Result<usize, String> {
    let whole = text.parse().ok().filter(|percent| *percent <= 100);
    whole.ok_or_else(|| "expected a whole number from 0 to 100".to_owned())
}
