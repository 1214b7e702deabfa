//! Export of traces to Opik and to OpenTelemetry collectors.
//!
//! Off by default. Judging never waits for the export: when the queue is full, traces are dropped and
//! counted.

mod ids;
mod opik;
mod otlp;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use assize_kernel::{Exchange, Usage};
use reqwest::Client;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

use crate::settings::SettingsError;
use ids::TraceIds;

/// The capacity of the queue; further traces are dropped.
const QUEUE_CAPACITY: usize = 1_000;
/// The maximal number of traces in a request.
const MAX_BATCH: usize = 50;
/// How long a batch waits for another trace.
const BATCH_DELAY: Duration = Duration::from_millis(500);
/// The timeout of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// Where traces are exported to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceSettings {
    /// Opik, by its REST API.
    pub opik: Option<TraceTarget>,
    /// An OpenTelemetry collector, by OTLP over HTTP with JSON.
    pub otlp: Option<TraceTarget>,
}

/// A server that receives traces.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceTarget {
    /// The URL: `https://www.comet.com/opik/api`, `http://localhost:4318`.
    pub url: String,
    /// The environment variable with the API key, if one is needed.
    pub key_variable: Option<String>,
    /// The project of Opik, or the service name of OpenTelemetry.
    #[serde(default = "assize")]
    pub project: String,
    /// Opik's workspace.
    pub workspace: Option<String>,
}

fn assize() -> String {
    "assize".to_owned()
}

/// The trace of an assessment by a model.
#[derive(Debug, Clone)]
pub struct AssessmentTrace {
    /// The court.
    pub court: &'static str,
    /// The submission.
    pub submission: u64,
    /// The name of the model in the settings.
    pub assessor: String,
    /// The parameters of the request.
    pub called: ModelCall,
    /// Start and end, in milliseconds since 1970.
    pub time: (i64, i64),
    /// The requests and responses; empty where they are personal.
    pub exchanges: Vec<Exchange>,
    /// The usage.
    pub usage: Usage,
    /// The verdict; none while other assessors are still asked.
    pub verdict: Option<Value>,
}

/// The parameters of a request and the metadata of its response, without their contents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelCall {
    /// The endpoint's name of the model.
    pub model: String,
    /// The host and port of the endpoint.
    pub server: Option<(String, u16)>,
    /// The maximal number of tokens of an answer.
    pub max_tokens: u32,
    /// The sampling temperature.
    pub temperature: f64,
    /// Whether the endpoint was asked for JSON.
    pub wants_json: bool,
    /// The endpoint's id of the response.
    pub response_id: Option<String>,
    /// The model that answered, as the endpoint names it.
    pub response_model: Option<String>,
    /// Why the model stopped.
    pub finish_reason: Option<String>,
}

/// Exports traces in the background; cheap to clone.
#[derive(Clone, Default)]
pub struct TraceExporter {
    queue: Option<Sender<AssessmentTrace>>,
    dropped: Arc<AtomicU64>,
}

impl TraceExporter {
    /// Starts the export to the configured servers, if any; needs a runtime.
    ///
    /// # Errors
    /// When an API key is missing in the environment, or the client cannot be built.
    pub fn start(
        settings: &TraceSettings,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, SettingsError> {
        let opik = settings.opik.as_ref().map(|one| TraceClient::new("opik", one, variable)).transpose()?;
        let otlp = settings.otlp.as_ref().map(|one| TraceClient::new("otlp", one, variable)).transpose()?;
        if opik.is_none() && otlp.is_none() {
            return Ok(Self::default());
        }
        let (queue, waiting) = channel(QUEUE_CAPACITY);
        tokio::spawn(tell(waiting, opik, otlp));
        Ok(Self { queue: Some(queue), dropped: Arc::default() })
    }

    /// Whether an export is configured.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.queue.is_some()
    }

    /// Queues a trace; drops it when the queue is full.
    pub fn tell(&self, traced: AssessmentTrace) {
        if let Some(queue) = &self.queue
            && queue.try_send(traced).is_err()
        {
            let dropped = self.dropped.fetch_add(1, Ordering::Relaxed) + 1;
            if dropped.is_power_of_two() {
                tracing::warn!(dropped, "the export of traces does not keep up; traces are dropped");
            }
        }
    }
}

async fn tell(mut waiting: Receiver<AssessmentTrace>, opik: Option<TraceClient>, otlp: Option<TraceClient>) {
    while let Some(first) = waiting.recv().await {
        let mut batch = vec![first];
        while batch.len() < MAX_BATCH {
            match timeout(BATCH_DELAY, waiting.recv()).await {
                Ok(Some(next)) => batch.push(next),
                _ => break,
            }
        }
        let batch: Vec<(TraceIds, AssessmentTrace)> =
            batch.into_iter().map(|traced| (TraceIds::new(traced.time.0), traced)).collect();
        if let Some(opik) = &opik {
            opik::tell(opik, &batch).await;
        }
        if let Some(otlp) = &otlp {
            otlp::tell(otlp, &batch).await;
        }
    }
}

/// The HTTP client of a target.
struct TraceClient {
    client: Client,
    url: String,
    project: String,
}

impl TraceClient {
    fn new(
        name: &str,
        settings: &TraceTarget,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, SettingsError> {
        let wrong = |problem: String| SettingsError { name: name.to_owned(), problem };
        drop(tokio_rustls::rustls::crypto::ring::default_provider().install_default());
        let mut headers = HeaderMap::new();
        if let Some(key) = &settings.key_variable {
            let value =
                variable(key).ok_or_else(|| wrong(format!("the environment variable `{key}` is not set")))?;
            // Opik expects the bare key.
            let value = if name == "opik" { value } else { format!("Bearer {value}") };
            let mut value = HeaderValue::from_str(value.trim()).map_err(|error| wrong(error.to_string()))?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static("authorization"), value);
        }
        if let Some(workspace) = &settings.workspace {
            let value = HeaderValue::from_str(workspace).map_err(|error| wrong(error.to_string()))?;
            headers.insert(HeaderName::from_static("comet-workspace"), value);
        }
        let client = Client::builder()
            .default_headers(headers)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(REQUEST_TIMEOUT)
            .build()
            .map_err(|error| wrong(error.to_string()))?;
        let url = settings.url.trim_end_matches('/').to_owned();
        Ok(Self { client, url, project: settings.project.clone() })
    }

    /// Sends without retries; a failed request is lost.
    async fn send(&self, put: bool, path: &str, body: &Value) {
        let address = format!("{}{path}", self.url);
        let request = if put { self.client.put(address) } else { self.client.post(address) };
        let body = assize_kernel::to_json(body);
        match request.header(CONTENT_TYPE, "application/json").body(body).send().await {
            Ok(answer) if answer.status().is_success() => {}
            Ok(answer) => {
                tracing::warn!(status = answer.status().as_u16(), path, "the server rejects traces")
            }
            Err(error) => {
                tracing::warn!(error = %error.without_url(), path, "the server for traces cannot be reached")
            }
        }
    }
}
