//! Telling others what was assessed and what came of it: Opik, and whoever speaks OpenTelemetry's protocol.
//!
//! Off unless set. Judging never waits for them: what they cannot take in time is dropped, and counted.

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
use ids::Ids;

/// As many wait to be told; more are dropped.
const WAITING: usize = 1_000;
/// As many are told together.
const TOGETHER: usize = 50;
/// How long is waited for more.
const GATHERING: Duration = Duration::from_millis(500);
/// How long telling may take.
const TELLING: Duration = Duration::from_secs(10);

/// Whom to tell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeighbourSettings {
    /// Opik, by its REST interface.
    pub opik: Option<Neighbour>,
    /// A collector of OpenTelemetry, by HTTP and JSON.
    pub otlp: Option<Neighbour>,
}

/// Somebody to tell.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Neighbour {
    /// Where: `https://www.comet.com/opik/api`, `http://localhost:4318`.
    pub url: String,
    /// The environment variable with the key; none where none is needed.
    pub key_variable: Option<String>,
    /// The project, or the name of the service.
    #[serde(default = "assize")]
    pub project: String,
    /// Opik's workspace.
    pub workspace: Option<String>,
}

fn assize() -> String {
    "assize".to_owned()
}

/// A submission that was judged after a model had looked at it.
#[derive(Debug, Clone)]
pub struct Traced {
    /// The court.
    pub court: &'static str,
    /// The submission.
    pub submission: u64,
    /// What the model is called here.
    pub assessor: String,
    /// How it was asked.
    pub called: Called,
    /// When it was asked and when it had answered, in milliseconds since 1970.
    pub time: (i64, i64),
    /// What was said; empty where that is personal.
    pub exchanges: Vec<Exchange>,
    /// What it took.
    pub usage: Usage,
    /// The verdict; none when others are still asked.
    pub verdict: Option<Value>,
}

/// How a model was asked, and how its answer came: nothing of what was said.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Called {
    /// What its endpoint calls it.
    pub model: String,
    /// The host and port of the endpoint.
    pub server: Option<(String, u16)>,
    /// How long an answer may be.
    pub max_tokens: u32,
    /// How freely it answers.
    pub temperature: f64,
    /// Whether the endpoint was asked for JSON.
    pub wants_json: bool,
    /// What the endpoint calls the answer.
    pub response_id: Option<String>,
    /// Which model has answered, in the endpoint's words.
    pub response_model: Option<String>,
    /// Why it stopped.
    pub finish_reason: Option<String>,
}

/// Tells others; cheap to clone.
#[derive(Clone, Default)]
pub struct Neighbours {
    queue: Option<Sender<Traced>>,
    dropped: Arc<AtomicU64>,
}

impl Neighbours {
    /// Begins to tell those who are set; needs a runtime when there is one.
    ///
    /// # Errors
    /// When a key is missing in the environment, or no client can be made.
    pub fn start(
        settings: &NeighbourSettings,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, SettingsError> {
        let opik = settings.opik.as_ref().map(|one| Post::new("opik", one, variable)).transpose()?;
        let otlp = settings.otlp.as_ref().map(|one| Post::new("otlp", one, variable)).transpose()?;
        if opik.is_none() && otlp.is_none() {
            return Ok(Self::default());
        }
        let (queue, waiting) = channel(WAITING);
        tokio::spawn(tell(waiting, opik, otlp));
        Ok(Self { queue: Some(queue), dropped: Arc::default() })
    }

    /// Whether anybody is told.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.queue.is_some()
    }

    /// Tells, if there is somebody and they keep up.
    pub fn tell(&self, traced: Traced) {
        if let Some(queue) = &self.queue
            && queue.try_send(traced).is_err()
        {
            let dropped = self.dropped.fetch_add(1, Ordering::Relaxed) + 1;
            if dropped.is_power_of_two() {
                tracing::warn!(dropped, "neighbours do not keep up; traces are dropped");
            }
        }
    }
}

async fn tell(mut waiting: Receiver<Traced>, opik: Option<Post>, otlp: Option<Post>) {
    while let Some(first) = waiting.recv().await {
        let mut batch = vec![first];
        while batch.len() < TOGETHER {
            match timeout(GATHERING, waiting.recv()).await {
                Ok(Some(next)) => batch.push(next),
                _ => break,
            }
        }
        let batch: Vec<(Ids, Traced)> =
            batch.into_iter().map(|traced| (Ids::new(traced.time.0), traced)).collect();
        if let Some(opik) = &opik {
            opik::tell(opik, &batch).await;
        }
        if let Some(otlp) = &otlp {
            otlp::tell(otlp, &batch).await;
        }
    }
}

/// How one of them is reached.
struct Post {
    client: Client,
    url: String,
    project: String,
}

impl Post {
    fn new(
        name: &str,
        settings: &Neighbour,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, SettingsError> {
        let wrong = |problem: String| SettingsError { name: name.to_owned(), problem };
        drop(tokio_rustls::rustls::crypto::ring::default_provider().install_default());
        let mut headers = HeaderMap::new();
        if let Some(key) = &settings.key_variable {
            let value =
                variable(key).ok_or_else(|| wrong(format!("the environment variable `{key}` is not set")))?;
            // Opik takes the key as it is.
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
            .timeout(TELLING)
            .build()
            .map_err(|error| wrong(error.to_string()))?;
        let url = settings.url.trim_end_matches('/').to_owned();
        Ok(Self { client, url, project: settings.project.clone() })
    }

    /// Sends once; what does not arrive is lost.
    async fn send(&self, put: bool, path: &str, body: &Value) {
        let address = format!("{}{path}", self.url);
        let request = if put { self.client.put(address) } else { self.client.post(address) };
        let body = assize_kernel::to_json(body);
        match request.header(CONTENT_TYPE, "application/json").body(body).send().await {
            Ok(answer) if answer.status().is_success() => {}
            Ok(answer) => {
                tracing::warn!(status = answer.status().as_u16(), path, "a neighbour does not take traces")
            }
            Err(error) => tracing::warn!(error = %error.without_url(), path, "a neighbour is not there"),
        }
    }
}
