//! Settings from three places: the command line, then the environment, then a TOML file.
//!
//! clap validates all of them: the values of the file become the defaults of its options.

mod file;
mod show;

use std::error::Error;

use clap::error::{ContextKind, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};

use crate::args::Args;
use crate::output::Failure;
pub(crate) use file::SettingsFile;
pub(crate) use show::show;

/// The options that locate the ledger, all read from one source: `--data` overrides `postgres` in the file.
pub(crate) const STORE: [&str; 3] = ["data", "postgres", "ephemeral"];
/// Options that a file cannot have.
const NOT_IN_A_FILE: [&str; 3] = ["config", "show_settings", "help"];

/// Parses the command line; for `serve`, completed by the settings file.
pub(crate) fn parse() -> Result<(Args, ArgMatches), Failure> {
    let command = Args::command();
    let matches = command.clone().try_get_matches().or_else(|error| blame(&command, error))?;
    let Some(serve) = matches.subcommand_matches("serve") else { return understood(matches) };
    let named = serve.get_one("config").map(std::path::PathBuf::as_path);
    let Some(file) = SettingsFile::find(named)? else { return understood(matches) };
    let known = command.find_subcommand("serve").cloned().unwrap_or_default();
    file.check(&known)?;
    understood(command.mut_subcommand("serve", |serve| completed(serve, &file)).get_matches())
}

/// Names the environment variable if it has the wrong value; else exits with the error of clap.
fn blame(command: &Command, error: clap::Error) -> Result<ArgMatches, Failure> {
    let wrong_value = matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue);
    let serve = command.find_subcommand("serve").filter(|_| wrong_value && serves());
    let problem = serve.into_iter().flat_map(|serve| keys(serve).into_iter().map(move |key| (serve, key)));
    let mut problem =
        problem.filter(|(_, key)| !STORE.contains(key) && !is_given(key)).filter_map(|(serve, key)| {
            let value = std::env::var_os(variable(key))?;
            Some(format!("{}: {}", variable(key), complaint(serve, key, &value.to_string_lossy())?))
        });
    problem.next().map_or_else(|| error.exit(), |problem| Err(Failure::Use(problem)))
}

fn serves() -> bool {
    std::env::args_os().nth(1).is_some_and(|command| command == "serve")
}

/// Whether a setting is on the command line.
fn is_given(key: &str) -> bool {
    let flag = format!("--{}", key.replace('_', "-"));
    std::env::args().any(|arg| arg.split('=').next() == Some(flag.as_str()))
}

fn understood(matches: ArgMatches) -> Result<(Args, ArgMatches), Failure> {
    let args = Args::from_arg_matches(&matches).map_err(|error| Failure::Use(error.to_string()))?;
    Ok((args, matches))
}

fn completed(serve: Command, file: &SettingsFile) -> Command {
    let entries = file.entries().filter(|(key, _)| !STORE.contains(key));
    entries.fold(serve, |serve, (key, value)| serve.mut_arg(key, |arg| arg.default_value(value.to_owned())))
}

/// The keys that a file may have.
fn keys(serve: &Command) -> Vec<&str> {
    let shown = serve.get_arguments().filter(|arg| !arg.is_hide_set());
    let keys = shown.map(|arg| arg.get_id().as_str());
    keys.filter(|key| !NOT_IN_A_FILE.contains(key)).collect()
}

/// The error message of clap for a value.
fn complaint(serve: &Command, key: &str, value: &str) -> Option<String> {
    let flag = format!("--{}={value}", key.replace('_', "-"));
    let alone = serve.clone().mut_args(|arg| arg.env(None::<&'static str>));
    let error = alone.try_get_matches_from(["serve", &flag]).err()?;
    let said = error.source().map(|source| source.to_string());
    let possible = || Some(format!("it must be one of {}", error.get(ContextKind::ValidValue)?));
    Some(said.or_else(possible).unwrap_or_else(|| format!("`{value}` cannot be used")))
}

/// The source of a setting, for display.
fn origin(serve: &ArgMatches, key: &str, file: Option<&SettingsFile>) -> String {
    match (serve.value_source(key), file) {
        (Some(ValueSource::CommandLine), _) => "the command line".into(),
        (Some(ValueSource::EnvVariable), _) => variable(key),
        (_, Some(file)) if file.line_of(key).is_some() => file.place_of(key),
        _ => "default".into(),
    }
}

fn variable(key: &str) -> String {
    format!("ASSIZE_{}", key.to_uppercase())
}

#[test]
fn every_setting_has_an_option_a_variable_and_a_key() {
    let serve = Args::command();
    let serve = serve.find_subcommand("serve").unwrap();
    let documented = include_str!("../../../../docs/operations.md");
    for key in keys(serve).into_iter().filter(|key| !STORE.contains(key)) {
        assert!(documented.contains(&format!("`{key}`")), "give `{key}` a line in docs/operations.md");
        let arg = serve.get_arguments().find(|arg| arg.get_id() == key).unwrap();
        assert_eq!(arg.get_long(), Some(key.replace('_', "-").as_str()));
        assert_eq!(arg.get_env().and_then(|name| name.to_str()), Some(variable(key).as_str()));
    }
}
