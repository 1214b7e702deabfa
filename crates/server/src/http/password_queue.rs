//! Queue for hashing passwords: a few at once, and a limited number that wait for a limited time.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::Semaphore;

use super::problem::Problem;
use super::timeout::within;
use super::{App, blocking};

/// Maximum number of passwords hashed at once: each takes 19 MiB and some hundredths of a second.
const AT_ONCE: usize = 4;
/// Maximum number of passwords that wait.
const WAITING: usize = 1_024;
/// Longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// Value of `Retry-After` when the queue is full, in seconds.
const RETRY_AFTER: u16 = 5;

/// Permits for waiting and for hashing.
pub(crate) struct PasswordQueue {
    waiting: Arc<Semaphore>,
    hashing: Arc<Semaphore>,
}

impl Default for PasswordQueue {
    fn default() -> Self {
        Self { waiting: Arc::new(Semaphore::new(WAITING)), hashing: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

/// Runs password hashing on the blocking thread pool when it is its turn. The permit is held until the hash is
/// finished, even when the client has gone.
pub(crate) async fn with_password<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let PasswordQueue { waiting, hashing } = &*app.passwords;
    let place = waiting.try_acquire().map_err(|_| busy())?;
    let permit = within(LONGEST_WAIT, Arc::clone(hashing).acquire_owned()).await.ok_or_else(busy)?;
    let permit = permit.map_err(|error| Problem::internal(&error.to_string()))?;
    drop(place);
    blocking(app, move |app| {
        let done = work(app);
        drop(permit);
        done
    })
    .await
}

fn busy() -> Problem {
    let detail =
        format!("too many passwords are being checked; nothing was done, try again in {RETRY_AFTER} s");
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "access.passwords_busy", detail).retry_after(RETRY_AFTER)
}
