//! The viewer of the OpenAPI document: embedded, and it loads nothing from other servers.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use utoipa_swagger_ui::Config;

use super::App;
use super::openapi::PLACE;
use super::path::PathParams;
use super::problem::Problem;

/// The viewer needs inline styles and `data:` images; its scripts are files.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/// The routes of the viewer.
pub(crate) fn pages() -> Router<App> {
    Router::new()
        .route("/api/docs", get(|| async { Redirect::permanent("/api/docs/") }))
        .route("/api/docs/", get(|| async { page("") }))
        .route("/api/docs/{file}", get(|PathParams(file): PathParams<String>| async move { page(&file) }))
}

fn page(file: &str) -> Result<Response, Problem> {
    // The validator badge would send this server's address to a third party.
    let config = Config::from(PLACE).validator_url("none").display_operation_id(true);
    let found = utoipa_swagger_ui::serve(file, Arc::new(config));
    let found = found.map_err(|error| Problem::internal(&format!("the viewer's `{file}`: {error}")))?;
    let found = found.ok_or_else(|| Problem::not_found(format!("there is nothing at `/api/docs/{file}`")))?;
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    if let Ok(kind) = found.content_type.parse() {
        headers.insert(header::CONTENT_TYPE, kind);
    }
    if found.gzpipped {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok((headers, found.bytes.into_owned()).into_response())
}
