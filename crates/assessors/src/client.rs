//! The HTTP client of an endpoint, with retries while it is unavailable or busy.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode};
use tokio::time::sleep;

use crate::settings::ModelSettings;

/// The maximal size of a response body.
const MAX_BODY: usize = 4 << 20;
/// The maximal length of an error message that is passed on.
const LONGEST_ERROR: usize = 300;
/// The first pause between attempts; doubled after each.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The maximal pause, also when `Retry-After` asks for more.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// A client of one endpoint; the only holder of its API key.
pub(crate) struct ModelEndpoint {
    /// Built on first use, because loading the root certificates is slow.
    client: OnceLock<Result<Client, String>>,
    timeout: Duration,
    url: String,
    key: Option<HeaderValue>,
    attempts: u32,
}

/// Why there is no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EndpointError {
    /// The endpoint is unavailable; a later request may succeed.
    Away(String),
    /// The endpoint rejects this request.
    Refused(String),
}

impl ModelEndpoint {
    pub(crate) fn new(settings: &ModelSettings, key: Option<&str>) -> Result<Self, String> {
        let bearer = |key: &str| {
            let mut value = HeaderValue::from_str(&format!("Bearer {key}")).ok()?;
            value.set_sensitive(true);
            Some(value)
        };
        let key = match key {
            Some(key) => Some(bearer(key).ok_or("the key has characters that no key has")?),
            None => None,
        };
        let url = format!("{}/chat/completions", settings.url.trim_end_matches('/'));
        Ok(Self {
            client: OnceLock::new(),
            timeout: settings.timeout(),
            url,
            key,
            attempts: settings.attempts,
        })
    }

    /// Sends a request, with retries. Also returns the number of attempts.
    pub(crate) async fn ask(&self, body: &str) -> (Result<String, EndpointError>, u32) {
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let (problem, after) = match self.send(body).await {
                SendOutcome::Answered(answer) => return (Ok(answer), attempt),
                SendOutcome::Refused(problem) => return (Err(problem), attempt),
                SendOutcome::Busy(problem, after) => (problem, after),
            };
            if attempt >= self.attempts {
                return (Err(EndpointError::Away(problem)), attempt);
            }
            tracing::debug!(problem, attempt, "retrying a request to a model");
            sleep(after.unwrap_or(pause).min(LONGEST_PAUSE)).await;
            pause = pause.saturating_mul(2);
        }
        (Err(EndpointError::Away("it was never asked".to_owned())), 0)
    }

    async fn send(&self, body: &str) -> SendOutcome {
        let client = match self.client.get_or_init(|| client(self.timeout)) {
            Ok(client) => client,
            Err(problem) => return SendOutcome::Busy(problem.clone(), None),
        };
        let mut request = client.post(&self.url).header(CONTENT_TYPE, "application/json");
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, key.clone());
        }
        match request.body(body.to_owned()).send().await {
            Ok(answer) => settle(answer).await,
            Err(error) => SendOutcome::Busy(explain(&error), None),
        }
    }
}

fn client(timeout: Duration) -> Result<Client, String> {
    // Fails when a provider is already installed, which is fine.
    drop(tokio_rustls::rustls::crypto::ring::default_provider().install_default());
    let client = Client::builder()
        .user_agent(concat!("assize/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .no_proxy()
        .timeout(timeout);
    client.build().map_err(|error| error.to_string())
}

enum SendOutcome {
    Answered(String),
    Refused(EndpointError),
    /// Worth a retry, after the delay of `Retry-After` if there is one.
    Busy(String, Option<Duration>),
}

async fn settle(answer: Response) -> SendOutcome {
    let status = answer.status();
    let after = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let after = after.filter(|seconds: &f64| (0.0..1e6).contains(seconds)).map(Duration::from_secs_f64);
    let body = match read(answer).await {
        Ok(body) => body,
        Err(problem) => return SendOutcome::Busy(problem, after),
    };
    let said = format!("it answered {}: {}", status.as_u16(), shortened(&body));
    match status {
        _ if status.is_success() => SendOutcome::Answered(body),
        StatusCode::REQUEST_TIMEOUT | StatusCode::CONFLICT | StatusCode::TOO_MANY_REQUESTS => {
            SendOutcome::Busy(said, after)
        }
        _ if status.is_server_error() => SendOutcome::Busy(said, after),
        // A wrong key or URL is a mistake of the operator, not of the submission.
        StatusCode::UNAUTHORIZED
        | StatusCode::PAYMENT_REQUIRED
        | StatusCode::FORBIDDEN
        | StatusCode::NOT_FOUND => SendOutcome::Refused(EndpointError::Away(said)),
        _ if status.is_redirection() => {
            SendOutcome::Refused(EndpointError::Away(format!("{said}; redirects are not followed")))
        }
        _ => SendOutcome::Refused(EndpointError::Refused(said)),
    }
}

async fn read(mut answer: Response) -> Result<String, String> {
    let mut body = Vec::new();
    loop {
        match answer.chunk().await {
            Ok(Some(part)) if body.len() + part.len() <= MAX_BODY => body.extend_from_slice(&part),
            Ok(Some(_)) => return Err("its answer is too long".to_owned()),
            Ok(None) => return Ok(String::from_utf8_lossy(&body).into_owned()),
            Err(error) => return Err(explain(&error)),
        }
    }
}

fn shortened(body: &str) -> String {
    let plain: String = body.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    plain.trim().chars().take(LONGEST_ERROR).collect()
}

/// The innermost cause, without the address.
fn explain(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    match () {
        () if error.is_timeout() => "it did not answer in time".to_owned(),
        () if error.is_connect() => format!("cannot connect: {cause}"),
        () => format!("no answer: {cause}"),
    }
}
