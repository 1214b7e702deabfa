//! The ledger: an append-only log of records in one total order, each chained to the one before it by its
//! hash.
//!
//! Three stores implement the [`Ledger`] trait: [`MemoryLedger`], [`SqliteLedger`] and [`PostgresLedger`].
//! One contract test suite runs against all three.

mod access;
mod append_foreign;
mod blobs;
mod chain;
mod copy;
mod cursor;
mod engine_record;
mod erase;
mod error;
mod export;
mod hex;
mod import;
mod lines;
mod memory;
mod pool;
mod postgres;
mod private;
mod sequence;
mod sqlite;
mod store;
mod verify;
mod walk;
mod webhooks;

pub use access::{AccessChange, AccessToken, CredentialStore, InvitationCode, UserAccount, UserSession};
pub use append_foreign::{ForeignRecord, append_foreign};
pub use engine_record::{EngineRecord, append_engine_record};
pub use erase::{ErasedData, erase};
pub use error::LedgerError;
pub use export::export;
pub use import::import;
pub use memory::MemoryLedger;
pub use postgres::PostgresLedger;
pub use private::create_private;
pub use sequence::SequenceCheck;
pub use sqlite::SqliteLedger;
pub use store::{
    Batch, Depth, EachRecord, KeyEntry, Ledger, LockedWriter, Scan, ScopedKey, Snapshot, StreamActor, Writer,
};
pub use verify::{VerifyReport, verify, verify_holding};
pub use webhooks::{
    DeadLetter, Webhook, WebhookChange, WebhookLease, WebhookProgress, WebhookSecret, WebhookStore,
};
