//! The connection server: accepts connections, serves HTTP/1.1 over them with or without TLS, and shuts down
//! gracefully. Memory and lifetime of every connection are bounded.

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
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tower::Service;

use crate::Tls;
use crate::detached_stream::{self, Handover};
use crate::drain_body::DrainBody;
use crate::repoll::repoll;
use assize_engine::Shutdown;
use assize_engine::live::Disconnect;

/// Size of the read buffer: the largest request head, and most of the memory of a connection.
const BUFFER: usize = 8 * 1024;
/// Number of excess connections that get a 503 response at once; others are closed without one.
const MAX_REFUSALS: usize = 256;
/// How long a refused client has to read the 503 response.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(2);

/// Settings of the connection server.
#[derive(Debug, Clone)]
pub struct ServeSettings {
    /// Largest number of connections.
    pub connections: usize,
    /// Timeout for the head of a request, and so for idle connections.
    pub head_time: Duration,
    /// How long open requests may take at shutdown.
    pub grace: Duration,
    /// The certificate; plain text if `None`.
    pub tls: Option<Arc<Tls>>,
}

/// The peer address of the request's connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

impl Default for ServeSettings {
    fn default() -> Self {
        Self {
            connections: 20_000,
            head_time: Duration::from_secs(75),
            grace: Duration::from_secs(10),
            tls: None,
        }
    }
}

/// Serves until `closing` begins, then finishes the open requests.
pub async fn serve(listener: TcpListener, router: Router, settings: ServeSettings, closing: Shutdown) {
    let connections = Connections {
        router,
        builder: builder(&settings),
        grace: settings.grace,
        tls: settings.tls.clone(),
        closing: closing.clone(),
        refusals: Arc::new(Semaphore::new(MAX_REFUSALS)),
    };
    let permits = Arc::new(Semaphore::new(settings.connections));
    let mut over = pin!(closing.begun());
    let mut follow = pin!(follow(settings.tls.as_deref()));
    loop {
        let (stream, address) = tokio::select! {
            () = &mut over => break,
            never = &mut follow => match never {},
            accepted = accept(&listener) => accepted,
        };
        match permits.clone().try_acquire_owned() {
            Ok(permit) => drop(tokio::spawn(connections.clone().host(stream, address, permit))),
            Err(_) => connections.refuse_excess(stream),
        }
    }
    drop(listener);
    let all = u32::try_from(settings.connections).unwrap_or(u32::MAX);
    // Each connection enforces the grace period by itself.
    drop(timeout(settings.grace + Duration::from_secs(1), permits.acquire_many(all)).await);
}

/// Reloads the certificate when its files change; never completes.
async fn follow(tls: Option<&Tls>) -> Infallible {
    if let Some(tls) = tls {
        tls.follow().await;
    }
    std::future::pending().await
}

/// Accepts the next connection. Out of file descriptors, it retries until other connections end.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                tracing::error!(%error, "failed to accept a connection");
                tokio::time::sleep(Duration::from_millis(250)).await;
            }
        }
    }
}

fn is_connection_error(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

fn builder(settings: &ServeSettings) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(settings.head_time).max_buf_size(BUFFER);
    builder
}

/// State shared by all connections.
#[derive(Clone)]
struct Connections {
    router: Router,
    builder: http1::Builder,
    grace: Duration,
    tls: Option<Arc<Tls>>,
    closing: Shutdown,
    refusals: Arc<Semaphore>,
}

impl Connections {
    /// Serves one connection to its end.
    async fn host(self, stream: TcpStream, peer: SocketAddr, permit: OwnedSemaphorePermit) {
        // Responses are written in one piece, so Nagle's algorithm would only delay them.
        drop(stream.set_nodelay(true));
        match self.tls.clone() {
            None => self.serve_plain(stream, peer).await,
            // Boxed, so that the future of a plain connection stays small.
            Some(tls) => Box::pin(self.serve_tls(tls, stream, peer)).await,
        }
        drop(permit);
    }

