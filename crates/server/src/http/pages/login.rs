//! The pages for logging in and out, and where one is then.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;

use super::html::{escaped, page, wrong};
use super::{Fields, go_on};
use crate::http::caller::by_session;
use crate::http::client_address::ClientAddress;
use crate::http::problem::Problem;
use crate::http::{App, cookie, forgery, session};

#[derive(Deserialize)]
pub(super) struct LoginForm {
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
}

#[derive(Deserialize)]
pub(super) struct LogoutForm {
    #[serde(default)]
    csrf: String,
}

/// Where one is after logging in.
pub(in crate::http) async fn read_home(State(app): State<App>, headers: HeaderMap) -> Response {
    let secret = cookie::of(&headers);
    let caller = match &secret {
        Some(secret) => by_session(&app, secret).await.ok(),
        None => None,
    };
    let api = "<p>Programs use <a href=\"/api/docs/\">the API</a>.</p>";
    let content = match (caller, secret) {
        (Some(caller), Some(secret)) => format!(
            "<p>You are logged in as <strong>{}</strong> ({}).</p>\n{api}\n\
             <form method=\"post\" action=\"/logout\">\n\
             <input type=\"hidden\" name=\"csrf\" value=\"{}\">\n<button>Log out</button>\n</form>",
            escaped(caller.login.as_deref().unwrap_or(&caller.actor.name)),
            caller.actor.role.as_str(),
            forgery::token(&secret).reveal(),
        ),
        _ => format!(
            "<p>What somebody did comes in; a verdict that can be defended comes out.</p>\n{api}\n\
                      <p><a href=\"/login\">Log in</a></p>"
        ),
    };
    page(StatusCode::OK, "Assize", &content)
}

/// The form for logging in.
pub(in crate::http) async fn read_login() -> Response {
    form(StatusCode::OK, "", "")
}

/// Logs somebody in and sends them on.
pub(in crate::http) async fn post_login(
    State(app): State<App>,
    address: ClientAddress,
    fields: Fields<LoginForm>,
) -> Response {
    let LoginForm { name, password } = fields.value;
    let entered = match forgery::check_site(&fields.headers, &app.front.settings) {
        Ok(()) => session::enter(&app, address, name.clone(), password).await,
        Err(problem) => Err(problem),
    };
    let cookie = entered.and_then(|entered| cookie::set(&entered.secret, app.front.settings.secure));
    match cookie {
        Ok(cookie) => go_on("/", cookie),
        Err(problem) => form(problem.status(), &name, &wrong(problem.detail())),
    }
}

/// Logs somebody out.
pub(in crate::http) async fn post_logout(
    State(app): State<App>,
    fields: Fields<LogoutForm>,
) -> Result<Response, Problem> {
    if let Some(secret) = cookie::of(&fields.headers) {
        forgery::check_form(&fields.headers, &app.front.settings, &secret, &fields.value.csrf)?;
        session::leave(&app, &secret).await?;
    }
    Ok(go_on("/login", cookie::remove(app.front.settings.secure)?))
}

fn form(status: StatusCode, name: &str, said: &str) -> Response {
    let content = format!(
        "{said}\n<form method=\"post\" action=\"/login\">\n\
         <label for=\"name\">Name</label>\n\
         <input id=\"name\" name=\"name\" value=\"{}\" autocomplete=\"username\" autocapitalize=\"none\" \
         spellcheck=\"false\" required autofocus>\n\
         <label for=\"password\">Password</label>\n\
         <input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"current-password\" required>\n\
         <button>Log in</button>\n</form>",
        escaped(name)
    );
    page(status, "Log in", &content)
}
