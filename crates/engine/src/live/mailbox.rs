//! The mailbox: a bounded queue of events for one subscriber.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::disconnect::Disconnect;
use super::rendered_event::RenderedEvent;

/// Capacity; a subscriber whose mailbox is full is disconnected.
pub(super) const CAPACITY: usize = 512;

/// Filled by the broadcaster, read by the subscriber's event stream.
pub(crate) struct Mailbox {
    contents: Mutex<MailboxContents>,
    /// Cuts the connection of a client that does not read: it would not notice the end of the stream either.
    disconnect: Option<Disconnect>,
}

#[derive(Default)]
struct MailboxContents {
    waiting: VecDeque<Arc<RenderedEvent>>,
    waker: Option<Waker>,
    closed: bool,
}

impl Mailbox {
    pub(super) fn new(disconnect: Option<Disconnect>) -> Self {
        Self { contents: Mutex::default(), disconnect }
    }

    /// Queues an event, or disconnects the client if the mailbox is full.
    pub(super) fn put(&self, event: &Arc<RenderedEvent>) {
        let mut contents = self.lock();
        if contents.closed {
            return;
        }
        if contents.waiting.len() >= CAPACITY {
            drop(contents);
            tracing::debug!("a slow subscriber is disconnected");
            self.close();
            return self.disconnect.iter().for_each(Disconnect::cut);
        }
        contents.waiting.push_back(event.clone());
        let waker = contents.waker.take();
        drop(contents);
        waker.into_iter().for_each(Waker::wake);
    }

    /// Closes the mailbox and drops its events. The client may reconnect and catch up.
    pub(super) fn close(&self) {
        let mut contents = self.lock();
        contents.closed = true;
        contents.waiting = VecDeque::new();
        let waker = contents.waker.take();
        drop(contents);
        waker.into_iter().for_each(Waker::wake);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// The next event; `None` once the mailbox is closed.
    pub(super) async fn next(&self) -> Option<Arc<RenderedEvent>> {
        poll_fn(|context| self.poll(context)).await
    }

    fn poll(&self, context: &Context<'_>) -> Poll<Option<Arc<RenderedEvent>>> {
        let mut contents = self.lock();
        match contents.waiting.pop_front() {
            Some(event) => return Poll::Ready(Some(event)),
            None if contents.closed => return Poll::Ready(None),
            None => {}
        }
        // Frees the capacity of a burst: mailboxes are empty most of the time.
        contents.waiting = VecDeque::new();
        contents.waker = Some(context.waker().clone());
        Poll::Pending
    }

    fn lock(&self) -> MutexGuard<'_, MailboxContents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::EventId;

    fn event(position: u64) -> Arc<RenderedEvent> {
        Arc::new(RenderedEvent::hello(EventId::new(position, None)))
    }

    #[tokio::test]
    async fn events_are_received_in_order() {
        let mailbox = Mailbox::new(None);
        (1..=3).for_each(|position| mailbox.put(&event(position)));
        for position in 1..=3 {
            assert_eq!(mailbox.next().await.unwrap().id.position, position);
        }
    }

    #[tokio::test]
    async fn a_client_with_a_full_mailbox_is_disconnected() {
        let disconnect = Disconnect::default();
        let mailbox = Mailbox::new(Some(disconnect.clone()));
        (0..CAPACITY).for_each(|_| mailbox.put(&event(1)));
        assert!(!mailbox.is_closed());
        mailbox.put(&event(2));
        disconnect.is_cut().await;
        assert!(mailbox.next().await.is_none(), "waiting events are dropped");
    }

    #[tokio::test]
    async fn closing_wakes_the_receiver() {
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
