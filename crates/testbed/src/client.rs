//! An HTTP client with a token and a persistent connection.

use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::http::Request;

/// The request timeout, so that a hanging test ends.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client with a token and its own connections.
pub struct Client {
    url: String,
    /// The bearer token of every request; none when it is empty.
    pub token: String,
    agent: Agent,
}

/// The connection broke: the outcome of the request is unknown.
#[derive(Debug)]
pub struct Lost(pub String);

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its content type.
    pub content_type: String,
    /// Its body.
    pub text: String,
    /// All of its headers, their names in lower case.
    pub headers: Vec<(String, String)>,
}

impl Client {
    /// A client; sends nothing yet.
    #[must_use]
    pub fn new(url: &str, token: &str) -> Self {
        let config = Agent::config_builder().http_status_as_error(false).proxy(None);
        let config = config.timeout_global(Some(PATIENCE)).build();
        Self { url: url.to_owned(), token: token.to_owned(), agent: config.new_agent() }
    }

    /// The same connection with another token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { url: self.url.clone(), token: token.to_owned(), agent: self.agent.clone() }
    }

    /// Sends JSON; returns the status and the JSON of the response.
    ///
    /// # Errors
    /// When the connection broke.
    pub fn post(&self, path: &str, body: &Value, key: Option<&str>) -> Result<(u16, Value), Lost> {
        self.send("POST", path, body.to_string().as_bytes(), key).map(Reply::into_json)
    }

    /// Sends a GET request; returns the status and the JSON of the response.
    ///
    /// # Errors
    /// When the connection broke.
    pub fn get(&self, path: &str) -> Result<(u16, Value), Lost> {
        self.send("GET", path, &[], None).map(Reply::into_json)
    }

    /// Sends bytes. Asserts that every error response is a problem document.
    ///
    /// # Errors
    /// When the connection broke.
    pub fn send(&self, method: &str, path: &str, body: &[u8], key: Option<&str>) -> Result<Reply, Lost> {
        let key: Vec<_> = key.into_iter().map(|key| ("idempotency-key", key)).collect();
        self.send_with(method, path, body, &key)
    }

    /// The same with headers.
    ///
    /// # Errors
    /// When the connection broke.
    pub fn send_with(
        &self,
        method: &str,
        path: &str,
        body: &[u8],
        headers: &[(&str, &str)],
    ) -> Result<Reply, Lost> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.url));
        if !self.token.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.token));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let lost = |error: ureq::Error| Lost(error.to_string());
        let answer = if method == "GET" {
            self.agent.run(request.body(()).expect("a request"))
        } else {
            self.agent.run(request.header("content-type", "application/json").body(body).expect("a request"))
        };
        let mut answer = answer.map_err(lost)?;
        let content_type = answer.headers().get("content-type").and_then(|value| value.to_str().ok());
        let content_type = content_type.unwrap_or_default().to_owned();
        let headers = answer.headers().iter().filter_map(|(name, value)| Some((name, value.to_str().ok()?)));
        let headers = headers.map(|(name, value)| (name.to_string(), value.to_owned())).collect();
        let status = answer.status().as_u16();
        let text = answer.body_mut().read_to_string().map_err(lost)?;
        // The DRES API has its own error format.
        let problem = content_type == "application/problem+json";
        let expected = status >= 400 && !path.starts_with("/api/v2/");
        assert_eq!(problem, expected, "{method} {path}: {status} {content_type} {text}");
        Ok(Reply { status, content_type, text, headers })
    }
}

impl Reply {
    /// A header by its name in lower case; empty when it is not there.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The status and the body; a body that is no JSON as a text.
    #[must_use]
    pub fn into_json(self) -> (u16, Value) {
        let json = serde_json::from_str(&self.text).unwrap_or(Value::String(self.text));
        (self.status, json)
    }
}
