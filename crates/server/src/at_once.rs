//! Work that calls for attention while it is looked at is looked at again at once, instead of standing in line.
//!
//! An HTTP library hands over a body when it is asked for it, and is asked while it is looked at. Every request with a
//! body would go through the runtime's queue once more, and often to another thread.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

/// So often is it looked at before others have their turn.
const LOOKS: usize = 4;

/// Somebody looks at the work.
const LOOKING: u8 = 1;
/// It has called since they began to.
const CALLED: u8 = 2;

/// What comes of some work.
pub(crate) async fn at_once<T>(work: &mut (impl Future<Output = T> + Unpin)) -> T {
    let bell = Arc::new(Bell::default());
    let called_by = Waker::from(bell.clone());
    poll_fn(|context| {
        bell.attend(context, || Pin::new(&mut *work).poll(&mut Context::from_waker(&called_by)))
    })
    .await
}

/// By which the work calls whoever waits for it, unless they are looking.
#[derive(Default)]
struct Bell {
    state: AtomicU8,
    waiting: AtomicWaker,
}

impl Bell {
    /// Looks until it is done, or has not called in the meantime.
    fn attend<T>(&self, context: &Context<'_>, mut look: impl FnMut() -> Poll<T>) -> Poll<T> {
        self.waiting.register(context.waker());
        for _ in 0..LOOKS {
            self.state.swap(LOOKING, Ordering::AcqRel);
            if let Poll::Ready(done) = look() {
                return Poll::Ready(done);
            }
            if self.state.fetch_and(!LOOKING, Ordering::AcqRel) & CALLED == 0 {
                return Poll::Pending;
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.state.fetch_or(CALLED, Ordering::AcqRel) & LOOKING == 0 {
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

    /// How often work that calls so many times is looked at when it is waited for once, and how often it calls outside.
    fn looked_at(calls: usize) -> (usize, usize) {
        let (outside, mut looks) = (Arc::new(Count::default()), 0);
        let mut work = pin!(poll_fn(|context| {
            looks += 1;
            if looks <= calls {
                context.waker().wake_by_ref();
            }
            Poll::<()>::Pending
        }));
        let waker = Waker::from(outside.clone());
        let waiting = pin!(at_once(&mut work)).poll(&mut Context::from_waker(&waker));
        assert!(waiting.is_pending());
        (looks, outside.0.load(Ordering::SeqCst))
    }

    #[test]
    fn what_calls_while_it_is_looked_at_is_looked_at_again_but_not_for_ever() {
        assert_eq!(looked_at(0), (1, 0));
        assert_eq!(looked_at(1), (2, 0));
        assert_eq!(looked_at(LOOKS - 1), (LOOKS, 0));
        assert_eq!(looked_at(usize::MAX), (LOOKS, 1), "the rest in its turn");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn no_call_from_elsewhere_is_lost() {
        const ROUNDS: usize = 20_000;
        let (come, mut go) = tokio::sync::mpsc::channel(1);
        let sender = tokio::spawn(async move {
            for round in 0..ROUNDS {
                come.send(round).await.unwrap();
            }
        });
        let mut work = Box::pin(async {
            let mut received = 0;
            while let Some(round) = go.recv().await {
                assert_eq!(round, received);
                received += 1;
            }
            received
        });
        assert_eq!(at_once(&mut work).await, ROUNDS);
        sender.await.unwrap();
    }
}
