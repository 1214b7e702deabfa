//! What people see in a browser: getting in, and getting out again.

mod html;
mod login;
mod welcome;

use axum::Router;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::de::DeserializeOwned;

use super::App;
use super::body::whole_body;
use super::problem::Problem;

const STYLE: &str = include_str!("./page.css");

/// Every page.
pub(super) fn pages() -> Router<App> {
    Router::new()
        .route("/", get(login::read_home))
        .route("/login", get(login::read_login).post(login::post_login))
        .route("/logout", post(login::post_logout))
        .route("/welcome", get(welcome::read_welcome).post(welcome::post_welcome))
        .route("/assets/page.css", get(read_style))
}

async fn read_style() -> Response {
    let kind = HeaderValue::from_static("text/css; charset=utf-8");
    let kept = HeaderValue::from_static("max-age=3600");
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, kept)], STYLE).into_response()
}

/// The fields of a form that was sent.
struct Fields<T> {
    value: T,
    headers: HeaderMap,
}

impl<T: DeserializeOwned> FromRequest<App> for Fields<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let headers = request.headers().clone();
        let body = whole_body(request, &app.front.settings).await?;
        let value = axum::extract::Query::<T>::try_from_uri(&as_query(&body)?);
        let value = value.map_err(|_| Problem::malformed("the form cannot be read"))?.0;
        Ok(Self { value, headers })
    }
}

/// A form is written as the part of an address after the question mark is, and read as one.
fn as_query(body: &[u8]) -> Result<axum::http::Uri, Problem> {
    let unreadable = || Problem::malformed("the form cannot be read");
    let text = std::str::from_utf8(body).map_err(|_| unreadable())?;
    format!("/?{text}").parse().map_err(|_| unreadable())
}

/// Sends a browser on, with a cookie.
fn go_on(to: &'static str, cookie: HeaderValue) -> Response {
    let to = HeaderValue::from_static(to);
    (StatusCode::SEE_OTHER, [(header::LOCATION, to), (header::SET_COOKIE, cookie)]).into_response()
}
