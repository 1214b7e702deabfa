//! What waits for one client: little, and never more than so much.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::said::Said;
use crate::serve::Line;

/// How many events may wait for a client before it is dropped.
pub(super) const MOST: usize = 512;

/// Where the crier puts what a client is to hear.
pub(crate) struct Mailbox {
    inside: Mutex<Inside>,
    /// Cut when the client does not read what was sent: it would not notice an end either.
    line: Option<Line>,
}

#[derive(Default)]
struct Inside {
    waiting: VecDeque<Arc<Said>>,
    waker: Option<Waker>,
    closed: bool,
}

impl Mailbox {
    pub(super) fn new(line: Option<Line>) -> Self {
        Self { inside: Mutex::default(), line }
    }

    /// Leaves something for the client, or drops a client that has let too much lie.
    pub(super) fn put(&self, said: &Arc<Said>) {
        let mut inside = self.inside();
        if inside.closed {
            return;
        }
        if inside.waiting.len() >= MOST {
            drop(inside);
            tracing::debug!("a client that listens too slowly is dropped");
            self.close();
            return self.line.iter().for_each(Line::cut);
        }
        inside.waiting.push_back(said.clone());
        let waker = inside.waker.take();
        drop(inside);
        waker.into_iter().for_each(Waker::wake);
    }

    /// Nothing more is heard: what waits is thrown away. The client may come back and say what it heard last.
    pub(super) fn close(&self) {
        let mut inside = self.inside();
        inside.closed = true;
        inside.waiting = VecDeque::new();
        let waker = inside.waker.take();
        drop(inside);
        waker.into_iter().for_each(Waker::wake);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.inside().closed
    }

    /// The next thing to be heard; none when it is over.
    pub(super) async fn next(&self) -> Option<Arc<Said>> {
        poll_fn(|context| self.poll(context)).await
    }

    fn poll(&self, context: &Context<'_>) -> Poll<Option<Arc<Said>>> {
        let mut inside = self.inside();
        match inside.waiting.pop_front() {
            Some(said) => return Poll::Ready(Some(said)),
            None if inside.closed => return Poll::Ready(None),
            None => {}
        }
        // Room that a burst has taken is given back: most of the time nothing waits.
        inside.waiting = VecDeque::new();
        inside.waker = Some(context.waker().clone());
        Poll::Pending
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(position: u64) -> Arc<Said> {
        Arc::new(Said::hello(position))
    }

    #[tokio::test]
    async fn what_waits_is_heard_in_order() {
        let mailbox = Mailbox::new(None);
        (1..=3).for_each(|position| mailbox.put(&said(position)));
        for position in 1..=3 {
            assert_eq!(mailbox.next().await.unwrap().position, position);
        }
    }

    #[tokio::test]
    async fn whoever_lets_too_much_lie_is_dropped_and_hung_up_on() {
        let line = Line::default();
        let mailbox = Mailbox::new(Some(line.clone()));
        (0..MOST).for_each(|_| mailbox.put(&said(1)));
        assert!(!mailbox.is_closed());
        mailbox.put(&said(2));
        line.is_cut().await;
        assert!(mailbox.next().await.is_none(), "what waited is thrown away");
    }

    #[tokio::test]
    async fn whoever_waits_is_woken_when_it_is_over() {
        let mailbox = Arc::new(Mailbox::new(None));
        let waiting = tokio::spawn({
            let mailbox = mailbox.clone();
            async move { mailbox.next().await }
        });
        tokio::task::yield_now().await;
        mailbox.close();
        assert!(waiting.await.unwrap().is_none());
    }
}
