//! Files that only their owner may read: ground truth and the hashes of tokens are in them.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Makes a new file that only its owner may read and write. SQLite gives the same rights to its own files beside it.
///
/// # Errors
/// When there is something of this name, or the file cannot be made.
pub fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}
