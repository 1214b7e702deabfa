//! The ledger: append-only, one total order, every record chained to the one before it.
//!
//! Three stores stand behind one border: [`memory`], [`sqlite`] and [`postgres`]. One contract test suite runs
//! against all three.

mod border;
mod error;

pub use border::{Batch, Depth, Key, KeyEntry, Ledger, Locked, Scan, Snapshot, Token, Writer};
pub use error::LedgerError;
