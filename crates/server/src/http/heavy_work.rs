//! Limits for long documents: they are judged on fewer threads than there are cores and at a lower priority, and
//! each token has a share of the waiting places, so that submissions to a contest keep their latency.

use std::collections::HashMap;
use std::fmt::Display;
use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

use assize_kernel::Digest;
use axum::http::StatusCode;
use tokio::sync::{Semaphore, oneshot};

use super::problem::Problem;

/// Documents up to this size in bytes are judged at once.
const LIGHT: usize = 32 * 1024;
/// Maximum number of long documents of one token that are judged or wait.
const PER_TOKEN: usize = 8;
/// Niceness of the threads that judge long documents, from 0 to 19.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 15;

/// The limits of one process; clones share them.
#[derive(Clone)]
pub(crate) struct HeavyWork {
    slots: Arc<Semaphore>,
    in_progress: Arc<Mutex<HashMap<Digest, usize>>>,
}

/// A place of a token; given back on drop.
struct Share {
    token: Digest,
    in_progress: Arc<Mutex<HashMap<Digest, usize>>>,
}

impl HeavyWork {
    /// One thread fewer than there are cores, and at least one.
    pub(crate) fn new() -> Self {
        let cores = available_parallelism().map_or(1, NonZero::get);
        Self { slots: Arc::new(Semaphore::new((cores - 1).max(1))), in_progress: Arc::default() }
    }

    /// Runs `work` on a document of `size` bytes on another thread; a long document waits for a slot. Work that still
    /// waits when the request is dropped is never started.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        token: Digest,
        size: usize,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let broken = |error: &dyn Display| Problem::internal(&error.to_string());
        if size <= LIGHT {
            let done = tokio::task::spawn_blocking(work).await;
            return done.unwrap_or_else(|error| Err(broken(&error)));
        }
        let share = self.share(token)?;
        let slot = self.slots.clone().acquire_owned().await.map_err(|error| broken(&error))?;
        let (reply, done) = oneshot::channel();
        let judge = move || {
            // Held until the work ends, also when the request has timed out, and given back before the answer: the
            // client may send its next document at once.
            let held = (share, slot);
            lower_priority();
            let done = work();
            drop(held);
            // The request may have timed out.
            drop(reply.send(done));
        };
        std::thread::Builder::new().name("judge".into()).spawn(judge).map_err(|error| broken(&error))?;
        done.await.unwrap_or_else(|_| Err(Problem::internal("judging a document panicked")))
    }

    fn share(&self, token: Digest) -> Result<Share, Problem> {
        let mut in_progress = lock(&self.in_progress);
        let count = in_progress.entry(token).or_default();
        if *count >= PER_TOKEN {
            let detail = format!(
                "{PER_TOKEN} long documents of this token are being judged or wait; send the next one when one of \
                 them is done, or judge a table of them with `assize eval`"
            );
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "judge.too_many", detail).retry_after(1));
        }
        *count += 1;
        Ok(Share { token, in_progress: self.in_progress.clone() })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut in_progress = lock(&self.in_progress);
        if let Some(count) = in_progress.get_mut(&self.token) {
            *count -= 1;
            if *count == 0 {
                in_progress.remove(&self.token);
            }
        }
    }
}

/// Lets all other threads run first. Without it the judging is only less polite.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICENESS) {
        tracing::debug!(%error, "failed to lower the priority of a thread");
    }
}

fn lock(in_progress: &Mutex<HashMap<Digest, usize>>) -> MutexGuard<'_, HashMap<Digest, usize>> {
    in_progress.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    fn limits(slots: usize) -> Arc<HeavyWork> {
        Arc::new(HeavyWork { slots: Arc::new(Semaphore::new(slots)), in_progress: Arc::default() })
    }

    #[tokio::test]
    async fn long_documents_are_judged_on_a_few_threads_and_short_ones_at_once() {
        let heavy_work = limits(2);
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let judge = |number: u8| {
            let (heavy_work, running, most) = (heavy_work.clone(), running.clone(), most.clone());
            tokio::spawn(async move {
                let work = move || {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(20));
                    running.fetch_sub(1, Ordering::SeqCst);
                    Ok(())
                };
                heavy_work.run(Digest::of(&[number]), LIGHT + 1, work).await
            })
        };
        let all: Vec<_> = (0..20).map(judge).collect();
        assert!(heavy_work.run(Digest::of(b"x"), LIGHT, || Ok(1)).await.is_ok_and(|one| one == 1));
        for each in all {
            assert!(each.await.unwrap().is_ok());
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
        assert!(lock(&heavy_work.in_progress).is_empty());
    }

    #[tokio::test]
    async fn a_token_has_its_share_and_gets_it_back() {
        let heavy_work = limits(1);
        let (own, other) = (Digest::of(b"own"), Digest::of(b"other"));
        let slot = heavy_work.slots.clone().acquire_owned().await.unwrap();
        let mut waiting = Vec::new();
        for _ in 0..PER_TOKEN {
            let mut judged = Box::pin(heavy_work.run(own, LIGHT + 1, || Ok(())));
            let polled = futures_util::future::poll_immediate(&mut judged).await;
            assert!(polled.is_none(), "it waits for the slot");
            waiting.push(judged);
        }
        let refused = heavy_work.run(own, LIGHT + 1, || Ok(())).await.unwrap_err();
        assert_eq!(refused.code(), "judge.too_many");
        // The client of one of them has gone: its document is never judged.
        drop(waiting.pop());
        drop(slot);
        let (judged, others) =
            (heavy_work.run(own, LIGHT + 1, || Ok(())), heavy_work.run(other, LIGHT + 1, || Ok(())));
        let (all, judged, others) = tokio::join!(futures_util::future::join_all(waiting), judged, others);
        assert!(all.iter().all(Result::is_ok) && judged.is_ok() && others.is_ok());
        assert!(lock(&heavy_work.in_progress).is_empty());
    }
}
