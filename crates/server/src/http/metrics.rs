//! Metrics in the Prometheus text format.

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::Duration;

use axum::extract::{MatchedPath, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
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
    uri: Uri,
    headers: HeaderMap,
    caller: Result<Caller, Problem>,
) -> Result<Response, Problem> {
    let settings = &app.front.settings;
    let is_local = settings.metrics == MetricsAudience::Loopback && is_from_here(address, &headers);
    if settings.metrics != MetricsAudience::Everyone {
        match caller {
            Err(_) if is_local => check_host(&uri, &headers)?,
            // Everybody on this machine may read them, so that other roles may, too.
            Ok(caller) if is_local && caller.may_everywhere(Act::ReadMetrics).is_err() => {
                check_host(&uri, &headers)?;
            }
            caller => caller?.may_everywhere(Act::ReadMetrics)?,
        }
    }
    let metrics = &app.front.metrics;
    metrics.position.set(i64::try_from(app.clerk.views().position()).unwrap_or(i64::MAX));
    metrics.listening.set(i64::try_from(app.clerk.live().subscriber_count()).unwrap_or(i64::MAX));
    let mut text = String::new();
    encode(&mut text, &metrics.registry).map_err(|error| Problem::internal(&error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, FORMAT)], text).into_response())
}

/// Checks that the request names this machine. The page of another site, whose name was made to resolve to
/// loopback (DNS rebinding), sends the name of that site.
fn check_host(uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
    let named = headers.get(header::HOST).map(|host| host.to_str().unwrap_or_default());
    let named = uri.authority().map(Authority::as_str).or(named);
    match named {
        Some(host) if !is_loopback_host(host) => {
            let detail = format!(
                "without an admin's token, the metrics are for `localhost`, `127.0.0.1` and `[::1]`; the request \
                 is for `{}`",
                host.chars().take(100).collect::<String>()
            );
            Err(Problem::new(StatusCode::FORBIDDEN, "metrics.host", detail))
        }
        _ => Ok(()),
    }
}

/// Whether a host, with or without a port, is a name or an address of this machine.
fn is_loopback_host(host: &str) -> bool {
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host().trim_end_matches('.').to_ascii_lowercase();
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let is_address = address.is_ok_and(|address| address.to_canonical().is_loopback());
    let has_user = authority.as_str().contains('@');
    !has_user && (is_address || name == "localhost" || name.ends_with(".localhost"))
}

/// Whether the request comes from this machine. A forwarding header means an unconfigured proxy, behind which
/// every request seems local.
fn is_from_here(ClientAddress(address): ClientAddress, headers: &HeaderMap) -> bool {
    address.is_loopback() && !headers.contains_key("x-forwarded-for") && !headers.contains_key("forwarded")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_this_machine_by_name_or_by_address() {
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "localhost.",
            "assize.localhost:80",
            "127.0.0.1",
            "127.1.2.3:80",
            "[::1]",
            "[::1]:8080",
            "[::ffff:127.0.0.1]:80",
        ] {
            assert!(is_loopback_host(host), "{host}");
        }
        for host in [
            "",
            "evil.example:80",
            "localhost.evil.example:80",
            "127.0.0.1.evil.example",
            "evil-localhost",
            "192.0.2.7",
            "0.0.0.0",
            "localhost.evil.example:80",
            "evil.example@localhost",
            "[2001:db8::1]:80",
        ] {
            assert!(!is_loopback_host(host), "{host}");
        }
    }
}
