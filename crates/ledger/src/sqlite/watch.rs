//! Noticing that another program has written to the file.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::open::File;
use crate::LedgerError;

/// How often it is looked. SQLite has nobody to call us: it counts, and the count costs nothing to read.
const EVERY: Duration = Duration::from_millis(250);

/// A thread that looks, until this is dropped.
pub(super) struct Watch {
    /// Its thread ends when this is gone.
    _looking: Sender<()>,
}

impl Watch {
    pub(super) fn start(file: Arc<File>, wake: Box<dyn Fn() + Send>) -> Result<Self, LedgerError> {
        let connection = file.reader()?;
        let (looking, ended) = channel();
        let look = move || {
            let count = || connection.query_row("PRAGMA data_version", [], |row| row.get::<_, i64>(0));
            let mut last = count().ok();
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                let now = count().ok();
                if now != last {
                    last = now;
                    wake();
                }
            }
        };
        let thread = std::thread::Builder::new().name("watch".into()).spawn(look);
        thread.map_err(|error| LedgerError::Unavailable(format!("no thread to watch with: {error}")))?;
        Ok(Self { _looking: looking })
    }
}
