//! HTML pages, rendered on the server with maud. They call the API handlers' own functions; the script only
//! refreshes them. `docs/design.md` describes their components.

mod account;
mod accounts;
mod assets;
mod chart;
mod contest;
mod countdown;
mod form;
mod guest;
mod home;
mod layout;
mod ledger;
mod login;
mod parts;
mod quest;
mod radio;
mod record;
mod summary;
mod theme;
mod token_list;
mod welcome;
mod why;
mod wrong;

use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::http::App;
use crate::http::problem::Problem;
pub(super) use theme::PageTheme;
pub(super) use wrong::page as problem_page;

/// Router of all pages.
pub(super) fn pages() -> Router<App> {
    Router::new()
        .route("/", get(home::read_home))
        .route("/login", get(login::read_login).post(login::post_login))
        .route("/logout", post(login::post_logout))
        .route("/welcome", get(welcome::read_welcome).post(welcome::post_welcome))
        .route("/theme", post(theme::post_theme))
        .route("/assets/{name}", get(assets::read_asset))
        .route("/account", get(account::read_account).post(account::post_account))
        .route("/people", get(accounts::read_people).post(accounts::post_people))
        .route("/tokens", get(token_list::read_tokens).post(token_list::post_tokens))
        .route("/ledger", get(ledger::read_ledger))
        .route("/records/{position}", get(record::read_record).post(record::post_overrule))
        .merge(contest::pages())
        .merge(quest::pages())
        .merge(radio::pages())
        .merge(summary::pages())
}

/// Whether access was denied. This gets an error page, since the caller may not see the form's page either.
fn is_closed(problem: &Problem) -> bool {
    matches!(problem.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
}

/// Redirects with 303 and sets a cookie.
fn go_on(to: &str, cookie: HeaderValue) -> Response {
    let to = HeaderValue::try_from(to).unwrap_or_else(|_| HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, to), (header::SET_COOKIE, cookie)]).into_response()
}

/// Redirects with 303 after a form succeeded.
fn go_to(to: &str) -> Result<Response, Problem> {
    let to = HeaderValue::try_from(to).map_err(|error| Problem::internal(&error.to_string()))?;
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response())
}
