//! Identity of a file: a path that is moved, deleted or replaced no longer leads to the file that is open.

use std::io;
use std::path::{Path, PathBuf};

use crate::LedgerError;
use crate::copy::beside;

/// Device and inode of a file. Equal for two paths that lead to the same file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileIdentity {
    device: u64,
    inode: u64,
}

/// Identities of the files that SQLite keeps beside a ledger (log and shared memory), as far as they exist.
pub(super) type BesideFiles = [Option<FileIdentity>; 2];

/// The file that a path led to when it was opened.
pub(super) struct OpenedFile {
    path: PathBuf,
    identity: FileIdentity,
    beside: [PathBuf; 2],
}

impl OpenedFile {
    /// Notes the file that was just opened under this path.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        let identity = FileIdentity::at(path)?.ok_or(io::ErrorKind::NotFound)?;
        // SQLite keeps its files at the end of symbolic links.
        let real = path.canonicalize()?;
        let beside = ["-wal", "-shm"].map(|suffix| beside(&real, suffix));
        Ok(Self { path: path.to_owned(), identity, beside })
    }

    /// Checks that the path still leads to this file. Costs one `stat`.
    ///
    /// # Errors
    /// [`LedgerError::Unavailable`]: what is written to the open file could not be found again.
    pub(super) fn in_place(&self) -> Result<(), LedgerError> {
        let file = self.path.display();
        let message = match FileIdentity::at(&self.path) {
            Ok(Some(found)) if found == self.identity => return Ok(()),
            Ok(Some(_)) => format!(
                "the ledger file `{file}` was replaced by another while it was open; put the first one back and it \
                 goes on by itself, or restart the server with the new one"
            ),
            Ok(None) => format!(
                "the ledger file `{file}` was moved or deleted while it was open; put it back and it goes on by \
                 itself, or stop the server and restore a backup"
            ),
            Err(error) => format!("the ledger `{file}` cannot be read or written: {error}"),
        };
        Err(LedgerError::Unavailable(message))
    }

    /// The present files beside the ledger. They stay the same as long as a connection is open.
    pub(super) fn beside(&self) -> BesideFiles {
        self.beside.each_ref().map(|path| FileIdentity::at(path).ok().flatten())
    }

    /// Checks that the files beside the ledger are those that a connection uses. Costs two `stat`s.
    ///
    /// # Errors
    /// [`LedgerError::Unavailable`]: after a kill, what is in an unreachable log would be lost.
    pub(super) fn beside_in_place(&self, used: &BesideFiles) -> Result<(), LedgerError> {
        let found = self.beside();
        let pairs = used.iter().zip(&found);
        let lost = self.beside.iter().zip(pairs).find(|(_, (used, found))| used.is_some() && used != found);
        lost.map_or(Ok(()), |(path, _)| {
            Err(LedgerError::Unavailable(format!(
                "the file `{}`, a part of the open ledger, was moved or deleted; restart the server, which saves \
                 what is in it",
                path.display()
            )))
        })
    }
}

impl FileIdentity {
    /// The identity of the file at a path; none when there is no file.
    #[cfg(unix)]
    fn at(path: &Path) -> io::Result<Option<Self>> {
        use std::os::unix::fs::MetadataExt;

        let found = metadata(path)?;
        Ok(found.map(|metadata| Self { device: metadata.dev(), inode: metadata.ino() }))
    }

    /// Where there are no inodes, all files are equal and none is ever found to be replaced.
    #[cfg(not(unix))]
    fn at(path: &Path) -> io::Result<Option<Self>> {
        Ok(metadata(path)?.map(|_| Self { device: 0, inode: 0 }))
    }
}

/// The number of names (hard links) of the file at a path; 1 where it is unknown.
#[cfg(unix)]
pub(super) fn names(path: &Path) -> io::Result<u64> {
    use std::os::unix::fs::MetadataExt;

    Ok(metadata(path)?.map_or(1, |metadata| metadata.nlink()))
}

/// The number of names (hard links) of the file at a path; 1 where it is unknown.
#[cfg(not(unix))]
pub(super) fn names(_: &Path) -> io::Result<u64> {
    Ok(1)
}

fn metadata(path: &Path) -> io::Result<Option<std::fs::Metadata>> {
    match std::fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
