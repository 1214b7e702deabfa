//! Drains the rest of a request body after the response, within limits: unread data would reset the
//! connection, and the client would lose the response.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{Request, header};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::runtime::Handle;
use tokio::time::timeout;

/// Largest number of bytes to drain.
const MAX_BYTES: usize = 16 << 20;
/// Longest time to drain.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A request body that is drained in the background when it is dropped.
pub(crate) struct DrainBody {
    body: Option<Incoming>,
    /// The client sent `Expect`, so it sends nothing unless asked.
    expects_continue: bool,
}

impl DrainBody {
    pub(crate) fn of(request: Request<Incoming>) -> Request<Self> {
        let expects_continue = request.headers().contains_key(header::EXPECT);
        request.map(|body| Self { body: Some(body), expects_continue })
    }
}

impl Body for DrainBody {
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

impl Drop for DrainBody {
    fn drop(&mut self) {
        let rest = self.body.take().filter(|body| !body.is_end_stream() && !self.expects_continue);
        if let (Some(rest), Ok(runtime)) = (rest, Handle::try_current()) {
            runtime.spawn(timeout(TIMEOUT, drain(rest)));
        }
    }
}

async fn drain(mut rest: Incoming) {
    let mut drained = 0;
    while drained <= MAX_BYTES {
        let frame = std::future::poll_fn(|context| Pin::new(&mut rest).poll_frame(context)).await;
        let Some(Ok(frame)) = frame else { break };
        drained += frame.data_ref().map_or(0, Bytes::len);
    }
}
