//! What a request still sends after it was answered is taken, within reason: or its connection would break off and
//! the answer with it.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::runtime::Handle;
use tokio::time::timeout;

/// As much is taken of a body that nobody wanted to read.
const MOST: usize = 16 << 20;
/// For as long.
const PATIENCE: Duration = Duration::from_secs(5);

/// A body whose rest is taken when whoever read it stops.
pub(crate) struct Unread(pub(crate) Option<Incoming>);

impl Body for Unread {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.0.as_mut().map_or(Poll::Ready(None), |body| Pin::new(body).poll_frame(context))
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.0.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        let rest = self.0.take().filter(|body| !body.is_end_stream());
        if let (Some(rest), Ok(runtime)) = (rest, Handle::try_current()) {
            runtime.spawn(timeout(PATIENCE, take(rest)));
        }
    }
}

async fn take(mut rest: Incoming) {
    let mut taken = 0;
    while taken <= MOST {
        let frame = std::future::poll_fn(|context| Pin::new(&mut rest).poll_frame(context)).await;
        let Some(Ok(frame)) = frame else { break };
        taken += frame.data_ref().map_or(0, Bytes::len);
    }
}
