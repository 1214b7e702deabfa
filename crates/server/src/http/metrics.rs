//! Metrics in the Prometheus text format.

use std::borrow::Cow;
use std::time::Duration;

use axum::extract::{MatchedPath, State};
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use super::App;
use super::access::Act;
use super::caller::Caller;
use super::client_address::ClientAddress;
use super::openapi::{Forbidden, Throttled, Unauthorized, Unavailable};
use super::problem::{Problem, ProblemCode};
use super::settings::MetricsAudience;
use assize_engine::clerk::ClerkMetrics;

const FORMAT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The registry with all metrics.
pub(crate) struct HttpMetrics {
    registry: Registry,
    requests: Family<RequestLabels, Histogram, fn() -> Histogram>,
    problems: Family<ProblemLabels, Counter>,
    position: Gauge,
    listening: Gauge,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    route: String,
    status: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ProblemLabels {
    code: Cow<'static, str>,
}

impl HttpMetrics {
    pub(crate) fn new(clerk: &ClerkMetrics) -> Self {
        let mut registry = Registry::with_prefix("assize");
        let durations: fn() -> Histogram = || Histogram::new(exponential_buckets(0.000_25, 2.0, 16));
        let requests = Family::new_with_constructor(durations);
        let problems = Family::default();
        let position = Gauge::default();
        let listening = Gauge::default();
        let time = "Time from a request's head to the head of its answer";
        registry.register_with_unit("http_request", time, Unit::Seconds, requests.clone());
        registry.register("problems", "Answers that were no success, by their code", problems.clone());
        registry.register("ledger_position", "The last record that boards have seen", position.clone());
        registry.register("live_clients", "Streams of events that are open", listening.clone());
        clerk.register(&mut registry);
        let start: Gauge = Gauge::default();
        start.set(assize_engine::system_time().as_millis() / 1000);
        let since = "When the process started, in seconds since 1970";
        registry.register_with_unit("process_start_time", since, Unit::Seconds, start);
        Self { registry, requests, problems, position, listening }
    }

    /// Counts a response.
    pub(crate) fn count(
        &self,
        method: &Method,
        route: Option<&MatchedPath>,
        answer: &Response,
        took: Duration,
    ) {
        let route = route.map_or("unknown", MatchedPath::as_str).to_owned();
        let labels = RequestLabels { method: name_of(method), route, status: class_of(answer) };
        self.requests.get_or_create(&labels).observe(took.as_secs_f64());
        if let Some(ProblemCode(code)) = answer.extensions().get() {
            self.problems.get_or_create(&ProblemLabels { code: code.clone() }).inc();
        }
    }
}

/// The label of a method; unknown methods share one label to bound the number of series.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn class_of(answer: &Response) -> &'static str {
    match answer.status().as_u16() {
        ..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    }
}

/// Reads the metrics of this process.
#[utoipa::path(
    get, path = "/metrics", tag = "operations",
    responses(
        (status = 200, description = "The metrics in the format of Prometheus", body = String,
         content_type = "application/openmetrics-text"),
        Unauthorized,
        Forbidden,
        Throttled,
        Unavailable,
    ),
    security((), ("bearer" = []))
)]
pub(crate) async fn read_metrics(
    State(app): State<App>,
    address: ClientAddress,
    headers: HeaderMap,
    caller: Result<Caller, Problem>,
) -> Result<Response, Problem> {
    let open = match app.front.settings.metrics {
        MetricsAudience::Everyone => true,
        MetricsAudience::Loopback => is_from_here(address, &headers),
        MetricsAudience::Admins => false,
    };
    if !open {
        caller?.may_everywhere(Act::ReadMetrics)?;
    }
    let metrics = &app.front.metrics;
    metrics.position.set(i64::try_from(app.clerk.views().position()).unwrap_or(i64::MAX));
    metrics.listening.set(i64::try_from(app.clerk.live().subscriber_count()).unwrap_or(i64::MAX));
    let mut text = String::new();
    encode(&mut text, &metrics.registry).map_err(|error| Problem::internal(&error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, FORMAT)], text).into_response())
}

/// Whether the request comes from this machine. A forwarding header means an unconfigured proxy, behind which
/// every request seems local.
fn is_from_here(ClientAddress(address): ClientAddress, headers: &HeaderMap) -> bool {
    address.is_loopback() && !headers.contains_key("x-forwarded-for") && !headers.contains_key("forwarded")
}
