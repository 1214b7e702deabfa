//! The errors of a store, with messages a person can act on.

/// An error of a store.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// A retry may succeed: the disk is full, the file is locked, the database is down.
    #[error("{0}")]
    Unavailable(String),
    /// The connection broke during the commit. Look for the batch before responding, and do so under the next
    /// write lock, because until then the store may still be about to commit.
    #[error("the connection broke during the commit: {0}")]
    CommitUnknown(String),
    /// The store cannot be opened; a person must mend that.
    #[error("{0}")]
    Unusable(String),
    /// Written by a newer program.
    #[error(
        "{place} was written by a newer assize (schema {found}, this program knows up to {known}); \
         use the newer program, or import an export of it"
    )]
    Newer {
        /// The file or the database.
        place: String,
        /// Its schema.
        found: i64,
        /// The newest schema this program knows.
        known: i64,
    },
    /// The store holds something else than was written.
    #[error("{0}")]
    Damaged(String),
}
