//! Connections: taken, served and brought to an end, each with little memory and none for ever.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, Request, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tower::Service;

use crate::at_once::at_once;
use crate::endless::{self, Handover};
use crate::unread::Unread;
use crate::{Closing, Tls};

/// The most that is held of a request's head, or of a body that is on its way: what a connection costs.
const BUFFER: usize = 8 * 1024;
/// How many are told at once that there are too many; others beyond them are cut off.
const TURNED_AWAY: usize = 256;
/// How long somebody who is turned away has to hear it.
const PARTING: Duration = Duration::from_secs(2);

/// How connections are taken and kept.
#[derive(Debug, Clone)]
pub struct ServeSettings {
    /// How many at once.
    pub connections: usize,
    /// How long the head of a request may take, and so how long an idle connection is kept.
    pub head_time: Duration,
    /// How long what was taken may take when the server stops.
    pub grace: Duration,
    /// With this certificate; in plain text otherwise.
    pub tls: Option<Arc<Tls>>,
}

/// Who is at the other end of the connection that a request came by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// The connection that a request came by, for whoever must be able to cut it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line(Arc<Notify>);

impl Line {
    /// Ends the connection, whatever it is doing.
    pub(crate) fn cut(&self) {
        self.0.notify_one();
    }

    pub(crate) async fn is_cut(&self) {
        self.0.notified().await;
    }
}

impl Default for ServeSettings {
    fn default() -> Self {
        let (head_time, grace) = (Duration::from_secs(75), Duration::from_secs(10));
        Self { connections: 20_000, head_time, grace, tls: None }
    }
}

/// Serves until `closing` begins, then finishes what it has taken.
pub async fn serve(listener: TcpListener, router: Router, settings: ServeSettings, closing: Closing) {
    let house = House {
        router,
        builder: builder(&settings),
        grace: settings.grace,
        tls: settings.tls.clone(),
        closing: closing.clone(),
        turned_away: Arc::new(Semaphore::new(TURNED_AWAY)),
    };
    let places = Arc::new(Semaphore::new(settings.connections));
    let mut over = pin!(closing.begun());
    let mut follow = pin!(follow(settings.tls.as_deref()));
    loop {
        let (stream, address) = tokio::select! {
            () = &mut over => break,
            never = &mut follow => match never {},
            taken = take(&listener) => taken,
        };
        match places.clone().try_acquire_owned() {
            Ok(place) => drop(tokio::spawn(house.clone().host(stream, address, place))),
            Err(_) => house.turn_away(stream),
        }
    }
    drop(listener);
    let all = u32::try_from(settings.connections).unwrap_or(u32::MAX);
    // Each connection keeps to the time by itself.
    drop(timeout(settings.grace + Duration::from_secs(1), places.acquire_many(all)).await);
}

/// Keeps up with the certificate, for as long as this is waited for.
async fn follow(tls: Option<&Tls>) -> Infallible {
    if let Some(tls) = tls {
        tls.follow().await;
    }
    std::future::pending().await
}

/// The next connection. When there are no more to be had, those that end make room.
async fn take(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(taken) => return taken,
            Err(error) if is_of_the_connection(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be taken");
                tokio::time::sleep(Duration::from_millis(250)).await;
            }
        }
    }
}

fn is_of_the_connection(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

fn builder(settings: &ServeSettings) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(settings.head_time).max_buf_size(BUFFER);
    builder
}

/// What every connection is served with.
#[derive(Clone)]
struct House {
    router: Router,
    builder: http1::Builder,
    grace: Duration,
    tls: Option<Arc<Tls>>,
    closing: Closing,
    turned_away: Arc<Semaphore>,
}

impl House {
    /// Serves one connection to its end.
    async fn host(self, stream: TcpStream, peer: SocketAddr, place: OwnedSemaphorePermit) {
        // Answers are written whole: waiting for more to send with them only makes them late.
        drop(stream.set_nodelay(true));
        match self.tls.clone() {
            None => self.converse(stream, peer).await,
            // Apart, so that plain connections do not carry the room for it.
            Some(tls) => Box::pin(self.converse_in_secret(tls, stream, peer)).await,
        }
        drop(place);
    }

