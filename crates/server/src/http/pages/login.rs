//! The pages for logging in and out.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::html;

use super::form::Form;
use super::go_on;
use super::guest::Guest;
use super::layout::{Page, Said};
use super::theme::within;
use crate::http::client_address::ClientAddress;
use crate::http::problem::Problem;
use crate::http::query::Named;
use crate::http::{App, cookie, session};

/// The form for logging in.
pub(in crate::http) async fn read_login(guest: Guest, parameters: Named) -> Result<Response, Problem> {
    let [to] = parameters.take(["to"])?;
    Ok(show(&guest, "", &to.unwrap_or_default(), &Said::Nothing))
}

/// Logs somebody in and sends them on.
pub(in crate::http) async fn post_login(
    State(app): State<App>,
    address: ClientAddress,
    form: Form,
) -> Response {
    let (name, password, to) = (form.text("name"), form.text("password"), form.text("to"));
    let entered = session::enter(&app, address, name.to_owned(), password.to_owned()).await;
    let cookie = entered.and_then(|entered| cookie::set(&entered.secret, app.front.settings.secure));
    match cookie {
        Ok(cookie) => go_on(within(to), cookie),
        Err(problem) => show(&form.guest, name, to, &Said::Problem(problem)),
    }
}

/// Logs somebody out.
pub(in crate::http) async fn post_logout(
    State(app): State<App>,
    headers: HeaderMap,
    form: Form,
) -> Result<Response, Problem> {
    if let (Some(secret), Some(caller)) = (cookie::of(&headers), &form.guest.caller) {
        session::leave(&app, &secret).await?;
        app.clerk.live().dismiss(&caller.token);
    }
    Ok(go_on("/login", cookie::remove(app.front.settings.secure)?))
}

fn show(guest: &Guest, name: &str, to: &str, said: &Said) -> Response {
    let content = html! {
        h1 { "Log in" }
        form method="post" action="/login" {
            input type="hidden" name="to" value=(within(to));
            div class="field" {
                label for="name" { "Name" }
                input id="name" name="name" value=(name) autocomplete="username" autocapitalize="none"
                    spellcheck="false" required autofocus;
            }
            div class="field" {
                label for="password" { "Password" }
                input id="password" name="password" type="password" autocomplete="current-password" required;
            }
            button { "Log in" }
        }
        p class="soft" { "A team's name and password come from the organiser, as do a judge's." }
    };
    let status = if let Said::Problem(problem) = said { problem.status() } else { StatusCode::OK };
    Page::new(guest, "Log in").at("/login").narrow().saying(said).with_status(status).show(&content)
}
