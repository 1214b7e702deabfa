//! One's own account: who one is here, and another password.

use axum::extract::State;
use axum::response::Response;
use maud::html;
use serde_json::json;

use super::form::Form;
use super::guest::Guest;
use super::layout::{Page, Said};
use super::parts::hidden_csrf;
use crate::http::client_address::ClientAddress;
use crate::http::problem::Problem;
use crate::http::{App, cookie, session};

/// Who one is here.
pub(in crate::http) async fn read_account(guest: Guest) -> Result<Response, Problem> {
    show(&guest, &Said::Nothing)
}

/// Another password, by the API's own function; one logs in with it afterwards.
pub(in crate::http) async fn post_account(
    State(app): State<App>,
    address: ClientAddress,
    form: Form,
) -> Result<Response, Problem> {
    let (old, new) = (form.text("old"), form.text("new"));
    if new != form.text("again") {
        return show(&form.guest, &Said::Problem(Problem::malformed("the two passwords are not the same")));
    }
    let input = form.input(json!({ "old": old, "new": new }))?;
    match session::change_password(State(app.clone()), address, form.caller()?, input).await {
        Ok(_) => Ok(super::go_on("/login", cookie::remove(app.front.settings.secure)?)),
        Err(problem) => show(&form.guest, &Said::Problem(problem)),
    }
}

fn show(guest: &Guest, said: &Said) -> Result<Response, Problem> {
    let caller = guest.must_be_known()?;
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
                (hidden_csrf(guest))
                (password("old", "The old one", "current-password"))
                (password("new", "The new one", "new-password"))
                (password("again", "The new one again", "new-password"))
                button { "Change it" }
            }
            p class="soft small" { "You are logged out everywhere then." }
        }
    };
    Ok(Page::new(guest, "Account").at("/account").narrow().saying(said).show(&content))
}
