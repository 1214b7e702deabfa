//! The page behind the link of the first start: somebody chooses a name and a password, once.

use assize_kernel::{Actor, Role};
use assize_ledger::User;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::html::{escaped, page, wrong};
use super::{Fields, go_on};
use crate::access::check_code;
use crate::http::client_address::ClientAddress;
use crate::http::problem::Problem;
use crate::http::query::Named;
use crate::http::{App, blocking, caller, cookie, forgery, session};
use crate::{AccessCommand, ClerkError, Petition, Secret, hash_password};

#[derive(Deserialize)]
pub(super) struct WelcomeForm {
    #[serde(default)]
    code: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    again: String,
}

/// The form, if the code is good.
pub(in crate::http) async fn read_welcome(State(app): State<App>, parameters: Named) -> Response {
    let code = parameters.take(["code"]).map(|[code]| code.unwrap_or_default());
    match code {
        Ok(code) => match check(&app, &code).await {
            Ok(()) => form(StatusCode::OK, &code, "", ""),
            Err(problem) => refusal(&problem),
        },
        Err(problem) => refusal(&problem),
    }
}

/// Adds the person who was welcomed, and logs them in.
pub(in crate::http) async fn post_welcome(
    State(app): State<App>,
    address: ClientAddress,
    fields: Fields<WelcomeForm>,
) -> Response {
    let WelcomeForm { code, name, password, again } = fields.value;
    let site = forgery::check_site(&fields.headers, &app.front.settings);
    if let Err(problem) = site {
        return refusal(&problem);
    }
    if let Err(problem) = check(&app, &code).await {
        return refusal(&problem);
    }
    if password != again {
        return form(StatusCode::BAD_REQUEST, &code, &name, &wrong("the two passwords are not the same"));
    }
    let welcomed = match welcome(&app, address, &code, &name, password).await {
        Ok(user) => session::begin(&app, user).await,
        Err(problem) => Err(problem),
    };
    let cookie = welcomed.and_then(|entered| cookie::set(&entered.secret, app.front.settings.secure));
    match cookie {
        Ok(cookie) => go_on("/", cookie),
        Err(problem) => form(problem.status(), &code, &name, &wrong(problem.detail())),
    }
}

async fn welcome(
    app: &App,
    ClientAddress(address): ClientAddress,
    code: &str,
    name: &str,
    password: String,
) -> Result<User, Problem> {
    let password = session::with_password(app, move |_| Ok(hash_password(&password)?)).await?;
    let (hash, chosen) = (Secret::shown(code).hash(), name.to_owned());
    let command = AccessCommand::UseCode { hash, name: chosen.clone(), password };
    let actor = Actor::new(Role::Admin, chosen.clone());
    let petition = Petition::for_access(command, actor, app.clerk.now());
    let origin = Some(caller::origin(address));
    app.clerk.hear(Petition { origin, ..petition }).await?;
    let user = blocking(app, move |app| Ok(app.ledger.user(&chosen)?)).await?;
    user.ok_or_else(|| Problem::internal("somebody who was added is not there"))
}

/// Whether a code can still be used. Decided again when it is.
async fn check(app: &App, code: &str) -> Result<(), Problem> {
    let (hash, now) = (Secret::shown(code).hash(), app.clerk.now());
    blocking(app, move |app| {
        let found = app.ledger.code(&hash)?;
        check_code(found, now).map(|_| ()).map_err(|error: ClerkError| error.into())
    })
    .await
}

fn refusal(problem: &Problem) -> Response {
    let content = format!("{}\n<p><a href=\"/login\">Log in</a></p>", wrong(problem.detail()));
    page(problem.status(), "Welcome", &content)
}

fn form(status: StatusCode, code: &str, name: &str, said: &str) -> Response {
    let content = format!(
        "<p>You run this server. Choose how you log in from now on.</p>\n{said}\n\
         <form method=\"post\" action=\"/welcome\">\n\
         <input type=\"hidden\" name=\"code\" value=\"{}\">\n\
         <label for=\"name\">Name</label>\n\
         <input id=\"name\" name=\"name\" value=\"{}\" autocomplete=\"username\" autocapitalize=\"none\" \
         spellcheck=\"false\" maxlength=\"64\" required autofocus>\n\
         <small>Letters, digits, “.”, “_” and “-”. It stands in the records of what you do.</small>\n\
         <label for=\"password\">Password</label>\n\
         <input id=\"password\" name=\"password\" type=\"password\" minlength=\"10\" autocomplete=\"new-password\" \
         required>\n<small>At least 10 characters; a few words make a good one.</small>\n\
         <label for=\"again\">The same password again</label>\n\
         <input id=\"again\" name=\"again\" type=\"password\" minlength=\"10\" autocomplete=\"new-password\" required>\n\
         <button>Begin</button>\n</form>",
        escaped(code),
        escaped(name),
    );
    page(status, "Welcome", &content)
}
