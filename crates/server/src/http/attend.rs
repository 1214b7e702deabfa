//! What is done around every request: it gets an id and an address, is held to the limits, and is noted in the end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::client_address::ClientAddress;
use super::headers::{CrossOrigin, protect};
use super::limits::Limits;
use super::metrics::Metrics;
use super::problem::Problem;
use super::settings::HttpSettings;
use super::visit::{REQUEST_ID, Visit};
use super::within::within;
use crate::Clerk;

/// What stands before every route.
pub(super) struct Front {
    pub(super) settings: HttpSettings,
    pub(super) metrics: Metrics,
    pub(super) limits: Limits,
}

impl Front {
    pub(super) fn new(settings: HttpSettings, clerk: &Clerk) -> Self {
        let limits = Limits::new(&settings);
        Self { settings, limits, metrics: Metrics::new(clerk.figures()) }
    }

    /// The answer of a route, if the limits let the request come so far.
    async fn answer(&self, request: Request, ClientAddress(address): ClientAddress, next: Next) -> Response {
        if let Err(problem) = self.limits.admit(address, request.headers()) {
            return problem.into_response();
        }
        let time = self.settings.request_time;
        // The clerk goes on with what it has taken, whoever has stopped waiting for it.
        let answer = within(time, next.run(request)).await;
        answer.unwrap_or_else(|| Problem::timed_out(time).into_response())
    }
}

/// Sees a request from its arrival to its answer.
pub(super) async fn attend(State(front): State<Arc<Front>>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let visit = Visit::of(request.headers(), request.uri());
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

/// A line in the log: what was asked by whom, and no more of it than that.
fn note(
    visit: &Visit,
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
