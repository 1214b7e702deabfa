//! The settings file: TOML, with errors that name the line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assize_assessors::{ModelSettings, TraceSettings, read_settings};
use clap::Command;
use serde::Deserialize;
use toml::de::{DeTable, DeValue};

use super::{STORE, complaint, keys};
use crate::output::Failure;

/// The default file name.
const USUAL: &str = "assize.toml";

/// Stands for an empty list, which counts as unset; no command-line value can equal it.
const NOTHING: &str = "\0";

/// Tables that are not options of the server.
const TABLES: [&str; 2] = ["assessors", "traces"];

/// A parsed settings file.
pub(crate) struct SettingsFile {
    path: PathBuf,
    entries: Vec<SettingsEntry>,
    tables: SettingsTables,
}

/// The contents of the tables.
#[derive(Default, Deserialize)]
struct SettingsTables {
    /// The settings of models, by name.
    #[serde(default)]
    assessors: BTreeMap<String, ModelSettings>,
    /// The export of traces.
    #[serde(default)]
    traces: TraceSettings,
}

struct SettingsEntry {
    key: String,
    line: usize,
    /// The value as it would be written on the command line.
    value: String,
}

impl SettingsFile {
    /// Reads the named file, else the default file if it exists.
    pub(crate) fn find(named: Option<&Path>) -> Result<Option<Self>, Failure> {
        let path = named.unwrap_or(Path::new(USUAL));
        match std::fs::read_to_string(path) {
            Ok(text) => Self::read(path, &text).map(Some),
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::Use(format!("`{}` cannot be read: {error}", path.display()))),
        }
    }

    fn read(path: &Path, text: &str) -> Result<Self, Failure> {
        let line_at = |at: usize| 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
        let table = DeTable::parse(text).map_err(|error| {
            let line = line_at(error.span().map_or(0, |span| span.start));
            let problem = error.message().trim_end_matches('.').replace('\n', ", ");
            Failure::Use(format!("{}:{line}: {problem}", path.display()))
        })?;
        let mut entries = Vec::new();
        let has_tables = table.get_ref().keys().any(|name| TABLES.contains(&&**name.get_ref()));
        let tables = if has_tables { Self::read_tables(path, text)? } else { SettingsTables::default() };
        for (name, value) in table.get_ref().iter().filter(|(name, _)| !TABLES.contains(&&**name.get_ref())) {
            let key = name.get_ref().to_string();
            let line = line_at(name.span().start);
            let Some(value) = as_argument(value.get_ref()) else {
                let wanted = "must be a text, a number, true or false, or a list of texts";
                return Err(Failure::Use(format!("{}:{line}: `{key}` {wanted}", path.display())));
            };
            entries.push(SettingsEntry { key, line, value });
        }
        Ok(Self { path: path.to_owned(), entries, tables })
    }

    fn read_tables(path: &Path, text: &str) -> Result<SettingsTables, Failure> {
        let tables: SettingsTables = toml::from_str(text).map_err(|error| {
            let before = text.bytes().take(error.span().map_or(0, |span| span.start));
            let line = 1 + before.filter(|byte| *byte == b'\n').count();
            let problem = error.message().trim_end_matches('.').replace('\n', ", ");
            Failure::Use(format!("{}:{line}: {problem}", path.display()))
        })?;
        read_settings(&tables.assessors)
            .map_err(|error| Failure::Use(format!("{}: {error}", path.display())))?;
        Ok(tables)
    }

    /// The settings of models.
    pub(crate) fn into_assessors(self) -> BTreeMap<String, ModelSettings> {
        self.tables.assessors
    }

    /// The settings of the export of traces.
    pub(crate) fn into_trace_exporters(self) -> TraceSettings {
        self.tables.traces
    }

    /// Validates every key and value against the options of the server.
    pub(super) fn check(&self, serve: &Command) -> Result<(), Failure> {
        let known = keys(serve);
        for SettingsEntry { key, line, value } in &self.entries {
            let wrong =
                |problem: String| Failure::Use(format!("{}:{line}: `{key}`: {problem}", self.path.display()));
            if !known.contains(&key.as_str()) {
                return Err(wrong(format!("there is no such setting; there are {}", known.join(", "))));
            }
            let problem = match key.as_str() {
                _ if value == NOTHING => None,
                "ephemeral" => {
                    (!["true", "false"].contains(&value.as_str())).then(|| "must be true or false".into())
                }
                key => complaint(serve, key, value),
            };
            if let Some(problem) = problem {
                return Err(wrong(problem));
            }
        }
        Ok(())
    }

    /// Every setting with its value.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        let said = self.entries.iter().filter(|entry| entry.value != NOTHING);
        said.map(|entry| (entry.key.as_str(), entry.value.as_str()))
    }

    /// The location of the ledger in the file, if any: data, postgres, ephemeral.
    pub(crate) fn store(&self) -> Result<[Option<&str>; 3], Failure> {
        let said = STORE.map(|wanted| {
            let value = self.entries().find(|(key, _)| *key == wanted).map(|(_, value)| value);
            value.filter(|value| wanted != "ephemeral" || *value == "true")
        });
        if said.iter().flatten().count() > 1 {
            let together = "`data`, `postgres` and `ephemeral` exclude each other; leave all but one out";
            return Err(Failure::Use(format!("{}: {together}", self.path.display())));
        }
        Ok(said)
    }

    pub(super) fn line_of(&self, key: &str) -> Option<usize> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.line)
    }

    /// `assize.toml:3`
    pub(super) fn place_of(&self, key: &str) -> String {
        format!("{}:{}", self.path.display(), self.line_of(key).unwrap_or(1))
    }
}

/// A value as it would be written on the command line.
fn as_argument(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        DeValue::Boolean(yes) => Some(yes.to_string()),
        DeValue::Array(items) if items.is_empty() => Some(NOTHING.to_owned()),
        DeValue::Array(items) => {
            let texts: Option<Vec<&str>> = items.iter().map(|item| item.get_ref().as_str()).collect();
            texts.map(|texts| texts.join(","))
        }
        _ => None,
    }
}
