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
use super::hub::Subscriber;
use super::rendered_event::RenderedEvent;
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
    /// Reading missed events after this position from the ledger.
    CatchUp { reached: u64 },
    /// Receiving events after this position from the mailbox.
    Live { after: u64 },
}

impl SseStream {
    /// Begins after the `last` event that the client received, or with live events.
    pub async fn begin(
        subscriber: Subscriber,
        last: Option<u64>,
        expires: Option<Moment>,
    ) -> Result<Self, LedgerError> {
        let ready = VecDeque::from([Bytes::from_static(RETRY)]);
        let mut stream = Self { subscriber, stage: Stage::Live { after: 0 }, ready, expires };
        match last {
            None => {
                let after = stream.subscriber.register();
                stream.stage = Stage::Live { after };
                stream.ready.push_back(RenderedEvent::hello(after).text);
            }
            Some(reached) if stream.must_reload(reached).await? => {
                let after = stream.subscriber.register();
                stream.ready.push_back(RenderedEvent::reset(after).text);
                stream.go_live(after);
            }
            Some(reached) => stream.stage = Stage::CatchUp { reached },
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
                Stage::Live { after } => return self.receive(after).await,
                Stage::CatchUp { .. } if self.subscriber.mailbox.is_closed() => return None,
                Stage::CatchUp { reached } => {
                    if let Err(error) = self.catch_up(reached).await {
                        tracing::warn!(%error, "failed to read missed events");
                        return None;
                    }
                }
            }
        }
    }

    /// The next event or a heartbeat.
    async fn receive(&mut self, after: u64) -> Option<Bytes> {
        let event = async {
            loop {
                match self.subscriber.mailbox.next().await {
                    // Sent during catch-up already.
                    Some(event) if event.position <= after => {}
                    event => return event,
                }
            }
        };
        match timeout(self.idle_timeout(), event).await {
            Ok(event) => event.map(|event| event.text.clone()),
            Err(_) if self.has_expired() => None,
            Err(_) => Some(Bytes::from_static(HEARTBEAT_COMMENT)),
        }
    }

    /// Reads a page of missed events, and goes live after the last page.
    async fn catch_up(&mut self, reached: u64) -> Result<(), LedgerError> {
        let head = self.subscriber.hub.position();
        let near = head.saturating_sub(reached) <= LIVE_WITHIN;
        let upto = if near || self.subscriber.is_registered() { self.subscriber.register() } else { head };
        let CatchUpPage { reached, text } = match reached < upto {
            true => self.read(move |catch_up| catch_up.page(reached, upto)).await?,
            false => CatchUpPage { reached, text: Vec::new() },
        };
        if !text.is_empty() {
            self.ready.push_back(text.into());
        }
        self.stage = Stage::CatchUp { reached };
        if self.subscriber.is_registered() && reached >= upto {
            self.go_live(reached);
        }
        Ok(())
    }

    fn go_live(&mut self, after: u64) {
        self.stage = Stage::Live { after };
        self.ready.extend(self.subscriber.first_pages(after));
    }

    /// Whether the client missed too much, or its last event is not in this ledger.
    async fn must_reload(&self, reached: u64) -> Result<bool, LedgerError> {
        let head = self.subscriber.hub.position();
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
            work(CatchUp { ledger: &*hub.source.ledger, courts: &hub.source.courts, streams: &streams })
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
