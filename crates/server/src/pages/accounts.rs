//! User administration page: list, add, disable and enable users, reset their passwords.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use super::contest::secret;
use super::form::SubmittedForm;
use super::guest::PageContext;
use super::layout::{FormOutcome, HtmlPage};
use super::parts::{self, FormField, choice, heads, hidden, inline_form, moment, scrolling};
use crate::http::App;
use crate::http::path::PathParams;
use crate::http::people::{self, UserPage, UserView};
use crate::http::problem::Problem;
use crate::http::query::{Pagination, QueryParams};

/// Value of the field `do` that disables a user.
const CONFIRMED: &str = "disable-confirmed";

const ROLES: [(&str, &str); 5] = [
    ("judge", "judge: verdicts, overruling, moderation"),
    ("admin", "admin: everything"),
    ("participant", "participant: submits as itself"),
    ("app", "app: registers and submits for others"),
    ("viewer", "viewer: what is public"),
];

/// Lists the users.
pub(crate) async fn read_people(State(app): State<App>, context: PageContext) -> Result<Response, Problem> {
    show(&app, &context, &FormOutcome::Nothing, None).await
}

/// Adds a user, resets a password, disables or enables a user, through the API handlers. Disabling is asked
/// for first and done when the second form is sent.
pub(crate) async fn post_people(State(app): State<App>, form: SubmittedForm) -> Result<Response, Problem> {
    if form.text("do") == "disable" {
        return show(&app, &form.context, &FormOutcome::Nothing, Some(form.text("name"))).await;
    }
    let said = act(&app, &form).await.map_or_else(FormOutcome::Problem, FormOutcome::Done);
    show(&app, &form.context, &said, None).await
}

async fn act(app: &App, form: &SubmittedForm) -> Result<Markup, Problem> {
    let state = State(app.clone());
    let caller = form.caller()?;
    let name = form.text("name").to_owned();
    let plain = |what: &str| html! { p { strong { (name) } " " (what) "." } };
    match form.text("do") {
        "add" => {
            let body = json!({
                "name": name,
                "role": form.text("role"),
                "scope": form.optional("scope"),
                "password": form.optional("password"),
            });
            let (_, Json(done)) = people::add_user(state, caller, form.input(body)?).await?;
            let shown =
                done.password.map(|made| secret(&format!("`{name}` can log in. The password"), &made));
            Ok(shown.unwrap_or_else(|| plain("can log in")))
        }
        "password" => {
            let done =
                people::set_password(state, PathParams(name.clone()), caller, form.input(json!({}))?).await?;
            let shown =
                done.0.password.map(|made| secret(&format!("`{name}` has another password. It"), &made));
            Ok(shown.unwrap_or_else(|| plain("has another password")))
        }
        CONFIRMED => {
            let nothing = form.input(json!({}))?;
            drop(people::disable_user(state, PathParams(name.clone()), caller, nothing).await?);
            Ok(plain("cannot log in any more"))
        }
        "enable" => {
            let nothing = form.input(json!({}))?;
            drop(people::enable_user(state, PathParams(name.clone()), caller, nothing).await?);
            Ok(plain("can log in again, with the same password"))
        }
        other => Err(Problem::malformed(format!("`{other}` is nothing that can be done here"))),
    }
}

async fn show(
    app: &App,
    context: &PageContext,
    said: &FormOutcome,
    disabling: Option<&str>,
) -> Result<Response, Problem> {
    let caller = context.require_caller()?.clone();
    let Json(UserPage { total, users }) =
        people::list_users(State(app.clone()), caller, QueryParams(Pagination::default())).await?;
    let content = html! {
        h1 { "People" }
        @if let Some(name) = disabling { (confirming(context, name)) }
        p class="lead" { "Those who log in with a name and a password." }
        div data-live="people" {
            (table(context, &users))
            @if total > users.len() { p class="soft" { "And " (total - users.len()) " more." } }
        }
        h2 { "Let somebody log in" }
        (adding(context))
    };
    Ok(HtmlPage::new(context, "People").at("/people").saying(said).show(&content))
}

/// The question before a user is disabled, with the form that does it.
fn confirming(context: &PageContext, name: &str) -> Markup {
    let fields = html! {
        (hidden("do", CONFIRMED)) (hidden("name", name))
        button { "Shut out " (name) }
    };
    html! {
        section class="note" aria-label="Confirmation" {
            p { "Shut out " strong { (name) } "? They are logged out everywhere at once, and can be let in again." }
            (inline_form(context, "/people", &fields))
            a href="/people" { "Cancel" }
        }
    }
}

fn table(context: &PageContext, users: &[UserView]) -> Markup {
    let act = |user: &UserView, act: &str, name: &str| {
        let label = format!("{name}: {}", user.name);
        let fields = html! {
            (hidden("do", act)) (hidden("name", &user.name))
            button class="second" aria-label=(label) { (name) }
        };
        inline_form(context, "/people", &fields)
    };
    let is_self = |user: &UserView| {
        context.caller.as_ref().and_then(|caller| caller.login.as_deref()) == Some(user.name.as_str())
    };
    let table = html! {
        table {
            (heads(&["Name", "Role", "For", "Since", "Do"]))
            tbody {
                @for user in users {
                    tr {
                        th scope="row" { (user.name) }
                        td { (user.role) }
                        td { @if user.scope.is_empty() { "everything" } @else { (user.scope) } }
                        td { (moment(user.created)) }
                        td class="acts" {
                            @match user.disabled {
                                Some(_) => { span class="badge" { "shut out" } " " (act(user, "enable", "Let in again")) }
                                None => {
                                    (act(user, "password", "New password"))
                                    @if !is_self(user) { (act(user, "disable", "Shut out")) }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    scrolling("People", &table)
}

fn adding(context: &PageContext) -> Markup {
    let fields = html! {
        (hidden("do", "add"))
        div class="fields" {
            (FormField::text("name", "Name").required().show("add"))
            (choice("add", "role", "Role", &ROLES, "judge"))
            (FormField::text("scope", "For").help("Such as contest/spring; everything when empty").show("add"))
            (FormField::text("password", "Password").help("One is made up when empty").show("add"))
        }
        button { "Let them log in" }
    };
    parts::form(context, "/people", &fields)
}
