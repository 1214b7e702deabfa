//! Noticing that another program has appended to the file.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;

use super::open::File;
use super::rows;
use crate::LedgerError;

/// How often it is looked. SQLite has nobody to call us: it counts, and the count costs nothing to read.
const EVERY: Duration = Duration::from_millis(250);

/// A thread that looks, until this is dropped.
pub(super) struct Watch {
    /// Its thread ends when this is gone.
    looking: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    pub(super) fn start(file: Arc<File>, wake: Box<dyn Fn() + Send>) -> Result<Self, LedgerError> {
        let connection = file.reader()?;
        let (looking, ended) = channel();
        let look = move || {
            let mut last = count(&connection);
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                let now = count(&connection);
                if now != last {
                    last = now;
                    let ours = file.appended();
                    if !rows::head(&connection).is_ok_and(|head| head.position <= ours) {
                        wake();
                    }
                }
            }
        };
        let thread = std::thread::Builder::new().name("watch".into()).spawn(look);
        let thread =
            thread.map_err(|error| LedgerError::Unavailable(format!("no thread to watch with: {error}")))?;
        Ok(Self { looking: Some(looking), thread: Some(thread) })
    }
}

/// Moves with every change that another connection has made.
fn count(connection: &Connection) -> Option<i64> {
    connection.query_row("PRAGMA data_version", [], |row| row.get(0)).ok()
}

impl Drop for Watch {
    /// So that the file is closed before the program ends.
    fn drop(&mut self) {
        drop(self.looking.take());
        if let Some(thread) = self.thread.take() {
            // One that has panicked has nothing open either.
            let _ = thread.join();
        }
    }
}
