//! A webhook receiver: an HTTP server that records every delivery and responds as scripted.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

/// A received request.
#[derive(Debug, Clone)]
pub struct WebhookDelivery {
    /// The headers in order, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: String,
    /// The status of the response.
    pub status: u16,
}

/// A server on loopback; stopped on drop.
pub struct Receiver {
    address: SocketAddr,
    shared: Arc<ReceiverState>,
    listening: Option<JoinHandle<()>>,
}

struct ReceiverState {
    received: Mutex<Vec<WebhookDelivery>>,
    answer: Mutex<Box<AnswerFunction>>,
    over: AtomicBool,
}

/// The response to the request with this number, from 0: a status, and further header lines.
pub type AnswerFunction = dyn FnMut(usize) -> (u16, String) + Send;

impl Receiver {
    /// Listens on a free port and responds with 200.
    #[must_use]
    pub fn start() -> Self {
        Self::start_at("127.0.0.1:0".parse().unwrap(), |_| (200, String::new()))
    }

    /// Listens on an address and responds by a function.
    #[must_use]
    pub fn start_at(
        address: SocketAddr,
        answer: impl FnMut(usize) -> (u16, String) + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).expect("the address is free");
        let address = listener.local_addr().expect("it listens somewhere");
        let answer: Box<AnswerFunction> = Box::new(answer);
        let shared = Arc::new(ReceiverState {
            received: Mutex::default(),
            answer: Mutex::new(answer),
            over: AtomicBool::new(false),
        });
        let heard = Arc::clone(&shared);
        let listening = thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if heard.over.load(Ordering::Relaxed) {
                    return;
                }
                let heard = Arc::clone(&heard);
                thread::spawn(move || heard.serve(stream));
            }
        });
        Self { address, shared, listening: Some(listening) }
    }

    /// The address it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL for deliveries.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/hook?room=1", self.address)
    }

    /// Changes the responses.
    pub fn answer(&self, answer: impl FnMut(usize) -> (u16, String) + Send + 'static) {
        *self.shared.answer.lock().unwrap() = Box::new(answer);
    }

    /// All deliveries, in order.
    #[must_use]
    pub fn received(&self) -> Vec<WebhookDelivery> {
        self.shared.received.lock().unwrap().clone()
    }
}

impl WebhookDelivery {
    /// A header; empty when it is missing.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("a delivery is JSON")
    }

    /// The position of the delivered record.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.json()["position"].as_u64().expect("a delivery has a position")
    }
}

impl ReceiverState {
    fn serve(&self, stream: TcpStream) {
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket takes a timeout");
        let mut reader = BufReader::new(stream.try_clone().expect("a socket can be shared"));
        let mut stream = stream;
        while let Some((headers, body)) = read(&mut reader) {
            if self.over.load(Ordering::Relaxed) {
                return;
            }
            let mut received = self.received.lock().unwrap();
            let (status, further) = (self.answer.lock().unwrap())(received.len());
            received.push(WebhookDelivery { headers, body, status });
            drop(received);
            let answer = format!("HTTP/1.1 {status} Said\r\ncontent-length: 2\r\n{further}\r\nok");
            if stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        // Wakes up the accepting thread, which then ends.
        drop(TcpStream::connect(self.address));
        if let Some(listening) = self.listening.take() {
            drop(listening.join());
        }
    }
}

fn read(reader: &mut impl BufRead) -> Option<(Vec<(String, String)>, String)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length")?.1.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((headers, String::from_utf8(body).ok()?))
}
