//! Opening the ledger that the options name.

use std::sync::Arc;

use assize_ledger::{Ledger, LedgerError, PostgresLedger, SqliteLedger};

use crate::args::Store;

/// The ledger, made when it is not there.
pub(crate) fn open(store: &Store) -> Result<Arc<dyn Ledger>, LedgerError> {
    match &store.postgres {
        Some(url) => Ok(Arc::new(PostgresLedger::open(url)?)),
        None => Ok(Arc::new(SqliteLedger::open(&store.data)?)),
    }
}

/// The ledger, which must be there.
pub(crate) fn open_existing(store: &Store) -> Result<Arc<dyn Ledger>, LedgerError> {
    match &store.postgres {
        Some(url) => Ok(Arc::new(PostgresLedger::open(url)?)),
        None => Ok(Arc::new(SqliteLedger::open_existing(&store.data)?)),
    }
}
