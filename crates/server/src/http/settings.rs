//! What requests are held to, as whoever runs the server wants it.

use std::str::FromStr;
use std::time::Duration;

use axum::http::{HeaderValue, Uri};

use super::client_address::Network;

/// How requests are received.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// The longest body, in bytes.
    pub body_limit: usize,
    /// How long a body may take to arrive.
    pub body_time: Duration,
    /// How long an answer may take.
    pub request_time: Duration,
    /// Requests a second from one address; 0 for any number.
    pub rate_per_address: u32,
    /// Requests a second with one token; 0 for any number.
    pub rate_per_token: u32,
    /// Whether the rates hold for this machine itself, too.
    pub rate_on_loopback: bool,
    /// How many streams of events there may be at once.
    pub event_streams: usize,
    /// Web pages elsewhere that may use this server.
    pub cors_origins: Vec<Origin>,
    /// Who may read the metrics.
    pub metrics: Audience,
    /// Whether browsers reach this server by TLS only.
    pub secure: bool,
}

/// Where a web page comes from, as `https://example.org`; `*` is anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(pub(super) HeaderValue);

/// Who may read the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Whoever has an admin's token.
    Admins,
    /// And whoever asks from this machine.
    Loopback,
    /// Everybody.
    Everyone,
}

impl Default for HttpSettings {
    /// Room for a contest of hundreds behind one address.
    fn default() -> Self {
        Self {
            trusted_proxies: Vec::new(),
            body_limit: 1 << 20,
            body_time: Duration::from_secs(30),
            request_time: Duration::from_secs(60),
            rate_per_address: 2_000,
            rate_per_token: 200,
            rate_on_loopback: false,
            // Fewer than connections: who only listens never takes the last one from who submits.
            event_streams: 16_000,
            cors_origins: Vec::new(),
            metrics: Audience::Loopback,
            secure: false,
        }
    }
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no origin such as `https://example.org`, without a path");
        let address: Uri = text.parse().map_err(|_| wrong())?;
        let whole = match (address.scheme_str(), address.authority()) {
            (Some(scheme @ ("http" | "https")), Some(authority)) => text == format!("{scheme}://{authority}"),
            _ => text == "*",
        };
        let value = HeaderValue::from_str(text).map_err(|_| wrong())?;
        if whole { Ok(Self(value)) } else { Err(wrong()) }
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.to_str().unwrap_or_default())
    }
}

impl FromStr for Audience {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "admins" => Ok(Self::Admins),
            "loopback" => Ok(Self::Loopback),
            "everyone" => Ok(Self::Everyone),
            _ => Err(format!("`{text}` is none of `admins`, `loopback`, `everyone`")),
        }
    }
}

#[test]
fn an_origin_is_scheme_and_host_and_nothing_more() {
    for right in ["https://example.org", "http://localhost:3000", "*"] {
        assert_eq!(right.parse::<Origin>().unwrap().to_string(), right);
    }
    for wrong in [
        "",
        "//example.org",
        "https://example.org/",
        "https://example.org/a",
        "ftp://example.org",
        "https://",
    ] {
        assert!(wrong.parse::<Origin>().is_err(), "{wrong}");
    }
}
