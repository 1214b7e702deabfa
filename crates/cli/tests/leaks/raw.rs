//! A raw HTTP request and all bytes of the response.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::stage::Person;

/// What does not end by itself is listened to for so long.
const ENDLESS: Duration = Duration::from_millis(300);
const PATIENCE: Duration = Duration::from_secs(30);

/// The same as somebody: with their token, and with their session where tools show that instead.
pub(crate) fn ask_as(url: &str, method: &str, path: &str, person: &Person, body: Option<&str>) -> String {
    let by_session = path.starts_with("/api/v2/") && !path.contains("logout") && !person.session.is_empty();
    let joint = if path.contains('?') { '&' } else { '?' };
    let session = if by_session { format!("{joint}session={}", person.session) } else { String::new() };
    ask(url, method, &format!("{path}{session}"), &person.token, body)
}

/// Head and body of an answer as one text.
pub(crate) fn ask(url: &str, method: &str, path: &str, token: &str, body: Option<&str>) -> String {
    let address = url.strip_prefix("http://").expect("a plain address");
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let body = body.unwrap_or_default();
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
    if !token.is_empty() {
        head += &format!("authorization: Bearer {token}\r\n");
    }
    head += &format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(head.as_bytes()).unwrap();
    let (mut answer, mut part) = (Vec::new(), [0; 16_384]);
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => answer.extend_from_slice(&part[..read]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                assert!(is_endless(&answer), "{method} {path} was never answered to the end");
                break;
            }
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!("{method} {path}: {error}"),
        }
        if is_endless(&answer) {
            stream.set_read_timeout(Some(ENDLESS)).unwrap();
        }
    }
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert!(!answer.starts_with("HTTP/1.1 5"), "{method} {path} breaks down: {answer}");
    answer
}

fn is_endless(answer: &[u8]) -> bool {
    String::from_utf8_lossy(answer).to_ascii_lowercase().contains("content-type: text/event-stream")
}
