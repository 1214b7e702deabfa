//! What is done around every request: it gets an id and an address, and is noted when it has been answered.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;

use super::App;
use super::client_address::ClientAddress;
use super::visit::{REQUEST_ID, Visit};

/// Sees a request from its arrival to its answer.
pub(super) async fn attend(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let visit = Visit::of(request.headers());
    let address = ClientAddress::of(&request, &app.settings.trusted_proxies);
    request.extensions_mut().insert(address);
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = visit.during(next.run(request)).await;
    response.headers_mut().insert(REQUEST_ID, visit.header());
    tracing::debug!(
        request = visit.id(),
        %method,
        route = route.as_ref().map_or("unknown", MatchedPath::as_str),
        status = response.status().as_u16(),
        milliseconds = started.elapsed().as_micros() as f64 / 1000.0,
        role = visit.role(),
        address = %address.0,
        "answered"
    );
    response
}
