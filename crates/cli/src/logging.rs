//! The server's log, and how much of it the environment asks for.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::Done;
use crate::output::Failure;

const SETTING: &str = "ASSIZE_LOG";

/// Writes the log to standard error from now on.
pub(crate) fn begin() -> Done {
    let said = std::env::var_os(SETTING).unwrap_or_default();
    let filter = filter(&said.to_string_lossy())?;
    let colours = std::io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(colours).init();
    Ok(())
}

fn filter(said: &str) -> Result<EnvFilter, Failure> {
    let wrong = |part: &str| {
        Failure::Use(format!(
            "{SETTING}: `{part}` is not understood; use `error`, `warn`, `info`, `debug` or `trace`, \
             or name parts too, as in `warn,assize_server=debug`"
        ))
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