    async fn converse_in_secret(self, tls: Arc<Tls>, stream: TcpStream, peer: SocketAddr) {
        match tls.accept(stream).await {
            Ok(stream) => self.converse(stream, peer).await,
            Err(error) => tracing::debug!(%error, %peer, "no agreement on TLS"),
        }
    }

    async fn converse(self, stream: impl AsyncRead + AsyncWrite + Unpin, peer: SocketAddr) {
        let Self { router, builder, grace, closing, .. } = self;
        let (line, handover) = (Line::default(), Handover::default());
        let (handed_over, stopping) = (&handover, &closing);
        let service = service_fn(|mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            request.extensions_mut().insert(line.clone());
            let answer = router.clone().call(Unread::of(request));
            async move {
                let mut answer = handed_over.keep_endless(answer.await?).await?;
                if stopping.has_begun() {
                    // The answer may be there before the connection has heard of it.
                    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, Infallible>(answer)
            }
        });
        let mut connection = builder.serve_connection(TokioIo::new(stream), service);
        let endless = tokio::select! {
            biased;
            ended = at_once(&mut connection) => return note_end(ended, peer),
            endless = handover.kept() => endless,
            () = line.is_cut() => return note_cut(peer),
            () = closing.begun() => {
                Pin::new(&mut connection).graceful_shutdown();
                return match timeout(grace, connection).await {
                    Ok(ended) => note_end(ended, peer),
                    Err(_) => note_cut_off(peer),
                };
            }
        };
        // What the library had kept for this connection goes with it.
        let stream = connection.into_parts().io.into_inner();
        tokio::select! {
            ended = endless::write(stream, endless) => note_end(ended, peer),
            () = line.is_cut() => note_cut(peer),
            () = given_time(&closing, grace) => note_cut_off(peer),
        }
    }

    /// Tells somebody that there is no place, as long as not too many are being told so.
    fn turn_away(&self, stream: TcpStream) {
        if self.tls.is_some() {
            return; // Nothing can be told before there is a secret, and that costs more than a place.
        }
        if let Ok(told) = self.turned_away.clone().try_acquire_owned() {
            tokio::spawn(async move {
                drop(timeout(PARTING, refuse(stream)).await);
                drop(told);
            });
        }
    }
}

/// Waits until the server stops, and as long as what was taken may take then.
async fn given_time(closing: &Closing, grace: Duration) {
    closing.begun().await;
    tokio::time::sleep(grace).await;
}

fn note_end(ended: Result<(), impl std::fmt::Display>, peer: SocketAddr) {
    if let Err(error) = ended {
        tracing::debug!(%error, %peer, "a connection broke");
    }
}

fn note_cut(peer: SocketAddr) {
    tracing::debug!(%peer, "a connection was cut: nobody reads at its end");
}

fn note_cut_off(peer: SocketAddr) {
    tracing::warn!(%peer, "a connection was cut off: it had not come to its end");
}

async fn refuse(mut stream: TcpStream) -> std::io::Result<()> {
    let body = concat!(
        r#"{"status":503,"title":"Service Unavailable","code":"server.too_many_connections","#,
        r#""detail":"there are too many connections; nothing was done, try again in a moment"}"#
    );
    let head = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\nretry-after: 1\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(&[head.as_bytes(), body.as_bytes()].concat()).await?;
    stream.shutdown().await?;
    // What they are still sending must be taken, or what they were told would be lost with it.
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use axum::routing::get;

    use super::*;

    #[tokio::test]
    async fn an_answer_that_comes_together_with_the_end_says_that_it_is_the_last() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (asked, answered) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let router = Router::new().route("/", {
            let (asked, answered) = (asked.clone(), answered.clone());
            get(|| async move {
                asked.notify_one();
                answered.notified().await;
            })
        });
        let closing = Closing::default();
        let served = tokio::spawn(serve(listener, router, ServeSettings::default(), closing.clone()));
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nhost: hall\r\n\r\n").await.unwrap();
        asked.notified().await;
        // On one thread, so that the connection hears of both at once.
        closing.begin();
        answered.notify_one();
        let mut heard = String::new();
        client.read_to_string(&mut heard).await.unwrap();
        assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
        assert!(heard.contains("connection: close"), "{heard}");
        served.await.unwrap();
    }
}
