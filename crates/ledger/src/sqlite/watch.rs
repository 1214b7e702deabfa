//! Detecting appends by other processes, by polling.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;

use super::open::LedgerFile;
use super::rows;
use crate::LedgerError;

/// The polling interval. SQLite has no notifications, but a change counter that is cheap to read.
const EVERY: Duration = Duration::from_millis(250);

/// The polling thread, which ends when this is dropped.
pub(super) struct FileWatch {
    /// The thread ends when this sender is dropped.
    running: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl FileWatch {
    pub(super) fn start(file: Arc<LedgerFile>, wake: Box<dyn Fn() + Send>) -> Result<Self, LedgerError> {
        let connection = file.reader()?;
        let (running, ended) = channel();
        let poll = move || {
            let mut last = data_version(&connection);
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                let now = data_version(&connection);
                if now != last {
                    last = now;
                    let ours = file.appended();
                    if !rows::head(&connection).is_ok_and(|head| head.position <= ours) {
                        wake();
                    }
                }
            }
        };
        let thread = std::thread::Builder::new().name("watch".into()).spawn(poll);
        let thread =
            thread.map_err(|error| LedgerError::Unavailable(format!("cannot start a thread: {error}")))?;
        Ok(Self { running: Some(running), thread: Some(thread) })
    }
}

/// A counter that changes with every commit by another connection.
fn data_version(connection: &Connection) -> Option<i64> {
    connection.query_row("PRAGMA data_version", [], |row| row.get(0)).ok()
}

impl Drop for FileWatch {
    /// Waits for the thread, so that the file is closed before the program ends.
    fn drop(&mut self) {
        drop(self.running.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has closed the file as well.
            let _ = thread.join();
        }
    }
}
