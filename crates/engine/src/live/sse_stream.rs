//! A subscriber's event stream: catch-up from the ledger, then live events, with heartbeats in between.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use assize_kernel::{Moment, StreamId};
use assize_ledger::LedgerError;
use bytes::Bytes;
use futures_util::Stream;
use tokio::time::timeout;

use super::Hub;
use super::catch_up::{CatchUp, CatchUpPage, MAX_MISSED};
use super::event_id::EventId;
use super::hub::Subscriber;
use super::rendered_event::{EventKind, RenderedEvent};
use super::topic::{Topic, Visibility};

/// Interval of heartbeats on an idle stream; shorter than the timeouts of proxies.
const HEARTBEAT: Duration = Duration::from_secs(15);
const HEARTBEAT_COMMENT: &[u8] = b": still here\n\n";
/// Begins every stream: how long a browser waits before it reconnects.
const RETRY: &[u8] = b"retry: 1000\n\n";
/// A client at most this many records behind subscribes before it reads the rest from the ledger.
const LIVE_WITHIN: u64 = 200;

/// The event stream of one subscriber.
pub struct SseStream {
    subscriber: Subscriber,
    stage: Stage,
    /// Chunks to send before anything else.
    ready: VecDeque<Bytes>,
    /// When the client's token expires.
    expires: Option<Moment>,
}

enum Stage {
    /// Reading missed events after this position from the ledger, as long as it has this history.
    CatchUp { reached: u64, history: Option<[u8; 4]> },
    /// Receiving events after the position `after` from the mailbox; the last record sent was at `record`.
    Live { after: u64, record: u64 },
}

impl Stage {
    const fn live(id: EventId) -> Self {
        Self::Live { after: id.position, record: id.position }
    }
}

impl SseStream {
    /// Begins after the `last` event that the client received, or with live events.
    pub async fn begin(
        subscriber: Subscriber,
        last: Option<EventId>,
        expires: Option<Moment>,
    ) -> Result<Self, LedgerError> {
        let ready = VecDeque::from([Bytes::from_static(RETRY)]);
        let stage = Stage::Live { after: 0, record: 0 };
        let mut stream = Self { subscriber, stage, ready, expires };
        match last {
            None => {
                let id = stream.subscriber.register();
                stream.stage = Stage::live(id);
                stream.ready.push_back(RenderedEvent::hello(id).text);
            }
            Some(last) if stream.must_reload(last).await? => {
                let id = stream.subscriber.register();
                stream.ready.push_back(RenderedEvent::reset(id).text);
                stream.go_live(id);
            }
            Some(last) => stream.stage = Stage::CatchUp { reached: last.position, history: last.history },
        }
        Ok(stream)
    }

