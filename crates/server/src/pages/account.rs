//! Account page: the logged-in identity, and a form to change the password.

use axum::extract::State;
use axum::response::Response;
use maud::html;
use serde_json::json;

use super::form::SubmittedForm;
use super::guest::PageContext;
use super::layout::{FormOutcome, HtmlPage};
use super::parts::hidden_csrf;
use crate::http::client_address::ClientAddress;
use crate::http::problem::Problem;
use crate::http::{App, cookie, session};

/// Shows the account page.
pub(crate) async fn read_account(context: PageContext) -> Result<Response, Problem> {
    show(&context, &FormOutcome::Nothing)
}

/// Changes the password through the API handler, then redirects to the login page.
pub(crate) async fn post_account(
    State(app): State<App>,
    address: ClientAddress,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    let old = form.text("old");
    let new = form.text("new");
    if new != form.text("again") {
        return show(
            &form.context,
            &FormOutcome::Problem(Problem::malformed("the two passwords are not the same")),
        );
    }
    let input = form.input(json!({ "old": old, "new": new }))?;
    match session::change_password(State(app.clone()), address, form.caller()?, input).await {
        Ok(_) => Ok(super::go_on("/login", cookie::remove(app.front.settings.secure)?)),
        Err(problem) => show(&form.context, &FormOutcome::Problem(problem)),
    }
}

fn show(context: &PageContext, said: &FormOutcome) -> Result<Response, Problem> {
    let caller = context.require_caller()?;
    let scope = caller.scope.to_string();
    let password = |name: &str, label: &str, kind: &str| {
        html! {
            div class="field" {
                label for=(name) { (label) }
                input id=(name) name=(name) type="password" autocomplete=(kind) required;
            }
        }
    };
    let content = html! {
        h1 { (caller.name()) }
        dl class="facts" {
            dt { "Role" } dd { (caller.actor.role.as_str()) }
            dt { "For" } dd { @if scope.is_empty() { "everything the role may" } @else { (scope) } }
            dt { "In the records" } dd { (caller.actor) }
        }
        @if caller.login.is_some() {
            h2 { "Another password" }
            form method="post" action="/account" {
                (hidden_csrf(context))
                (password("old", "The old one", "current-password"))
                (password("new", "The new one", "new-password"))
                (password("again", "The new one again", "new-password"))
                button { "Change it" }
            }
            p class="soft small" { "You are logged out everywhere then." }
        }
    };
    Ok(HtmlPage::new(context, "Account").at("/account").narrow().saying(said).show(&content))
}
