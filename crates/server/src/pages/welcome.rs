//! Welcome page of the first start: a one-time code creates an admin account.

use assize_kernel::{Actor, Role};
use assize_ledger::UserAccount;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use super::form::SubmittedForm;
use super::go_on;
use super::guest::PageContext;
use super::layout::{FormOutcome, HtmlPage};
use crate::http::client_address::ClientAddress;
use crate::http::password_queue::with_password;
use crate::http::problem::Problem;
use crate::http::query::Named;
use crate::http::{App, blocking, caller, cookie, session};
use assize_engine::access::check_code;
use assize_engine::{AccessCommand, ClerkError, Petition, Secret, hash_password};

/// Shows the form if the code is valid.
pub(crate) async fn read_welcome(
    State(app): State<App>,
    context: PageContext,
    parameters: Named,
) -> Response {
    let code = parameters.take(["code"]).map(|[code]| code.unwrap_or_default());
    let checked = match code {
        Ok(code) => check(&app, &code).await.map(|()| code),
        Err(problem) => Err(problem),
    };
    match checked {
        Ok(code) => show(&context, &FormOutcome::Nothing, &fields(&code, "")),
        Err(problem) => show(&context, &FormOutcome::Problem(problem), &elsewhere()),
    }
}

/// Creates the account and logs it in.
pub(crate) async fn post_welcome(
    State(app): State<App>,
    address: ClientAddress,
    form: SubmittedForm,
) -> Response {
    let code = form.text("code");
    let name = form.text("name");
    let password = form.text("password");
    if let Err(problem) = check(&app, code).await {
        return show(&form.context, &FormOutcome::Problem(problem), &elsewhere());
    }
    let again = |problem| show(&form.context, &FormOutcome::Problem(problem), &fields(code, name));
    if password != form.text("again") {
        return again(Problem::malformed("the two passwords are not the same"));
    }
    let welcomed = match welcome(&app, address, code, name, password.to_owned()).await {
        Ok(user) => session::begin(&app, user).await,
        Err(problem) => Err(problem),
    };
    let cookie = welcomed.and_then(|entered| cookie::set(&entered.secret, app.front.settings.secure));
    cookie.map_or_else(again, |cookie| go_on("/", cookie))
}

async fn welcome(
    app: &App,
    ClientAddress(address): ClientAddress,
    code: &str,
    name: &str,
    password: String,
) -> Result<UserAccount, Problem> {
    let password = with_password(app, move |_| Ok(hash_password(&password)?)).await?;
    let hash = Secret::shown(code).hash();
    let chosen = name.to_owned();
    let command = AccessCommand::UseCode { hash, name: chosen.clone(), password };
    let actor = Actor::new(Role::Admin, chosen.clone());
    let petition = Petition::for_access(command, actor, app.clerk.now());
    let origin = Some(caller::origin(address));
    app.clerk.submit(Petition { origin, ..petition }).await?;
    let user = blocking(app, move |app| Ok(app.ledger.user(&chosen)?)).await?;
    user.ok_or_else(|| Problem::internal("the user that was just added is missing"))
}

/// Checks that the code is valid. The clerk checks it again when it is used.
async fn check(app: &App, code: &str) -> Result<(), Problem> {
    let hash = Secret::shown(code).hash();
    let now = app.clerk.now();
    blocking(app, move |app| {
        let found = app.ledger.code(&hash)?;
        check_code(found, now).map(|_| ()).map_err(|error: ClerkError| error.into())
    })
    .await
}

fn show(context: &PageContext, said: &FormOutcome, content: &Markup) -> Response {
    let content = html! { h1 { "Welcome" } (content) };
    HtmlPage::new(context, "Welcome").at("/welcome").narrow().saying(said).show(&content)
}

fn elsewhere() -> Markup {
    html! { p { a href="/login" { "Log in" } } }
}

fn fields(code: &str, name: &str) -> Markup {
    html! {
        p { "You run this server. Choose how you log in from now on." }
        form method="post" action="/welcome" {
            input type="hidden" name="code" value=(code);
            div class="field" {
                label for="name" { "Name" }
                input id="name" name="name" value=(name) autocomplete="username" autocapitalize="none"
                    spellcheck="false" maxlength="64" aria-describedby="name-help" required autofocus;
                p class="help" id="name-help" {
                    "Letters, digits, “.”, “_” and “-”. It stands in the records of what you do."
                }
            }
            div class="field" {
                label for="password" { "Password" }
                input id="password" name="password" type="password" minlength="10" autocomplete="new-password"
                    aria-describedby="password-help" required;
                p class="help" id="password-help" { "At least 10 characters; a few words make a good one." }
            }
            div class="field" {
                label for="again" { "The same password again" }
                input id="again" name="again" type="password" minlength="10" autocomplete="new-password" required;
            }
            button { "Begin" }
        }
    }
}
