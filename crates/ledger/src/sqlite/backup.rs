//! Copying a SQLite ledger while it is in use.

use std::path::Path;

use assize_kernel::Head;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::faults::explain;
use super::open::File;
use super::rows;
use crate::{LedgerError, copy};

/// Copies the file as it is at one moment; appending goes on meanwhile.
pub(super) fn copy(source: &File, target: &Path) -> Result<Head, LedgerError> {
    copy::under_another_name(target, |unfinished| {
        let from = source.reader()?;
        let copied = || -> rusqlite::Result<Head> {
            let mut to = Connection::open(unfinished)?;
            // All pages in one step: a copy in several would start anew with every append.
            while Backup::new(&from, &mut to)?.step(-1)? != StepResult::Done {}
            rows::head(&to)
        };
        copied().map_err(|error| explain(target, error))
    })
}
