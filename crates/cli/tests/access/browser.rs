//! A minimal browser: keeps cookies, sends the usual headers and checks redirects.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;

use assize_testbed::server::Server;
use serde_json::Value;

/// A browser that has been somewhere.
pub(crate) struct Browser {
    host: String,
    pub(crate) cookie: Option<String>,
}

/// A page, or any other answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

impl Browser {
    pub(crate) fn new(server: &Server) -> Self {
        Self { host: server.url().trim_start_matches("http://").to_owned(), cookie: None }
    }

    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    /// Sends a form as a page of the server's own would.
    pub(crate) fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let fields: Vec<String> =
            fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let origin = format!("http://{}", self.host);
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("origin", &origin),
            ("sec-fetch-site", "same-origin"),
        ];
        self.send("POST", path, &headers, &fields.join("&"))
    }

    pub(crate) fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", self.host);
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if let Some(cookie) = &self.cookie {
            head += &format!("cookie: other=1; assize_session={cookie}\r\n");
        }
        let mut connection = TcpStream::connect(&self.host).unwrap();
        connection
            .write_all(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes())
            .unwrap();
        let mut text = String::new();
        connection.read_to_string(&mut text).unwrap();
        let answer = Answer::read(&text);
        if let Some(set) = answer.headers.get("set-cookie") {
            let value = set.strip_prefix("assize_session=").unwrap().split(';').next().unwrap();
            self.cookie = (!value.is_empty()).then(|| value.to_owned());
        }
        answer
    }
}

impl Answer {
    fn read(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
        Self { status, headers, body: body.to_owned() }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    /// The value of a hidden field of the form on a page.
    pub(crate) fn hidden(&self, name: &str) -> String {
        let (_, rest) =
            self.body.split_once(&format!("name=\"{name}\" value=\"")).expect("there is such a field");
        rest.split('"').next().unwrap().to_owned()
    }
}

fn encoded(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    value
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
