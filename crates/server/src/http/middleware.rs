//! Middleware around every request: request id, client address, rate limits, timeout, response headers,
//! metrics, log.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::client_address::ClientAddress;
use super::headers::{CrossOrigin, protect};
use super::metrics::HttpMetrics;
use super::problem::Problem;
use super::rate_limit::RateLimits;
use super::request_context::{REQUEST_ID, RequestContext};
use super::settings::HttpSettings;
use super::timeout::within;
use assize_engine::Clerk;

/// State of the middleware.
pub(crate) struct Front {
    pub(crate) settings: HttpSettings,
    pub(crate) metrics: HttpMetrics,
    pub(crate) limits: RateLimits,
}

impl Front {
    pub(crate) fn new(settings: HttpSettings, clerk: &Clerk) -> Self {
        let limits = RateLimits::new(&settings);
        Self { settings, limits, metrics: HttpMetrics::new(clerk.metrics()) }
    }

    /// Runs the route within the time limit, unless a rate limit rejects the request.
    async fn answer(&self, request: Request, ClientAddress(address): ClientAddress, next: Next) -> Response {
        if let Err(problem) = self.limits.admit(address, request.headers()) {
            return problem.into_response();
        }
        let time = self.settings.request_time;
        // A timeout drops only the response: the clerk finishes commands that it has accepted.
        let answer = within(time, next.run(request)).await;
        answer.unwrap_or_else(|| Problem::timed_out(time).into_response())
    }
}

/// The middleware function: handles one request from arrival to response.
pub(crate) async fn attend(State(front): State<Arc<Front>>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let visit = RequestContext::of(request.headers(), request.uri());
    let address = ClientAddress::of(&request, &front.settings.trusted_proxies);
    request.extensions_mut().insert(address);
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let cross_origin = CrossOrigin::of(&request, &front.settings);
    let mut answer = match cross_origin.preflight(&request) {
        Some(answer) => answer,
        None => visit.during(front.answer(request, address, next)).await,
    };
    let headers = answer.headers_mut();
    headers.insert(REQUEST_ID, visit.header());
    protect(headers, &front.settings);
    cross_origin.allow(headers);
    let took = started.elapsed();
    front.metrics.count(&method, route.as_ref(), &answer, took);
    note(&visit, &method, route.as_ref(), address, &answer, took);
    answer
}

/// Writes the access log line: the route and the role, but no path, body or token.
fn note(
    visit: &RequestContext,
    method: &Method,
    route: Option<&MatchedPath>,
    ClientAddress(address): ClientAddress,
    answer: &Response,
    took: Duration,
) {
    tracing::debug!(
        request = visit.id(),
        %method,
        route = route.map_or("unknown", MatchedPath::as_str),
        status = answer.status().as_u16(),
        milliseconds = took.as_secs_f64() * 1000.0,
        role = visit.role(),
        %address,
        "answered"
    );
}
