//! Live events: subscribers are sent what was recorded once it is on disk, and what they missed from the
//! ledger.
//!
//! The clerk hands each committed batch to the `Feed`, which costs it next to nothing. The `Broadcaster`,
//! a thread of its own, renders each event once and puts it into the mailboxes of the subscribers that may
//! see it. A subscriber whose mailbox is full is disconnected; it reconnects with the position of its last
//! event and catches up.

mod broadcast;
mod catch_up;
mod disconnect;
mod event_id;
mod feed;
mod hub;
mod mailbox;
mod rendered_event;
mod sse_stream;
mod subscriptions;
mod topic;

pub(crate) use broadcast::Broadcaster;
pub use disconnect::Disconnect;
pub use event_id::{EventId, NotAnEventId};
pub(crate) use feed::{Feed, feed};
pub use hub::Hub;
pub use hub::{SubscribeError, SubscribeRequest, login_key};
pub use sse_stream::SseStream;
pub use topic::{Topic, Visibility};
