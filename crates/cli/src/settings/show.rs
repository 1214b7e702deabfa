//! `assize serve --show-settings`: the effective settings with their sources, as a settings file.

use clap::{ArgMatches, CommandFactory};

use super::{STORE, SettingsFile, keys, origin, variable};
use crate::CommandResult;
use crate::args::{Args, StoreArgs};
use crate::output::say;
use crate::store::StoreLocation;

/// Prints every setting with its source, without secrets.
pub(crate) fn show(matches: &ArgMatches, store: &StoreArgs, place: &StoreLocation) -> CommandResult {
    let Some(serve) = matches.subcommand_matches("serve") else { return Ok(()) };
    let file = SettingsFile::find(store.config.as_deref())?;
    let (key, value) = place.as_setting();
    say(format_args!("{:<50} # {}", format!("{key} = {value}"), store_origin(serve, key, file.as_ref())))?;
    let command = Args::command();
    let Some(known) = command.find_subcommand("serve") else { return Ok(()) };
    for key in keys(known).into_iter().filter(|key| !STORE.contains(key)) {
        let values = serve.get_raw(key).into_iter().flatten();
        let values: Vec<String> = values.map(|value| value.to_string_lossy().into_owned()).collect();
        let several =
            known.get_arguments().any(|arg| arg.get_id() == key && arg.get_value_delimiter().is_some());
        let line = match values.as_slice() {
            [] if several => format!("{key} = []"),
            [] => format!("# {key} is not set"),
            _ if several => format!("{key} = {values:?}"),
            [value, ..] if value.parse::<u64>().is_ok() || value.parse::<bool>().is_ok() => {
                format!("{key} = {value}")
            }
            [value, ..] => format!("{key} = {value:?}"),
        };
        say(format_args!("{line:<50} # {}", origin(serve, key, file.as_ref())))?;
    }
    Ok(())
}

/// The source of the store, which is chosen as a whole and whose variables clap does not read.
fn store_origin(serve: &ArgMatches, key: &str, file: Option<&SettingsFile>) -> String {
    let given = origin(serve, key, None);
    let in_environment = std::env::var_os(variable(key)).is_some_and(|value| !value.is_empty());
    match file {
        _ if given != "default" => given,
        _ if in_environment => variable(key),
        Some(file) if file.line_of(key).is_some() => file.place_of(key),
        _ => given,
    }
}