    async fn serve_tls(self, tls: Arc<Tls>, stream: TcpStream, peer: SocketAddr) {
        match tls.accept(stream).await {
            Ok(stream) => self.serve_plain(stream, peer).await,
            Err(error) => tracing::debug!(%error, %peer, "the TLS handshake failed"),
        }
    }

    async fn serve_plain(self, stream: impl AsyncRead + AsyncWrite + Unpin, peer: SocketAddr) {
        let Self { router, builder, grace, closing, .. } = self;
        let disconnect = Disconnect::default();
        let handover = Handover::default();
        let handover_ref = &handover;
        let closing_ref = &closing;
        let service = service_fn(|mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            request.extensions_mut().insert(disconnect.clone());
            let response = router.clone().call(DrainBody::of(request));
            async move {
                let mut response = handover_ref.keep_endless(response.await?).await?;
                if closing_ref.has_begun() {
                    // The response may be ready before the connection begins its shutdown.
                    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, Infallible>(response)
            }
        });
        let mut connection = builder.serve_connection(TokioIo::new(stream), service);
        let endless = tokio::select! {
            biased;
            ended = repoll(&mut connection) => return note_end(ended, peer),
            endless = handover.kept() => endless,
            () = disconnect.is_cut() => return note_cut(peer),
            () = closing.begun() => {
                Pin::new(&mut connection).graceful_shutdown();
                return match timeout(grace, connection).await {
                    Ok(ended) => note_end(ended, peer),
                    Err(_) => note_cut_off(peer),
                };
            }
        };
        // Frees hyper's buffers of this connection.
        let stream = connection.into_parts().io.into_inner();
        tokio::select! {
            ended = detached_stream::write(stream, endless) => note_end(ended, peer),
            () = disconnect.is_cut() => note_cut(peer),
            () = grace_over(&closing, grace) => note_cut_off(peer),
        }
    }

    /// Refuses a connection beyond the limit with a 503 response, unless too many are being refused.
    fn refuse_excess(&self, stream: TcpStream) {
        if self.tls.is_some() {
            return; // A TLS handshake costs more than the connection it would refuse.
        }
        if let Ok(permit) = self.refusals.clone().try_acquire_owned() {
            tokio::spawn(async move {
                drop(timeout(REFUSAL_TIMEOUT, refuse(stream)).await);
                drop(permit);
            });
        }
    }
}

/// Completes when the grace period after the start of the shutdown is over.
async fn grace_over(closing: &Shutdown, grace: Duration) {
    closing.begun().await;
    tokio::time::sleep(grace).await;
}

fn note_end(ended: Result<(), impl std::fmt::Display>, peer: SocketAddr) {
    if let Err(error) = ended {
        tracing::debug!(%error, %peer, "connection error");
    }
}

fn note_cut(peer: SocketAddr) {
    tracing::debug!(%peer, "disconnected a client that does not read");
}

fn note_cut_off(peer: SocketAddr) {
    tracing::warn!(%peer, "closed a connection at the end of the grace period");
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
    // Unread data would reset the connection, and the response with it.
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use axum::routing::get;

    use super::*;

    #[tokio::test]
    async fn a_response_at_shutdown_says_connection_close() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(tokio::sync::Notify::new());
        let answered = Arc::new(tokio::sync::Notify::new());
        let router = Router::new().route("/", {
            let asked = asked.clone();
            let answered = answered.clone();
            get(|| async move {
                asked.notify_one();
                answered.notified().await;
            })
        });
        let closing = Shutdown::default();
        let served = tokio::spawn(serve(listener, router, ServeSettings::default(), closing.clone()));
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nhost: hall\r\n\r\n").await.unwrap();
        asked.notified().await;
        // On a single-threaded runtime, so that the connection sees both at once.
        closing.begin();
        answered.notify_one();
        let mut received = String::new();
        client.read_to_string(&mut received).await.unwrap();
        assert!(received.starts_with("HTTP/1.1 200"), "{received}");
        assert!(received.contains("connection: close"), "{received}");
        served.await.unwrap();
    }
}
