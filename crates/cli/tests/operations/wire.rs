//! HTTP as bytes on a connection, for requests that no well-behaved client would send.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use assize_testbed::server::Server;
use serde_json::Value;

/// Longer than any answer takes, so that a test that hangs ends.
const PATIENCE: Duration = Duration::from_secs(30);

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

/// The program under test, on memory, with these further arguments.
pub(crate) fn serve(args: &[&str]) -> Server {
    Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), &[&["--ephemeral"], args].concat())
}

/// A connection to a server.
pub(crate) fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.url().split_once("://").unwrap().1).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends `GET` with these further header lines, on a connection of its own.
pub(crate) fn get(server: &Server, path: &str, headers: &[&str]) -> Answer {
    ask(&mut connect(server), &request("GET", path, headers, ""))
}

/// A request as it is sent, to `localhost` unless a header says otherwise.
pub(crate) fn request(method: &str, path: &str, headers: &[&str], body: &str) -> String {
    let headers: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    let length = body.len();
    let host = if headers.starts_with("host: ") { "" } else { "host: localhost\r\n" };
    format!("{method} {path} HTTP/1.1\r\n{host}{headers}content-length: {length}\r\n\r\n{body}")
}

/// Sends bytes and reads one answer.
pub(crate) fn ask(stream: &mut (impl Read + Write), text: &str) -> Answer {
    stream.write_all(text.as_bytes()).unwrap();
    hear(stream)
}

/// Reads one answer.
pub(crate) fn hear(stream: &mut impl Read) -> Answer {
    let mut reader = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    };
    let first = line();
    let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.unwrap_or_else(|| panic!("no answer but {first:?}"));
    let head: Vec<String> = std::iter::from_fn(|| Some(line()).filter(|line| !line.is_empty())).collect();
    let split =
        |line: &String| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    let mut answer = Answer { status, headers: head.iter().filter_map(split).collect(), body: String::new() };
    let length = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
    reader.take(length).read_to_string(&mut answer.body).unwrap();
    answer
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The code of a problem, whose body must be one.
    #[track_caller]
    pub(crate) fn code(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        let problem: Value = serde_json::from_str(&self.body).unwrap();
        assert_eq!(problem["status"], self.status, "{self:?}");
        problem["code"].as_str().unwrap().to_owned()
    }
}
