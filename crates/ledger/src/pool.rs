//! A connection pool.

use std::sync::{Mutex, PoisonError};

use crate::LedgerError;

/// Connections beyond this number are closed after use.
const MAX_IDLE: usize = 8;

/// Connections opened on demand and reused until one fails.
pub(crate) struct ConnectionPool<C> {
    idle: Mutex<Vec<C>>,
    open: Box<dyn Fn() -> Result<C, LedgerError> + Send + Sync>,
}

impl<C> ConnectionPool<C> {
    pub(crate) fn new(open: impl Fn() -> Result<C, LedgerError> + Send + Sync + 'static) -> Self {
        Self { idle: Mutex::new(Vec::new()), open: Box::new(open) }
    }

    /// Runs `work` on a connection. A connection on which it fails is closed; if it was a pooled one, it may
    /// have been stale, so the work is retried once on a new connection.
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
        if outcome.is_ok() && idle.len() < MAX_IDLE {
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
