//! Files with mode 0600, because they contain ground truth and the hashes of tokens.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Creates a file that only its owner may read and write. SQLite gives its own files beside it the same mode.
///
/// # Errors
/// When the file exists or cannot be created.
pub fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}
