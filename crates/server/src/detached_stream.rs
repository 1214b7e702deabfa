//! Endless responses are detached from hyper and written directly.
//!
//! Hyper keeps buffers for the next request with every connection. Subscribers to events send no other
//! request, and there are many of them, so their connections are taken over from hyper to save that memory.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use axum::http::response::Parts;
use axum::response::Response;
use hyper::body::Body as _;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::Notify;

/// Extension that marks a response as endless.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Endless;

/// Hands an endless response from hyper's service to the connection task.
#[derive(Debug, Clone, Default)]
pub(crate) struct Handover(Arc<(Mutex<Option<Response>>, Notify)>);

impl Handover {
    /// Returns a response unless it is endless. An endless one is stored for [`Self::kept`], and the future
    /// never completes: it is dropped with hyper's connection.
    pub(crate) async fn keep_endless(&self, response: Response) -> Result<Response, Infallible> {
        if response.extensions().get::<Endless>().is_none() {
            return Ok(response);
        }
        let (kept, ready) = &*self.0;
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(response);
        ready.notify_one();
        std::future::pending().await
    }

    /// Waits for an endless response.
    pub(crate) async fn kept(&self) -> Response {
        let (kept, ready) = &*self.0;
        loop {
            if let Some(response) = kept.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return response;
            }
            ready.notified().await;
        }
    }
}

/// Writes a response until its body ends or the client disconnects.
pub(crate) async fn write(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    response: Response,
) -> io::Result<()> {
    let (parts, mut body) = response.into_parts();
    stream.write_all(&head(&parts)).await?;
    // Input is ignored; reading only detects that the client disconnected.
    let mut unread = [0; 16];
    loop {
        tokio::select! {
            biased;
            piece = next(&mut body) => match piece {
                Some(piece) => stream.write_all(&piece).await?,
                None => break,
            },
            read = stream.read(&mut unread) => {
                if read? == 0 {
                    return Ok(());
                }
            }
        }
    }
    stream.shutdown().await
}

/// The response head, without a length: the response ends with the connection.
fn head(parts: &Parts) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {}\r\nconnection: close\r\n", parts.status).into_bytes();
    for (name, value) in &parts.headers {
        for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
            head.extend_from_slice(part);
        }
    }
    head.extend_from_slice(b"\r\n");
    head
}

async fn next(body: &mut Body) -> Option<Bytes> {
    loop {
        let frame = std::future::poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await?;
        if let Ok(piece) = frame.ok()?.into_data() {
            return Some(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;
    use tokio::io::duplex;

    use super::*;

    #[tokio::test]
    async fn an_response_is_written_with_its_head_and_ends_with_the_connection() {
        let (ours, mut theirs) = duplex(1024);
        let response = ([("content-type", "text/event-stream")], "data: 1\n\n").into_response();
        write(ours, response).await.unwrap();
        let mut received = String::new();
        theirs.read_to_string(&mut received).await.unwrap();
        let expected =
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\ndata: 1\n\n";
        assert_eq!(received, expected);
    }

    #[tokio::test]
    async fn it_ends_when_the_client_disconnects() {
        let (ours, theirs) = duplex(1024);
        let silent = Body::from_stream(futures_util::stream::pending::<Result<Bytes, Infallible>>());
        drop(theirs);
        assert!(write(ours, silent.into_response()).await.is_err(), "the client has disconnected");
        let (ours, mut theirs) = duplex(1024);
        let silent = Body::from_stream(futures_util::stream::pending::<Result<Bytes, Infallible>>());
        let writing = tokio::spawn(write(ours, silent.into_response()));
        theirs.write_all(b"more that nobody wants").await.unwrap();
        theirs.shutdown().await.unwrap();
        writing.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn only_endless_responses_are_kept() {
        let handover = Handover::default();
        let response = handover.keep_endless("short".into_response()).await;
        assert_eq!(response.map(|response| response.status()), Ok(axum::http::StatusCode::OK));
        let mut endless = "long".into_response();
        endless.extensions_mut().insert(Endless);
        tokio::select! {
            biased;
            _ = handover.keep_endless(endless) => unreachable!("it waits"),
            kept = handover.kept() => assert!(kept.extensions().get::<Endless>().is_some()),
        }
    }
}
