//! Settings of the HTTP server: limits, proxies, CORS and metrics.

use std::str::FromStr;
use std::time::Duration;

use axum::http::{HeaderValue, Uri};

use super::client_address::Network;

/// Settings of the HTTP server.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<Network>,
    /// Maximum body size in bytes.
    pub body_limit: usize,
    /// Timeout for receiving a body.
    pub body_time: Duration,
    /// Timeout for a response.
    pub request_time: Duration,
    /// Rate limit per client address, in requests per second; 0 for none.
    pub rate_per_address: u32,
    /// Rate limit per token, in requests per second; 0 for none.
    pub rate_per_token: u32,
    /// Whether the rate limits apply to loopback addresses, too.
    pub rate_on_loopback: bool,
    /// Maximum number of concurrent event streams.
    pub event_streams: usize,
    /// Origins allowed by CORS.
    pub cors_origins: Vec<Origin>,
    /// Access to the metrics.
    pub metrics: MetricsAudience,
    /// Whether browsers reach this server by TLS only (`Secure` cookies, HSTS).
    pub secure: bool,
}

/// A web origin, as `https://example.org`; `*` is any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(pub(crate) HeaderValue);

/// Access to the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricsAudience {
    /// Callers with an admin's token.
    Admins,
    /// Admins, and requests from this machine.
    Loopback,
    /// Everybody.
    Everyone,
}

impl Default for HttpSettings {
    /// Sized for a contest of hundreds behind one address.
    fn default() -> Self {
        Self {
            trusted_proxies: Vec::new(),
            body_limit: 1 << 20,
            body_time: Duration::from_secs(30),
            request_time: Duration::from_secs(60),
            rate_per_address: 2_000,
            rate_per_token: 200,
            rate_on_loopback: false,
            // Fewer than the connection limit: event streams never take the last connection from a
            // submission.
            event_streams: 16_000,
            cors_origins: Vec::new(),
            metrics: MetricsAudience::Loopback,
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

impl FromStr for MetricsAudience {
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
