//! `assize rulebook`: show, check and compare rulebooks.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assize_courts::summary::{Summary, SummaryRules};
use assize_engine::Courts;
use assize_kernel::{AnyCourt, AnyRulebook, Court, Rulebook};
use toml::{Table, Value};

use crate::CommandResult;
use crate::args::RulebookCommand;
use crate::judge::court;
use crate::output::{Failure, note, say};

pub(crate) fn run(command: &RulebookCommand) -> CommandResult {
    let courts = shipped()?;
    match command {
        RulebookCommand::Show { name: None } => list(&courts),
        RulebookCommand::Show { name: Some(name) } => say(strict_objects(&courts, name)?.text.trim_end()),
        RulebookCommand::Check { files } => check(&courts, files),
        RulebookCommand::Diff { first, second } => diff(&either(&courts, first)?, &either(&courts, second)?),
    }
}

/// The courts with their rulebooks.
pub(crate) fn shipped() -> Result<Courts, Failure> {
    Courts::shipped().map_err(|error| Failure::Fault(error.to_string()))
}

/// A rulebook of a court by name or file; its default when none is named.
pub(crate) fn find(
    courts: &Courts,
    court: &dyn AnyCourt,
    named: Option<&str>,
) -> Result<AnyRulebook, Failure> {
    let Some(named) = named else {
        let default = courts.default_rulebook(court.name()).cloned();
        return default.ok_or_else(|| Failure::Fault(format!("the court {} has no rulebook", court.name())));
    };
    if let Some(book) = courts.rulebook(court.name(), named) {
        return Ok(book.clone());
    }
    if !Path::new(named).exists() {
        let known: Vec<_> =
            courts.rulebooks(court.name()).iter().map(|book| book.reference.name.as_ref()).collect();
        let known = known.join(", ");
        return Err(Failure::Use(format!(
            "`{named}` is no file and no rulebook of {}; there is {known}",
            court.name()
        )));
    }
    let text = read(Path::new(named))?;
    court.read_rulebook(named, &text).map_err(|error| Failure::Use(error.to_string()))
}

/// A rulebook of the summary court, with its parameters.
pub(crate) fn summary(named: Option<&str>) -> Result<Rulebook<SummaryRules>, Failure> {
    let courts = shipped()?;
    let book = find(&courts, court(&courts, Summary::NAME)?, named)?;
    let read = Rulebook::read(Summary::NAME, &book.reference.name, &book.text);
    read.map_err(|error| Failure::Use(error.to_string()))
}

fn list(courts: &Courts) -> CommandResult {
    for name in courts.names() {
        for (index, book) in courts.rulebooks(name).iter().enumerate() {
            let default = if index == 0 { "  (default)" } else { "" };
            let reference = &book.reference;
            say(format_args!(
                "{name}/{} v{}  {}{default}",
                reference.name, reference.version, reference.hash
            ))?;
        }
    }
    Ok(())
}

fn strict_objects(courts: &Courts, name: &str) -> Result<AnyRulebook, Failure> {
    let found = name.split_once('/').and_then(|(court, name)| courts.rulebook(court, name)).cloned();
    found.ok_or_else(|| {
        Failure::Use(format!("there is no rulebook `{name}`; `assize rulebook show` lists them"))
    })
}

fn check(courts: &Courts, files: &[std::path::PathBuf]) -> CommandResult {
    let mut wrong = 0;
    for file in files {
        let text = read(file)?;
        match from_text(courts, file, &text) {
            Ok(book) => {
                say(format_args!("{}: {} for the court {}", file.display(), book.reference, book.court))?
            }
            Err(Failure::Use(message)) => {
                wrong += 1;
                note(message);
            }
            Err(other) => return Err(other),
        }
    }
    if wrong == 0 { Ok(()) } else { Err(Failure::Different) }
}

/// Reads a rulebook file, which names its court.
fn from_text(courts: &Courts, file: &Path, text: &str) -> Result<AnyRulebook, Failure> {
    let name = file.display().to_string();
    let of_court =
        toml::from_str::<Table>(text).ok().and_then(|table| Some(table.get("court")?.as_str()?.to_owned()));
    // A file without a court is read by any court, for an error message with the line.
    let of_court = of_court.or_else(|| courts.names().next().map(str::to_owned)).unwrap_or_default();
    let court = court(courts, &of_court).map_err(|_| {
        let known: Vec<_> = courts.names().collect();
        Failure::Use(format!("{name}: court: there is no court `{of_court}`; there is {}", known.join(", ")))
    })?;
    court.read_rulebook(&name, text).map_err(|error| Failure::Use(error.to_string()))
}

fn either(courts: &Courts, named: &str) -> Result<AnyRulebook, Failure> {
    let file = Path::new(named);
    if file.exists() { from_text(courts, file, &read(file)?) } else { strict_objects(courts, named) }
}

fn diff(first: &AnyRulebook, second: &AnyRulebook) -> CommandResult {
    let before = parameters(first)?;
    let after = parameters(second)?;
    if before == after {
        return say("no difference");
    }
    for key in before.keys().chain(after.keys().filter(|key| !before.contains_key(*key))) {
        match (before.get(key), after.get(key)) {
            (Some(old), Some(new)) if old != new => say(format_args!("{key}: {old} → {new}"))?,
            (Some(old), None) => say(format_args!("{key}: {old} → (absent)"))?,
            (None, Some(new)) => say(format_args!("{key}: (absent) → {new}"))?,
            _ => {}
        }
    }
    Ok(())
}

/// Every value under its dotted key.
fn parameters(book: &AnyRulebook) -> Result<BTreeMap<String, String>, Failure> {
    let table: Table = toml::from_str(&book.text).map_err(|error| Failure::Fault(error.to_string()))?;
    let mut flat = BTreeMap::new();
    flatten("", &Value::Table(table), &mut flat);
    Ok(flat)
}

fn flatten(key: &str, value: &Value, flat: &mut BTreeMap<String, String>) {
    let inner = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
    match value {
        Value::Table(table) => table.iter().for_each(|(name, value)| flatten(&inner(name), value, flat)),
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, value)| flatten(&inner(&index.to_string()), value, flat));
        }
        value => drop(flat.insert(key.to_owned(), value.to_string())),
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(|error| Failure::Use(format!("`{}`: {error}", file.display())))
}
