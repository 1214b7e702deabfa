//! A client of server-sent events, byte by byte over a connection of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// The read timeout, so that a hanging test ends.
const PATIENCE: Duration = Duration::from_secs(60);

/// A subscription to server-sent events.
pub struct EventListener {
    stream: BufReader<TcpStream>,
    /// Received data that is not a whole event yet.
    rest: String,
    /// Whether comments are returned as events.
    pub comments: bool,
}

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedEvent {
    /// The position in the ledger, from its id.
    pub id: Option<u64>,
    /// Its type; `comment` for a keep-alive comment.
    pub event: String,
    /// Its data.
    pub data: Value,
}

impl EventListener {
    /// Subscribes to topics, after the last received event.
    ///
    /// # Errors
    /// The status and body of any other response; status 0 when the connection failed.
    pub fn open(url: &str, topics: &[&str], last: Option<u64>, token: &str) -> Result<Self, (u16, String)> {
        let query: Vec<String> = topics.iter().map(|topic| format!("topic={topic}")).collect();
        let mut head = String::new();
        if let Some(last) = last {
            head += &format!("last-event-id: {last}\r\n");
        }
        if !token.is_empty() {
            head += &format!("authorization: Bearer {token}\r\n");
        }
        Self::ask(url, &format!("/api/v1/events?{}", query.join("&")), &head)
    }

    /// Subscribes at a path, with further header lines.
    ///
    /// # Errors
    /// The status and body of any other response; status 0 when the connection failed.
    pub fn ask(url: &str, path: &str, head: &str) -> Result<Self, (u16, String)> {
        let lost = |error: std::io::Error| (0, error.to_string());
        let address = url.strip_prefix("http://").expect("a plain address");
        let mut stream = TcpStream::connect(address).map_err(lost)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(lost)?;
        let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{head}\r\n");
        stream.write_all(request.as_bytes()).map_err(lost)?;
        let mut stream = BufReader::new(stream);
        let mut answer = String::new();
        while !answer.ends_with("\r\n\r\n") {
            if stream.read_line(&mut answer).map_err(lost)? == 0 {
                return Err((0, "it ended before it answered".into()));
            }
        }
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let answer = answer.to_ascii_lowercase();
        if status == 200 && answer.contains("content-type: text/event-stream") {
            // Nothing but events follows, up to the end of the connection.
            assert!(
                answer.contains("connection: close") && !answer.contains("transfer-encoding"),
                "{answer}"
            );
            return Ok(Self { stream, rest: String::new(), comments: false });
        }
        let mut body = String::new();
        stream.read_to_string(&mut body).map_err(lost)?;
        Err((status, body))
    }

    /// The next event; none when the connection has ended.
    #[allow(clippy::should_implement_trait, reason = "a test listens, it does not iterate")]
    pub fn next(&mut self) -> Option<ReceivedEvent> {
        loop {
            if let Some((block, rest)) = self.rest.split_once("\n\n") {
                let heard = ReceivedEvent::read(block);
                self.rest = rest.to_owned();
                match heard {
                    Some(heard) if self.comments || heard.event != "comment" => return Some(heard),
                    _ => continue,
                }
            }
            self.stream.read_line(&mut self.rest).ok().filter(|read| *read > 0)?;
        }
    }

    /// The next event of this kind, which must come.
    pub fn wait_for(&mut self, event: &str) -> ReceivedEvent {
        loop {
            let heard = self.next().unwrap_or_else(|| panic!("it ended before `{event}` came"));
            if heard.event == event {
                return heard;
            }
        }
    }
}

impl ReceivedEvent {
    fn read(block: &str) -> Option<Self> {
        let mut heard = Self { id: None, event: String::new(), data: Value::Null };
        for line in block.lines() {
            match line.split_once(": ") {
                Some(("id", id)) => {
                    let position = id.split('-').next().and_then(|position| position.parse().ok());
                    heard.id = Some(position.expect("an id begins with a position"));
                }
                Some(("event", event)) => event.clone_into(&mut heard.event),
                Some(("data", data)) => heard.data = serde_json::from_str(data).expect("data is JSON"),
                Some(("", comment)) => {
                    heard.event = "comment".into();
                    heard.data = comment.into();
                }
                Some(("retry", _)) => return None,
                _ => panic!("an event has a line that is none: {line}"),
            }
        }
        Some(heard)
    }
}
