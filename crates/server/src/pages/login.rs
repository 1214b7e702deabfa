//! Login page, login and logout.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use maud::html;

use super::form::SubmittedForm;
use super::go_on;
use super::guest::PageContext;
use super::layout::{FormOutcome, HtmlPage};
use super::theme::within;
use crate::http::client_address::ClientAddress;
use crate::http::problem::Problem;
use crate::http::query::Named;
use crate::http::{App, cookie, session};

/// Shows the login form.
pub(crate) async fn read_login(context: PageContext, parameters: Named) -> Result<Response, Problem> {
    let [to] = parameters.take(["to"])?;
    Ok(show(&context, "", &to.unwrap_or_default(), &FormOutcome::Nothing))
}

/// Logs the user in, sets the session cookie and redirects.
pub(crate) async fn post_login(
    State(app): State<App>,
    address: ClientAddress,
    form: SubmittedForm,
) -> Response {
    let name = form.text("name");
    let password = form.text("password");
    let to = form.text("to");
    let entered = session::enter(&app, address, name.to_owned(), password.to_owned()).await;
    let cookie = entered.and_then(|entered| cookie::set(&entered.secret, app.front.settings.secure));
    match cookie {
        Ok(cookie) => go_on(within(to), cookie),
        Err(problem) => show(&form.context, name, to, &FormOutcome::Problem(problem)),
    }
}

/// Ends the session, removes its cookie and redirects to the login page.
pub(crate) async fn post_logout(
    State(app): State<App>,
    headers: HeaderMap,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    if let (Some(secret), Some(caller)) = (cookie::of(&headers), &form.context.caller) {
        session::leave(&app, &secret).await?;
        app.clerk.live().disconnect_token(&caller.token);
    }
    Ok(go_on("/login", cookie::remove(app.front.settings.secure)?))
}

fn show(context: &PageContext, name: &str, to: &str, said: &FormOutcome) -> Response {
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
    let status = if let FormOutcome::Problem(problem) = said { problem.status() } else { StatusCode::OK };
    HtmlPage::new(context, "Log in").at("/login").narrow().saying(said).with_status(status).show(&content)
}
