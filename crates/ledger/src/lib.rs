//! The ledger: append-only, one total order, every record chained to the one before it.
//!
//! Three stores stand behind one border: [`MemoryLedger`], [`SqliteLedger`] and [`PostgresLedger`]. One contract
//! test suite runs against all three.

mod access;
mod blobs;
mod border;
mod chain;
mod copy;
mod cursor;
mod enter;
mod erase;
mod error;
mod export;
mod graft;
mod hex;
mod import;
mod lines;
mod memory;
mod pool;
mod postgres;
mod private;
mod sequence;
mod sqlite;
mod verify;
mod walk;
mod webhooks;

pub use access::{AccessChange, Code, Credentials, Session, Token, User};
pub use border::{Batch, Depth, EachRecord, Key, KeyEntry, Ledger, Locked, Scan, Snapshot, Whose, Writer};
pub use enter::{Entry, enter};
pub use erase::{Erased, erase};
pub use error::LedgerError;
pub use export::export;
pub use graft::{Graft, graft};
pub use import::import;
pub use memory::MemoryLedger;
pub use postgres::PostgresLedger;
pub use private::create_private;
pub use sequence::Sequence;
pub use sqlite::SqliteLedger;
pub use verify::{Verified, verify, verify_holding};
pub use webhooks::{DeadLetter, Hold, Progress, Secret, Webhook, WebhookChange, WebhookStore};
