//! What can go wrong with a store, in words a person can act on.

/// A store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// It may work again later: the disk is full, the file is locked, the database is away.
    #[error("{0}")]
    Unavailable(String),
    /// The connection broke while committing: look for the batch before answering anybody, and do so in the next
    /// turn, because until then the store may not have heard of the commit.
    #[error("the connection broke during the commit: {0}")]
    CommitUnknown(String),
    /// It cannot be opened; nothing will change that but a person.
    #[error("{0}")]
    Unusable(String),
    /// Written by a newer program.
    #[error(
        "{place} was written by a newer assize (schema {found}, this program knows up to {known}); \
         use the newer program, or import an export of it"
    )]
    Newer {
        /// The file or database.
        place: String,
        /// Its schema.
        found: i64,
        /// The newest schema this program knows.
        known: i64,
    },
    /// What it holds is not what was written.
    #[error("{0}")]
    Damaged(String),
}
