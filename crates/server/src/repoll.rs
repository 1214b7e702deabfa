//! Polls a future again at once when it was woken during its poll, instead of rescheduling its task.
//!
//! Hyper wakes its own connection while it is polled when the service asks for a request body. Without this,
//! every request with a body would go through the runtime's queue once more, often to another thread.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

/// Number of polls before the task yields to others.
const MAX_POLLS: usize = 4;

/// The future is being polled.
const POLLING: u8 = 1;
/// The future was woken since its poll began.
const WOKEN: u8 = 2;

/// Drives a future to its output, polling again when it was woken during a poll.
pub(crate) async fn repoll<T>(work: &mut (impl Future<Output = T> + Unpin)) -> T {
    let flag = Arc::new(WakeFlag::default());
    let waker = Waker::from(flag.clone());
    poll_fn(|context| flag.poll(context, || Pin::new(&mut *work).poll(&mut Context::from_waker(&waker))))
        .await
}

/// The waker of the future; wakes the task unless the future is being polled.
#[derive(Default)]
struct WakeFlag {
    state: AtomicU8,
    waiting: AtomicWaker,
}

impl WakeFlag {
    /// Polls until the future is ready or was not woken during the poll, at most [`MAX_POLLS`] times.
    fn poll<T>(&self, context: &Context<'_>, mut poll_once: impl FnMut() -> Poll<T>) -> Poll<T> {
        self.waiting.register(context.waker());
        for _ in 0..MAX_POLLS {
            self.state.swap(POLLING, Ordering::AcqRel);
            if let Poll::Ready(done) = poll_once() {
                return Poll::Ready(done);
            }
            if self.state.fetch_and(!POLLING, Ordering::AcqRel) & WOKEN == 0 {
                return Poll::Pending;
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Wake for WakeFlag {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.state.fetch_or(WOKEN, Ordering::AcqRel) & POLLING == 0 {
            self.waiting.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Polls once a future that wakes itself in its first `wakes` polls; returns its polls and the wakes of
    /// the task.
    fn count_polls(wakes: usize) -> (usize, usize) {
        let task = Arc::new(Count::default());
        let mut polls = 0;
        let mut work = pin!(poll_fn(|context| {
            polls += 1;
            if polls <= wakes {
                context.waker().wake_by_ref();
            }
            Poll::<()>::Pending
        }));
        let waker = Waker::from(task.clone());
        let waiting = pin!(repoll(&mut work)).poll(&mut Context::from_waker(&waker));
        assert!(waiting.is_pending());
        (polls, task.0.load(Ordering::SeqCst))
    }

    #[test]
    fn a_future_woken_during_its_poll_is_polled_again_up_to_the_limit() {
        assert_eq!(count_polls(0), (1, 0));
        assert_eq!(count_polls(1), (2, 0));
        assert_eq!(count_polls(MAX_POLLS - 1), (MAX_POLLS, 0));
        assert_eq!(count_polls(usize::MAX), (MAX_POLLS, 1), "then the task is rescheduled");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn no_wake_from_another_thread_is_lost() {
        const ROUNDS: usize = 20_000;
        let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
        let sending = tokio::spawn(async move {
            for round in 0..ROUNDS {
                sender.send(round).await.unwrap();
            }
        });
        let mut work = Box::pin(async {
            let mut received = 0;
            while let Some(round) = receiver.recv().await {
                assert_eq!(round, received);
                received += 1;
            }
            received
        });
        assert_eq!(repoll(&mut work).await, ROUNDS);
        sending.await.unwrap();
    }
}
