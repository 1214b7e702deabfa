//! One attempt to deliver: a signed request that goes nowhere it must not, and does not wait for ever.

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
/// As much of an answer is read, so that the connection can be used again; nobody looks at it.
const MOST_READ: usize = 4096;
/// The longest explanation that is kept.
const LONGEST_ERROR: usize = 300;

/// Sends deliveries.
#[derive(Clone)]
pub struct WebhookClient {
    /// Or why there is none.
    client: Result<Client, String>,
    allow_private: bool,
}

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver has it.
    Delivered(u16),
    /// The receiver wants nothing more.
    Gone,
    /// It may work another time; after so many seconds, if the receiver has said so.
    Failed {
        /// Why, for people.
        error: String,
        /// What the receiver asks for.
        retry_after: Option<u64>,
    },
}

impl WebhookClient {
    /// Into private networks only if that is allowed.
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

    /// Whether it goes into private networks.
    pub fn allows_private(&self) -> bool {
        self.allow_private
    }

    /// Sends a delivery once.
    pub async fn send(&self, webhook: &Webhook, delivery: &Delivery, now: Moment) -> Outcome {
        let (client, body) = match (&self.client, &delivery.body) {
            (Ok(client), Ok(body)) => (client, body.clone()),
            (Err(error), _) | (_, Err(error)) => return Outcome::failed(error),
        };
        // Again, because it may have been allowed when the webhook was added and be so no longer.
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

/// The innermost cause says what is wrong, the kind of error where; the address, which may hold a secret, is left
/// out.
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
