//! The server's log: how much of it, and in which form.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::Done;
use crate::args::LogFormat;
use crate::output::Failure;

/// Writes the log to standard error from now on.
pub(crate) fn begin(said: &str, format: LogFormat) -> Done {
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

/// Sees that a log can be kept so.
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
    // A word by itself would be taken for the name of a part, and a misspelt level would switch the log off.
    let mut words = said.split(',').map(str::trim).filter(|part| !part.contains(['=', '[', ']']));
    if let Some(word) = words.find(|word| word.parse::<LevelFilter>().is_err()) {
        return Err(wrong(word));
    }
    EnvFilter::try_new(said).map_err(|_| wrong(said))
}
