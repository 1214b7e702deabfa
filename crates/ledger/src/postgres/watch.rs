//! Hearing from PostgreSQL that another process has appended.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use ::postgres::fallible_iterator::FallibleIterator;

use super::connect::{Connection, Database};
use super::faults::explain;
use crate::LedgerError;

/// How long the ear may take to notice that nobody wants to hear any more.
const HEARTBEAT: Duration = Duration::from_millis(100);
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Listens until this is dropped.
pub(super) struct Watch {
    shared: Arc<Shared>,
}

struct Shared {
    /// None when it is over.
    wake: Mutex<Option<Box<dyn Fn() + Send>>>,
    over: Condvar,
}

impl Watch {
    /// Calls `wake` for everything that others than `sender` append.
    pub(super) fn start(
        database: Arc<Database>,
        sender: Arc<str>,
        wake: Box<dyn Fn() + Send>,
    ) -> Result<Self, LedgerError> {
        let connection = listen(&database)?;
        let shared = Arc::new(Shared { wake: Mutex::new(Some(wake)), over: Condvar::new() });
        let ear = Arc::clone(&shared);
        let name = "ledger-watch".to_owned();
        let started =
            thread::Builder::new().name(name).spawn(move || ear.run(&database, &sender, connection));
        started.map_err(|error| LedgerError::Unavailable(format!("no thread to be had: {error}")))?;
        Ok(Self { shared })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        *self.shared.wake() = None;
        self.shared.over.notify_all();
    }
}

impl Shared {
    fn run(&self, database: &Database, sender: &str, first: Connection) {
        let mut connection = Some(first);
        let mut pause = SHORTEST_PAUSE;
        while self.is_wanted() {
            match connection.take() {
                Some(open) => self.hear(open, sender),
                None => match listen(database) {
                    Ok(open) => {
                        pause = SHORTEST_PAUSE;
                        // Something may have been said while nobody listened.
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

    /// Passes on what is said until the connection breaks or nobody wants to hear any more.
    fn hear(&self, mut connection: Connection, sender: &str) {
        while self.is_wanted() && !connection.client.is_closed() {
            let mut notifications = connection.client.notifications();
            let mut heard = notifications.timeout_iter(HEARTBEAT);
            match heard.next() {
                Ok(Some(said)) if said.payload() != sender => self.call(),
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
            drop(self.over.wait_timeout(wanted, pause));
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