    /// The body of the response.
    pub fn into_stream(self) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
        futures_util::stream::unfold(self, |mut stream| async move {
            let chunk = stream.next().await?;
            Some((Ok(chunk), stream))
        })
    }

    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(chunk) = self.ready.pop_front() {
                return Some(chunk);
            }
            if self.has_expired() {
                return None;
            }
            // Frees the capacity of the first chunks.
            self.ready = VecDeque::new();
            match self.stage {
                Stage::Live { after, record } => return self.receive(after, record).await,
                Stage::CatchUp { .. } if self.subscriber.mailbox.is_closed() => return None,
                Stage::CatchUp { reached, history } => {
                    if let Err(error) = self.catch_up(reached, history).await {
                        tracing::warn!(%error, "failed to read missed events");
                        return None;
                    }
                }
            }
        }
    }

    /// The next event or a heartbeat.
    async fn receive(&mut self, after: u64, record: u64) -> Option<Bytes> {
        let is_sent = |event: &RenderedEvent| match event.kind {
            EventKind::Record => event.id.position <= after.max(record),
            EventKind::Board => event.id.position <= after,
            EventKind::Hello | EventKind::Reset => false,
        };
        let event = async {
            loop {
                match self.subscriber.mailbox.next().await {
                    Some(event) if is_sent(&event) => {}
                    event => return event,
                }
            }
        };
        match timeout(self.idle_timeout(), event).await {
            Ok(Some(event)) => Some(self.sent(&event)),
            Ok(None) => None,
            Err(_) if self.has_expired() => None,
            Err(_) => Some(Bytes::from_static(HEARTBEAT_COMMENT)),
        }
    }

    /// Notes that an event is sent; returns its text.
    fn sent(&mut self, event: &RenderedEvent) -> Bytes {
        match (event.kind, &mut self.stage) {
            (EventKind::Reset, _) => self.go_live(event.id),
            (EventKind::Record, Stage::Live { record, .. }) => *record = event.id.position,
            _ => {}
        }
        event.text.clone()
    }

    /// Reads a page of missed events, and goes live after the last page.
    async fn catch_up(&mut self, reached: u64, history: Option<[u8; 4]>) -> Result<(), LedgerError> {
        let head = self.subscriber.hub.position();
        let near = head.position.saturating_sub(reached) <= LIVE_WITHIN;
        let upto = if near || self.subscriber.is_registered() { self.subscriber.register() } else { head };
        if upto.history != history {
            let id = self.subscriber.register();
            self.ready.push_back(RenderedEvent::reset(id).text);
            self.go_live(id);
            return Ok(());
        }
        let end = upto.position;
        let CatchUpPage { reached, text } = match reached < end {
            true => self.read(move |catch_up| catch_up.page(reached, end)).await?,
            false => CatchUpPage { reached, text: Vec::new() },
        };
        if !text.is_empty() {
            self.ready.push_back(text.into());
        }
        self.stage = Stage::CatchUp { reached, history };
        if self.subscriber.is_registered() && reached >= end {
            self.go_live(EventId { position: reached, history });
        }
        Ok(())
    }

    fn go_live(&mut self, id: EventId) {
        self.stage = Stage::live(id);
        self.ready.extend(self.subscriber.first_pages(id));
    }

    /// Whether the client missed too much, or its last event is not in this ledger.
    async fn must_reload(&self, last: EventId) -> Result<bool, LedgerError> {
        let EventId { position: head, history } = self.subscriber.hub.position();
        let reached = last.position;
        if history != last.history {
            return Ok(true);
        }
        if reached > head {
            // The event may come from another process that is ahead of this one.
            return self.read(move |catch_up| Ok(reached > catch_up.ledger.head()?.position)).await;
        }
        if head - reached <= MAX_MISSED {
            return Ok(false);
        }
        self.read(move |catch_up| catch_up.is_too_much(reached)).await
    }

    /// Reads from the ledger on a blocking thread, for a few clients at once.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(CatchUp<'_>) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        let streams: Vec<(StreamId, Visibility)> =
            self.subscriber.topics.iter().filter_map(of_stream).collect();
        let hub: Arc<Hub> = self.subscriber.hub.clone();
        let permit = self.subscriber.hub.catching_up.acquire().await;
        let read = tokio::task::spawn_blocking(move || {
            let (ledger, courts) = (&*hub.source.ledger, &*hub.source.courts);
            let fork = hub.views().fork();
            work(CatchUp { ledger, courts, streams: &streams, fork })
        });
        let read = read.await;
        drop(permit);
        read.unwrap_or_else(|error| Err(LedgerError::Unavailable(error.to_string())))
    }

    fn idle_timeout(&self) -> Duration {
        let left = self.expires.map(|expires| (expires - self.subscriber.hub.source.clock.now()).0.max(0));
        left.map_or(HEARTBEAT, |left| HEARTBEAT.min(Duration::from_millis(left.unsigned_abs())))
    }

    fn has_expired(&self) -> bool {
        self.expires.is_some_and(|expires| self.subscriber.hub.source.clock.now() >= expires)
    }
}

fn of_stream((topic, visibility): &(Topic, Visibility)) -> Option<(StreamId, Visibility)> {
    match topic {
        Topic::Stream(stream) => Some((stream.clone(), visibility.clone())),
        Topic::Board(..) => None,
    }
}
