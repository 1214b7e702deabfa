//! One client's stream of events: what it missed, then what happens, and a sign of life when nothing does.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use assize_kernel::{Moment, StreamId};
use assize_ledger::LedgerError;
use axum::body::Bytes;
use futures_util::Stream;
use tokio::time::timeout;

use super::Hub;
use super::hub::Guest;
use super::missed::{Missed, Page, TOO_FAR};
use super::said::Said;
use super::topic::{Ear, Topic};

/// How long nothing may be sent before a sign of life is: shorter than proxies wait.
const HEARTBEAT: Duration = Duration::from_secs(15);
const SIGN_OF_LIFE: &[u8] = b": still here\n\n";
/// What every stream begins with: how long a browser waits before it comes back.
const RETRY: &[u8] = b"retry: 1000\n\n";
/// Whoever is not further behind than so many records sits down before reading the rest from the ledger.
const NEARLY_THERE: u64 = 200;

/// One client's stream.
pub(crate) struct Listener {
    guest: Guest,
    stage: Stage,
    /// To be sent before anything else.
    ready: VecDeque<Bytes>,
    /// When their token is not good any more.
    expires: Option<Moment>,
}

enum Stage {
    /// Reading from the ledger what was missed after this position.
    Missed { reached: u64 },
    /// Hearing what happens after this position.
    Live { after: u64 },
}

impl Listener {
    /// Begins after what was heard `last`, or now.
    pub(crate) async fn begin(
        guest: Guest,
        last: Option<u64>,
        expires: Option<Moment>,
    ) -> Result<Self, LedgerError> {
        let ready = VecDeque::from([Bytes::from_static(RETRY)]);
        let mut listener = Self { guest, stage: Stage::Live { after: 0 }, ready, expires };
        match last {
            None => {
                let after = listener.guest.sit();
                listener.stage = Stage::Live { after };
                listener.ready.push_back(Said::hello(after).text);
            }
            Some(reached) if listener.must_reload(reached).await? => {
                let after = listener.guest.sit();
                listener.ready.push_back(Said::reset(after).text);
                listener.go_live(after);
            }
            Some(reached) => listener.stage = Stage::Missed { reached },
        }
        Ok(listener)
    }

    /// What is sent, piece by piece, until it is over.
    pub(crate) fn into_stream(self) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
        futures_util::stream::unfold(self, |mut listener| async move {
            let piece = listener.next().await?;
            Some((Ok(piece), listener))
        })
    }

    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(piece);
            }
            if self.has_expired() {
                return None;
            }
            // Room for the first pieces is not needed again.
            self.ready = VecDeque::new();
            match self.stage {
                Stage::Live { after } => return self.hear(after).await,
                Stage::Missed { .. } if self.guest.mailbox.is_closed() => return None,
                Stage::Missed { reached } => {
                    if let Err(error) = self.catch_up(reached).await {
                        tracing::warn!(%error, "what a client has missed cannot be read");
                        return None;
                    }
                }
            }
        }
    }

    /// The next event, or a sign of life.
    async fn hear(&mut self, after: u64) -> Option<Bytes> {
        let heard = async {
            loop {
                match self.guest.mailbox.next().await {
                    // What was read from the ledger may have been in the mailbox too.
                    Some(said) if said.position <= after => {}
                    said => return said,
                }
            }
        };
        match timeout(self.patience(), heard).await {
            Ok(said) => said.map(|said| said.text.clone()),
            Err(_) if self.has_expired() => None,
            Err(_) => Some(Bytes::from_static(SIGN_OF_LIFE)),
        }
    }

    /// Reads a page of what was missed; from the last one on, it hears what happens.
    async fn catch_up(&mut self, reached: u64) -> Result<(), LedgerError> {
        let head = self.guest.hub.position();
        let near = head.saturating_sub(reached) <= NEARLY_THERE;
        let upto = if near || self.guest.is_seated() { self.guest.sit() } else { head };
        let Page { reached, text } = match reached < upto {
            true => self.read(move |missed| missed.page(reached, upto)).await?,
            false => Page { reached, text: Vec::new() },
        };
        if !text.is_empty() {
            self.ready.push_back(text.into());
        }
        self.stage = Stage::Missed { reached };
        if self.guest.is_seated() && reached >= upto {
            self.go_live(reached);
        }
        Ok(())
    }

    fn go_live(&mut self, after: u64) {
        self.stage = Stage::Live { after };
        self.ready.extend(self.guest.first_pages(after));
    }

    /// Whether too much was missed, or what was heard last is not in this ledger.
    async fn must_reload(&self, reached: u64) -> Result<bool, LedgerError> {
        let head = self.guest.hub.position();
        if reached > head {
            // Another process may have told what this one has yet to take in.
            return self.read(move |missed| Ok(reached > missed.ledger.head()?.position)).await;
        }
        if head - reached <= TOO_FAR {
            return Ok(false);
        }
        self.read(move |missed| missed.is_too_much(reached)).await
    }

    /// Reads from the ledger on a thread that may wait, a few clients at once.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(Missed<'_>) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        let streams: Vec<(StreamId, Ear)> = self.guest.topics.iter().filter_map(of_stream).collect();
        let hub: Arc<Hub> = self.guest.hub.clone();
        let turn = self.guest.hub.catching_up.acquire().await;
        let read = tokio::task::spawn_blocking(move || {
            let (ledger, courts) = (&*hub.source.ledger, &*hub.source.courts);
            work(Missed { ledger, courts, streams: &streams })
        });
        let read = read.await;
        drop(turn);
        read.unwrap_or_else(|error| Err(LedgerError::Unavailable(error.to_string())))
    }

    fn patience(&self) -> Duration {
        let left = self.expires.map(|expires| (expires - self.guest.hub.source.clock.now()).0.max(0));
        left.map_or(HEARTBEAT, |left| HEARTBEAT.min(Duration::from_millis(left.unsigned_abs())))
    }

    fn has_expired(&self) -> bool {
        self.expires.is_some_and(|expires| self.guest.hub.source.clock.now() >= expires)
    }
}

fn of_stream((topic, ear): &(Topic, Ear)) -> Option<(StreamId, Ear)> {
    match topic {
        Topic::Stream(stream) => Some((stream.clone(), ear.clone())),
        Topic::Board(..) => None,
    }
}
