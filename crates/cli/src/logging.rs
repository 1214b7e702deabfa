//! Logging: level filter and format.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::CommandResult;
use crate::args::LogFormat;
use crate::output::Failure;

/// Initialises logging to standard error.
pub(crate) fn begin(said: &str, format: LogFormat) -> CommandResult {
    let colours = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter(said).map_err(Failure::Use)?)
        .with_writer(std::io::stderr);
    match format {
        LogFormat::Text => log.with_ansi(colours).init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
    Ok(())
}

/// Validates a log filter.
pub(crate) fn check(said: &str) -> Result<String, String> {
    filter(said).map(|_| said.to_owned())
}

fn filter(said: &str) -> Result<EnvFilter, String> {
    let wrong = |part: &str| {
        format!(
            "`{part}` is not understood; use `error`, `warn`, `info`, `debug` or `trace`, \
             or name parts too, as in `warn,assize_server=debug`"
        )
    };
    if said.trim().is_empty() {
        return Ok(EnvFilter::new("info"));
    }
    // `EnvFilter` takes a single word for a target, so a misspelt level would disable the log.
    let mut words = said.split(',').map(str::trim).filter(|part| !part.contains(['=', '[', ']']));
    if let Some(word) = words.find(|word| word.parse::<LevelFilter>().is_err()) {
        return Err(wrong(word));
    }
    EnvFilter::try_new(said).map_err(|_| wrong(said))
}
