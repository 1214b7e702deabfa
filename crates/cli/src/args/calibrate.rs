//! The options of `assize calibrate`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub(crate) struct Calibrate {
    /// The court: radio
    pub(crate) court: String,
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

fn percent(text: &str) -> Result<usize, String> {
    let whole = text.parse().ok().filter(|percent| *percent <= 100);
    whole.ok_or_else(|| "expected a whole number from 0 to 100".to_owned())
}
