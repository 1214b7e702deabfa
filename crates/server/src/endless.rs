//! Answers that have no end: written by ourselves once they have begun.
//!
//! An HTTP library keeps room for the next request and its answer with every connection. Who listens to events sends
//! no other request, and of those there are many: their connections are taken out of its hands.

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

/// Marks an answer as one that has no end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Endless;

/// Where a connection waits for an answer that is to be taken out of the library's hands.
#[derive(Debug, Clone, Default)]
pub(crate) struct Handover(Arc<(Mutex<Option<Response>>, Notify)>);

impl Handover {
    /// Gives an answer back, unless it has no end: that one is kept here, and the library waits until it is dropped.
    pub(crate) async fn keep_endless(&self, answer: Response) -> Result<Response, Infallible> {
        if answer.extensions().get::<Endless>().is_none() {
            return Ok(answer);
        }
        let (kept, told) = &*self.0;
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        told.notify_one();
        std::future::pending().await
    }

    /// Waits for such an answer.
    pub(crate) async fn kept(&self) -> Response {
        let (kept, told) = &*self.0;
        loop {
            if let Some(answer) = kept.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return answer;
            }
            told.notified().await;
        }
    }
}

/// Writes an answer until it ends after all, or the other end goes.
pub(crate) async fn write(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: Response,
) -> io::Result<()> {
    let (parts, mut body) = answer.into_parts();
    stream.write_all(&head(&parts)).await?;
    // Whatever they still send is of no interest, but that they have gone is.
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

/// Without a length: the end of the connection is the end of the answer.
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
    async fn an_answer_is_written_with_its_head_and_ends_with_the_connection() {
        let (ours, mut theirs) = duplex(1024);
        let answer = ([("content-type", "text/event-stream")], "data: 1\n\n").into_response();
        write(ours, answer).await.unwrap();
        let mut heard = String::new();
        theirs.read_to_string(&mut heard).await.unwrap();
        let expected =
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\ndata: 1\n\n";
        assert_eq!(heard, expected);
    }

    #[tokio::test]
    async fn it_is_over_when_the_other_end_goes() {
        let (ours, theirs) = duplex(1024);
        let silent = Body::from_stream(futures_util::stream::pending::<Result<Bytes, Infallible>>());
        drop(theirs);
        assert!(write(ours, silent.into_response()).await.is_err(), "nothing can be written to who has gone");
        let (ours, mut theirs) = duplex(1024);
        let silent = Body::from_stream(futures_util::stream::pending::<Result<Bytes, Infallible>>());
        let writing = tokio::spawn(write(ours, silent.into_response()));
        theirs.write_all(b"more that nobody wants").await.unwrap();
        theirs.shutdown().await.unwrap();
        writing.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn only_what_has_no_end_is_kept() {
        let handover = Handover::default();
        let answer = handover.keep_endless("short".into_response()).await;
        assert_eq!(answer.map(|answer| answer.status()), Ok(axum::http::StatusCode::OK));
        let mut endless = "long".into_response();
        endless.extensions_mut().insert(Endless);
        tokio::select! {
            biased;
            _ = handover.keep_endless(endless) => unreachable!("it waits"),
            kept = handover.kept() => assert!(kept.extensions().get::<Endless>().is_some()),
        }
    }
}
