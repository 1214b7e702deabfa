//! What a request still sends after it was answered is taken, within reason: or its connection would break off and
//! the answer with it.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{Request, header};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::runtime::Handle;
use tokio::time::timeout;

/// As much is taken of a body that nobody wanted to read.
const MOST: usize = 16 << 20;
/// For as long.
const PATIENCE: Duration = Duration::from_secs(5);

/// A body whose rest is taken when whoever read it stops.
pub(crate) struct Unread {
    body: Option<Incoming>,
    /// Whether they wait to be asked for it: then there is nothing to take.
    asks_first: bool,
}

impl Unread {
    pub(crate) fn of(request: Request<Incoming>) -> Request<Self> {
        let asks_first = request.headers().contains_key(header::EXPECT);
        request.map(|body| Self { body: Some(body), asks_first })
    }
}

impl Body for Unread {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.body.as_mut().map_or(Poll::Ready(None), |body| Pin::new(body).poll_frame(context))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        let rest = self.body.take().filter(|body| !body.is_end_stream() && !self.asks_first);
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
