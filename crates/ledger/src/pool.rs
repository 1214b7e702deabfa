//! Connections that wait to be used again.

use std::sync::{Mutex, PoisonError};

use crate::LedgerError;

/// More would only wait.
const MOST_IDLE: usize = 8;

/// Connections that are opened on demand and kept as long as they work.
pub(crate) struct Pool<C> {
    idle: Mutex<Vec<C>>,
    open: Box<dyn Fn() -> Result<C, LedgerError> + Send + Sync>,
}

impl<C> Pool<C> {
    pub(crate) fn new(open: impl Fn() -> Result<C, LedgerError> + Send + Sync + 'static) -> Self {
        Self { idle: Mutex::new(Vec::new()), open: Box::new(open) }
    }

    /// Does some work on a connection of its own. A connection on which it fails is not used again; when it had
    /// been waiting here, it may have been stale, so the work is done once more on a new one.
    pub(crate) fn with<T>(
        &self,
        mut work: impl FnMut(&mut C) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        if let Some(mut connection) = self.take() {
            match work(&mut connection) {
                Err(LedgerError::Unavailable(_)) => self.idle().clear(),
                outcome => return self.settle(connection, outcome),
            }
        }
        let mut connection = (self.open)()?;
        let outcome = work(&mut connection);
        self.settle(connection, outcome)
    }

    fn settle<T>(&self, connection: C, outcome: Result<T, LedgerError>) -> Result<T, LedgerError> {
        let mut idle = self.idle();
        if outcome.is_ok() && idle.len() < MOST_IDLE {
            idle.push(connection);
        }
        outcome
    }

    fn take(&self) -> Option<C> {
        self.idle().pop()
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<C>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
