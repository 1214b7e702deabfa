//! Subscribing to appends by other processes, with `LISTEN`.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use ::postgres::fallible_iterator::FallibleIterator;

use super::connect::{Connection, Database};
use super::faults::explain;
use crate::LedgerError;

/// How long the thread may take to notice that the subscription has ended.
const HEARTBEAT: Duration = Duration::from_millis(100);
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A subscription, which ends when it is dropped.
pub(super) struct NotificationWatch {
    shared: Arc<WatchState>,
}

struct WatchState {
    /// None when the subscription has ended.
    wake: Mutex<Option<Box<dyn Fn() + Send>>>,
    ended: Condvar,
}

impl NotificationWatch {
    /// Calls `wake` for each notification that is not by `sender`.
    pub(super) fn start(
        database: Arc<Database>,
        sender: Arc<str>,
        wake: Box<dyn Fn() + Send>,
    ) -> Result<Self, LedgerError> {
        let connection = listen(&database)?;
        let shared = Arc::new(WatchState { wake: Mutex::new(Some(wake)), ended: Condvar::new() });
        let listener = Arc::clone(&shared);
        let name = "ledger-watch".to_owned();
        let started =
            thread::Builder::new().name(name).spawn(move || listener.run(&database, &sender, connection));
        started.map_err(|error| LedgerError::Unavailable(format!("cannot start a thread: {error}")))?;
        Ok(Self { shared })
    }
}

impl Drop for NotificationWatch {
    fn drop(&mut self) {
        *self.shared.wake() = None;
        self.shared.ended.notify_all();
    }
}

impl WatchState {
    fn run(&self, database: &Database, sender: &str, first: Connection) {
        let mut connection = Some(first);
        let mut pause = SHORTEST_PAUSE;
        while self.is_wanted() {
            match connection.take() {
                Some(open) => self.receive(open, sender),
                None => match listen(database) {
                    Ok(open) => {
                        pause = SHORTEST_PAUSE;
                        // A notification may have been missed while there was no connection.
                        self.call();
                        connection = Some(open);
                    }
                    Err(_) => {
                        self.wait(pause);
                        pause = LONGEST_PAUSE.min(pause * 2);
                    }
                },
            }
        }
    }

    /// Passes notifications on until the connection breaks or the subscription ends.
    fn receive(&self, mut connection: Connection, sender: &str) {
        while self.is_wanted() && !connection.client.is_closed() {
            let mut notifications = connection.client.notifications();
            let mut received = notifications.timeout_iter(HEARTBEAT);
            match received.next() {
                Ok(Some(notification)) if notification.payload() != sender => self.call(),
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    fn call(&self) {
        if let Some(wake) = self.wake().as_ref() {
            wake();
        }
    }

    fn is_wanted(&self) -> bool {
        self.wake().is_some()
    }

    fn wait(&self, pause: Duration) {
        let wanted = self.wake();
        if wanted.is_some() {
            drop(self.ended.wait_timeout(wanted, pause));
        }
    }

    fn wake(&self) -> MutexGuard<'_, Option<Box<dyn Fn() + Send>>> {
        self.wake.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn listen(database: &Database) -> Result<Connection, LedgerError> {
    let mut connection = database.connect()?;
    let listening = connection.client.batch_execute("LISTEN assize");
    listening.map_err(|error| explain(&database.place, &error))?;
    Ok(connection)
}
