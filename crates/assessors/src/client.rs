//! One request to an endpoint, tried again while it is away or busy.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode};
use tokio::time::sleep;

use crate::settings::ModelSettings;

/// No answer is longer.
const MOST_READ: usize = 4 << 20;
/// The longest explanation that is passed on.
const LONGEST_ERROR: usize = 300;
/// The first pause between attempts; each is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// No pause is longer, whatever the endpoint asks for.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Sends requests to one endpoint. The key is in here, and goes nowhere else.
pub(crate) struct Endpoint {
    /// Made when it is first needed: reading who may be trusted takes longer than a start.
    client: OnceLock<Result<Client, String>>,
    timeout: Duration,
    url: String,
    key: Option<HeaderValue>,
    attempts: u32,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// It may be there another time.
    Away(String),
    /// The endpoint does not take this request.
    Refused(String),
}

impl Endpoint {
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
        let (client, timeout) = (OnceLock::new(), settings.timeout());
        Ok(Self { client, timeout, url, key, attempts: settings.attempts })
    }

    /// Sends a request until it is answered or has been tried often enough. Says how often it was sent.
    pub(crate) async fn ask(&self, body: &str) -> (Result<String, NoAnswer>, u32) {
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let (problem, after) = match self.send(body).await {
                Sent::Answered(answer) => return (Ok(answer), attempt),
                Sent::Refused(problem) => return (Err(problem), attempt),
                Sent::Busy(problem, after) => (problem, after),
            };
            if attempt >= self.attempts {
                return (Err(NoAnswer::Away(problem)), attempt);
            }
            tracing::debug!(problem, attempt, "a model is asked again");
            sleep(after.unwrap_or(pause).min(LONGEST_PAUSE)).await;
            pause = pause.saturating_mul(2);
        }
        (Err(NoAnswer::Away("it was never asked".to_owned())), 0)
    }

    async fn send(&self, body: &str) -> Sent {
        let client = match self.client.get_or_init(|| client(self.timeout)) {
            Ok(client) => client,
            Err(problem) => return Sent::Busy(problem.clone(), None),
        };
        let mut request = client.post(&self.url).header(CONTENT_TYPE, "application/json");
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, key.clone());
        }
        match request.body(body.to_owned()).send().await {
            Ok(answer) => settle(answer).await,
            Err(error) => Sent::Busy(explain(&error), None),
        }
    }
}

fn client(timeout: Duration) -> Result<Client, String> {
    // Fails when one has been chosen already, which is as good.
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

enum Sent {
    Answered(String),
    Refused(NoAnswer),
    /// Worth another try, after so long if the endpoint has said so.
    Busy(String, Option<Duration>),
}

async fn settle(answer: Response) -> Sent {
    let status = answer.status();
    let after = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let after = after.filter(|seconds: &f64| (0.0..1e6).contains(seconds)).map(Duration::from_secs_f64);
    let body = match read(answer).await {
        Ok(body) => body,
        Err(problem) => return Sent::Busy(problem, after),
    };
    let said = format!("it answered {}: {}", status.as_u16(), shortened(&body));
    match status {
        _ if status.is_success() => Sent::Answered(body),
        StatusCode::REQUEST_TIMEOUT | StatusCode::CONFLICT | StatusCode::TOO_MANY_REQUESTS => {
            Sent::Busy(said, after)
        }
        _ if status.is_server_error() => Sent::Busy(said, after),
        // A wrong key or address is for whoever runs this to mend; nobody's submission is to suffer from it.
        StatusCode::UNAUTHORIZED
        | StatusCode::PAYMENT_REQUIRED
        | StatusCode::FORBIDDEN
        | StatusCode::NOT_FOUND => Sent::Refused(NoAnswer::Away(said)),
        _ if status.is_redirection() => {
            Sent::Refused(NoAnswer::Away(format!("{said}; redirects are not followed")))
        }
        _ => Sent::Refused(NoAnswer::Refused(said)),
    }
}

async fn read(mut answer: Response) -> Result<String, String> {
    let mut body = Vec::new();
    loop {
        match answer.chunk().await {
            Ok(Some(part)) if body.len() + part.len() <= MOST_READ => body.extend_from_slice(&part),
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
