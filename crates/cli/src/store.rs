//! The location of the ledger: from the command line, the environment, the settings file, or `assize.db`.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use assize_ledger::{Ledger, LedgerError, MemoryLedger, PostgresLedger, SqliteLedger};

use crate::args::StoreArgs;
use crate::output::Failure;
use crate::settings::SettingsFile;

const DATA: &str = "ASSIZE_DATA";
const POSTGRES: &str = "ASSIZE_POSTGRES";
const EPHEMERAL: &str = "ASSIZE_EPHEMERAL";

/// The location of a ledger.
pub(crate) enum StoreLocation {
    Memory,
    File(PathBuf),
    Postgres(String),
}

/// Opens an existing ledger.
pub(crate) fn open_existing(store: &StoreArgs) -> Result<Arc<dyn Ledger>, Failure> {
    Ok(match StoreLocation::of(store)? {
        StoreLocation::Memory => Arc::new(MemoryLedger::new()),
        StoreLocation::File(file) => Arc::new(SqliteLedger::open_existing(&file)?),
        StoreLocation::Postgres(url) => Arc::new(PostgresLedger::open_existing(&url)?),
    })
}

impl StoreLocation {
    /// The location for a command.
    pub(crate) fn of(store: &StoreArgs) -> Result<Self, Failure> {
        Self::found(store, false)
    }

    /// The location for a server; only a server may be in memory.
    pub(crate) fn of_server(store: &StoreArgs, ephemeral: bool) -> Result<Self, Failure> {
        let told_to_forget = switched_on(EPHEMERAL)?;
        if ephemeral {
            return Ok(Self::Memory);
        }
        Self::found(store, told_to_forget)
    }

    /// As a key and value of the settings file, without the password.
    pub(crate) fn as_setting(&self) -> (&'static str, String) {
        match self {
            Self::Memory => ("ephemeral", "true".into()),
            Self::File(file) => ("data", format!("{:?}", file.to_string_lossy())),
            Self::Postgres(url) => ("postgres", format!("{:?}", without_password(url))),
        }
    }

    fn found(store: &StoreArgs, ephemeral: bool) -> Result<Self, Failure> {
        if let Some(place) = Self::on_the_command_line(store) {
            return Ok(place);
        }
        if let Some(place) = Self::in_the_environment(ephemeral)? {
            return Ok(place);
        }
        let file = SettingsFile::find(store.config.as_deref())?;
        let said = file.as_ref().map(SettingsFile::store).transpose()?.unwrap_or_default();
        Ok(match said {
            [Some(data), ..] => Self::File(data.into()),
            [_, Some(url), _] => Self::Postgres(url.to_owned()),
            [_, _, Some(_)] => Self::Memory,
            _ => Self::File("assize.db".into()),
        })
    }

    /// Opens the ledger, or creates it.
    pub(crate) fn open(&self) -> Result<Arc<dyn Ledger>, LedgerError> {
        Ok(match self {
            Self::Memory => Arc::new(MemoryLedger::new()),
            Self::File(file) => Arc::new(SqliteLedger::open(file)?),
            Self::Postgres(url) => Arc::new(PostgresLedger::open(url)?),
        })
    }

    /// Like [`StoreLocation::open`], for a server. Several may serve one PostgreSQL; a file has one server, or
    /// boards would become stale.
    pub(crate) fn open_to_serve(&self) -> Result<Arc<dyn Ledger>, LedgerError> {
        match self {
            Self::File(file) => Ok(Arc::new(SqliteLedger::open_to_serve(file)?)),
            Self::Memory | Self::Postgres(_) => self.open(),
        }
    }

    fn on_the_command_line(store: &StoreArgs) -> Option<Self> {
        let file = store.data.clone().map(Self::File);
        file.or_else(|| store.postgres.clone().map(Self::Postgres))
    }

    fn in_the_environment(ephemeral: bool) -> Result<Option<Self>, Failure> {
        let [data, postgres] =
            [DATA, POSTGRES].map(|name| env::var_os(name).filter(|value| !value.is_empty()));
        match (data, postgres, ephemeral) {
            (None, None, false) => Ok(None),
            (None, None, true) => Ok(Some(Self::Memory)),
            (Some(file), None, false) => Ok(Some(Self::File(file.into()))),
            (None, Some(url), false) => Ok(Some(Self::Postgres(url.to_string_lossy().into_owned()))),
            (data, postgres, _) => {
                let set = [(DATA, data.is_some()), (POSTGRES, postgres.is_some()), (EPHEMERAL, ephemeral)];
                let set: Vec<_> = set.iter().filter(|(_, set)| *set).map(|(name, _)| *name).collect();
                Err(Failure::Use(format!("{} cannot be set together; unset all but one", set.join(" and "))))
            }
        }
    }
}

/// A database URL or connection string, with the password masked.
fn without_password(address: &str) -> String {
    if let Some((scheme, rest)) = address.split_once("://") {
        let (who, place) = rest.rsplit_once('@').unwrap_or(("", rest));
        let who = who.split_once(':').map_or(who.to_owned(), |(user, _)| format!("{user}:***"));
        return format!("{scheme}://{who}{}{}", if who.is_empty() { "" } else { "@" }, masked(place, '&'));
    }
    masked(address, ' ')
}

fn masked(parameters: &str, between: char) -> String {
    let part = |part: &str| match part.find("password=") {
        Some(at) => format!("{}password=***", part.get(..at).unwrap_or_default()),
        None => part.to_owned(),
    };
    parameters.split(between).map(part).collect::<Vec<_>>().join(&between.to_string())
}

#[test]
fn no_password_is_shown() {
    for (address, shown) in [
        ("postgres://ada:s3cret@db.example.org/assize", "postgres://ada:***@db.example.org/assize"),
        ("postgres://ada:s3:cr@et@db/assize", "postgres://ada:***@db/assize"),
        ("postgres://db/assize?user=ada&password=s3cret", "postgres://db/assize?user=ada&password=***"),
        ("postgres://db/assize?password=s3cret", "postgres://db/assize?password=***"),
        ("host=/run user=ada password=s3cret dbname=assize", "host=/run user=ada password=*** dbname=assize"),
    ] {
        assert_eq!(without_password(address), shown);
    }
}

/// Parses a boolean environment variable.
fn switched_on(name: &str) -> Result<bool, Failure> {
    let said = env::var_os(name).unwrap_or_default().to_string_lossy().to_lowercase();
    match said.as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "" | "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(Failure::Use(format!("{name}: `{said}` is neither yes nor no; use `true` or `false`"))),
    }
}
