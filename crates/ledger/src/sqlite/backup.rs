//! Online backup of a SQLite ledger.

use std::path::Path;

use assize_kernel::Head;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::faults::explain;
use super::open::LedgerFile;
use super::rows;
use crate::{LedgerError, copy};

/// Copies the file as of one moment; appending goes on meanwhile.
pub(super) fn copy(source: &LedgerFile, target: &Path) -> Result<Head, LedgerError> {
    copy::write_then_rename(target, |unfinished| {
        let from = source.reader()?;
        let copied = || -> rusqlite::Result<Head> {
            let mut to = Connection::open(unfinished)?;
            // All pages in one step: a backup in several steps would restart with every append.
            while Backup::new(&from, &mut to)?.step(-1)? != StepResult::Done {}
            rows::head(&to)
        };
        copied().map_err(|error| explain(target, &error))
    })
}
