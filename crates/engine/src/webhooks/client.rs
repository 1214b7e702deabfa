//! The HTTP client of webhooks: one signed request for each attempt, with timeouts and without redirects.

use std::time::Duration;

use assize_kernel::Moment;
use assize_ledger::Webhook;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode};

use super::addresses::{PublicNames, UrlError, read_url};
use super::delivery::Delivery;
use super::signing::sign;

const CONNECTING: Duration = Duration::from_secs(5);
const WHOLE: Duration = Duration::from_secs(15);
/// Bytes of the response body that are read and discarded, so that the connection can be reused.
const MOST_READ: usize = 4096;
/// Longest stored error message, in characters.
const LONGEST_ERROR: usize = 300;

/// Sends deliveries; cheap to clone.
#[derive(Clone)]
pub struct WebhookClient {
    /// The client, or the error of building it.
    client: Result<Client, String>,
    allow_private: bool,
}

/// The outcome of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Delivered; the receiver's status code.
    Delivered(u16),
    /// The receiver responded 410 and wants no more deliveries.
    Gone,
    /// The attempt failed; a retry may succeed.
    Failed {
        /// The error, for people.
        error: String,
        /// The receiver's `Retry-After`, in seconds.
        retry_after: Option<u64>,
    },
}

impl WebhookClient {
    /// A client that connects to private networks only if `allow_private` is set.
    pub fn new(allow_private: bool) -> Self {
        crate::provider::install();
        let mut builder = Client::builder()
            .user_agent(concat!("assize/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .connect_timeout(CONNECTING)
            .timeout(WHOLE);
        if !allow_private {
            builder = builder.dns_resolver(PublicNames);
        }
        Self { client: builder.build().map_err(|error| error.to_string()), allow_private }
    }

    /// Whether private networks are allowed.
    pub fn allows_private(&self) -> bool {
        self.allow_private
    }

    /// Makes one attempt to send a delivery.
    pub async fn send(&self, webhook: &Webhook, delivery: &Delivery, now: Moment) -> Outcome {
        let (client, body) = match (&self.client, &delivery.body) {
            (Ok(client), Ok(body)) => (client, body.clone()),
            (Err(error), _) | (_, Err(error)) => return Outcome::failed(error),
        };
        // Checked again, because the setting may have changed since the webhook was added.
        let url = match read_url(&webhook.url, self.allow_private) {
            Ok(url) => url,
            Err(error) => return Outcome::failed(&error.to_string()),
        };
        let timestamp = now.as_millis().div_euclid(1000);
        let request = client
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header("Assize-Delivery", &delivery.id)
            .header("Assize-Timestamp", timestamp)
            .header("Assize-Signature", sign(&webhook.secret.0, timestamp, &body))
            .body(body);
        match request.send().await {
            Ok(answer) => settle(answer).await,
            Err(error) => Outcome::failed(&explain(error)),
        }
    }
}

impl Outcome {
    fn failed(error: &str) -> Self {
        Self::Failed { error: error.chars().take(LONGEST_ERROR).collect(), retry_after: None }
    }
}

async fn settle(mut answer: Response) -> Outcome {
    let status = answer.status();
    let retry_after = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    let mut read = 0;
    while let Ok(Some(part)) = answer.chunk().await {
        read += part.len();
        if read > MOST_READ {
            break;
        }
    }
    if status.is_success() {
        Outcome::Delivered(status.as_u16())
    } else if status == StatusCode::GONE {
        Outcome::Gone
    } else {
        let redirect = if status.is_redirection() { "; redirects are not followed" } else { "" };
        Outcome::Failed { error: format!("the receiver answered {}{redirect}", status.as_u16()), retry_after }
    }
}

/// Describes an error by its kind and innermost cause, without the URL, which may contain a secret.
fn explain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    let mut private = false;
    while let Some(inner) = cause.source() {
        cause = inner;
        private |= cause.to_string() == UrlError::Private.to_string();
    }
    if private {
        return UrlError::Private.to_string();
    }
    if error.is_timeout() {
        let seconds = if error.is_connect() { CONNECTING } else { WHOLE }.as_secs();
        return format!("no answer within {seconds} seconds");
    }
    if error.is_connect() { format!("cannot connect: {cause}") } else { format!("no answer: {cause}") }
}
