//! Error page for a problem, with its message and code.

use axum::http::StatusCode;
use axum::response::Response;
use maud::html;

use super::guest::PageContext;
use super::layout::{HtmlPage, problem_note};
use super::theme::PageTheme;
use crate::http::problem::Problem;

/// Renders a problem as a page. The caller is not looked up, since that may be what failed.
pub(crate) fn page(problem: &Problem, theme: Option<&str>, place: &str) -> Response {
    let context = PageContext {
        caller: None,
        looked_up: false,
        theme: PageTheme::read(theme),
        csrf: None,
        place: place.to_owned(),
    };
    let (title, next) = match problem.status() {
        StatusCode::NOT_FOUND => {
            ("Not found", "Perhaps it was renamed, or the address has a slip of the pen.")
        }
        StatusCode::UNAUTHORIZED => ("Log in first", "This is not for everybody."),
        StatusCode::FORBIDDEN => ("Not for you", "Somebody with other rights can do this; log in as them."),
        StatusCode::TOO_MANY_REQUESTS => ("Too fast", "Wait a moment and load this page again."),
        status if status.is_server_error() => (
            "Our fault",
            "Nothing was recorded. Try again in a moment; if it stays so, tell whoever runs this server.",
        ),
        _ => ("This did not work", "Go back, put it right and try again."),
    };
    let login = format!("/login?to={}", place.replace('&', "%26").replace('#', "%23").replace('+', "%2B"));
    let content = html! {
        h1 { (title) }
        (problem_note(problem))
        p { (next) }
        p {
            @if matches!(problem.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
                a class="button" href=(login) { "Log in" } " "
            }
            a class="button second" href="/" { "Home" }
        }
    };
    HtmlPage::new(&context, title).narrow().with_status(problem.status()).show(&content)
}
