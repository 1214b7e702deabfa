//! Somebody who is told: a plain HTTP listener that notes every delivery and answers as it was told to.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Received {
    /// Names in lower case, in order.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: String,
    /// What it was answered with.
    pub status: u16,
}

/// A listener on loopback; gone when dropped.
pub struct Receiver {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

struct Shared {
    received: Mutex<Vec<Received>>,
    answer: Mutex<Box<Answering>>,
    over: AtomicBool,
}

/// Says what to answer to the request with this number, from 0: a status, and further header lines.
pub type Answering = dyn FnMut(usize) -> (u16, String) + Send;

impl Receiver {
    /// Listens on a free port and answers 200.
    #[must_use]
    pub fn start() -> Self {
        Self::start_at("127.0.0.1:0".parse().unwrap(), |_| (200, String::new()))
    }

    /// Listens there and answers so.
    #[must_use]
    pub fn start_at(
        address: SocketAddr,
        answer: impl FnMut(usize) -> (u16, String) + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).expect("the address is free");
        let address = listener.local_addr().expect("it listens somewhere");
        let answer: Box<Answering> = Box::new(answer);
        let shared = Arc::new(Shared {
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
                thread::spawn(move || heard.converse(stream));
            }
        });
        Self { address, shared, listening: Some(listening) }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where to send.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/hook?room=1", self.address)
    }

    /// Answers otherwise from now on.
    pub fn answer(&self, answer: impl FnMut(usize) -> (u16, String) + Send + 'static) {
        *self.shared.answer.lock().unwrap() = Box::new(answer);
    }

    /// Everything that came, in order.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        self.shared.received.lock().unwrap().clone()
    }
}

impl Received {
    /// A header, or nothing.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("a delivery is JSON")
    }

    /// The position of the record it tells of.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.json()["position"].as_u64().expect("a delivery has a position")
    }
}

impl Shared {
    fn converse(&self, stream: TcpStream) {
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket takes a timeout");
        let mut reader = BufReader::new(stream.try_clone().expect("a socket can be shared"));
        let mut stream = stream;
        while let Some((headers, body)) = read(&mut reader) {
            if self.over.load(Ordering::Relaxed) {
                return;
            }
            let mut received = self.received.lock().unwrap();
            let (status, further) = (self.answer.lock().unwrap())(received.len());
            received.push(Received { headers, body, status });
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
        // Wakes the listener, which then ends.
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
