//! Where the ledger is: what the command line says, else the environment, else the file `assize.db`.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use assize_ledger::{Ledger, LedgerError, MemoryLedger, PostgresLedger, SqliteLedger};

use crate::args::Store;
use crate::output::Failure;

const DATA: &str = "ASSIZE_DATA";
const POSTGRES: &str = "ASSIZE_POSTGRES";
const EPHEMERAL: &str = "ASSIZE_EPHEMERAL";

/// A place for a ledger.
pub(crate) enum Place {
    Memory,
    File(PathBuf),
    Postgres(String),
}

/// The ledger, which must be there.
pub(crate) fn open_existing(store: &Store) -> Result<Arc<dyn Ledger>, Failure> {
    Ok(match Place::of(store)? {
        Place::Memory => Arc::new(MemoryLedger::new()),
        Place::File(file) => Arc::new(SqliteLedger::open_existing(&file)?),
        Place::Postgres(url) => Arc::new(PostgresLedger::open_existing(&url)?),
    })
}

impl Place {
    /// The place that a command looks at.
    pub(crate) fn of(store: &Store) -> Result<Self, Failure> {
        Self::on_the_command_line(store).map_or_else(|| Self::in_the_environment(false), Ok)
    }

    /// The place that a server keeps; it alone may keep everything in memory.
    pub(crate) fn of_server(store: &Store, ephemeral: bool) -> Result<Self, Failure> {
        let told_to_forget = switched_on(EPHEMERAL)?;
        if ephemeral {
            return Ok(Self::Memory);
        }
        Self::on_the_command_line(store).map_or_else(|| Self::in_the_environment(told_to_forget), Ok)
    }

    /// The ledger, made when it is not there.
    pub(crate) fn open(&self) -> Result<Arc<dyn Ledger>, LedgerError> {
        Ok(match self {
            Self::Memory => Arc::new(MemoryLedger::new()),
            Self::File(file) => Arc::new(SqliteLedger::open(file)?),
            Self::Postgres(url) => Arc::new(PostgresLedger::open(url)?),
        })
    }

    fn on_the_command_line(store: &Store) -> Option<Self> {
        let file = store.data.clone().map(Self::File);
        file.or_else(|| store.postgres.clone().map(Self::Postgres))
    }

    fn in_the_environment(ephemeral: bool) -> Result<Self, Failure> {
        let [data, postgres] =
            [DATA, POSTGRES].map(|name| env::var_os(name).filter(|value| !value.is_empty()));
        match (data, postgres, ephemeral) {
            (None, None, false) => Ok(Self::File("assize.db".into())),
            (None, None, true) => Ok(Self::Memory),
            (Some(file), None, false) => Ok(Self::File(file.into())),
            (None, Some(url), false) => Ok(Self::Postgres(url.to_string_lossy().into_owned())),
            (data, postgres, _) => {
                let set = [(DATA, data.is_some()), (POSTGRES, postgres.is_some()), (EPHEMERAL, ephemeral)];
                let set: Vec<_> = set.iter().filter(|(_, set)| *set).map(|(name, _)| *name).collect();
                Err(Failure::Use(format!("{} cannot be set together; unset all but one", set.join(" and "))))
            }
        }
    }
}

/// Whether a setting of the environment says yes.
fn switched_on(name: &str) -> Result<bool, Failure> {
    let said = env::var_os(name).unwrap_or_default().to_string_lossy().to_lowercase();
    match said.as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "" | "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(Failure::Use(format!("{name}: `{said}` is neither yes nor no; use `true` or `false`"))),
    }
}
