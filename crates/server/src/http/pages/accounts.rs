//! Who can log in, for admins; and one's own password.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use super::contest::secret;
use super::form::Form;
use super::guest::Guest;
use super::layout::{Page, Said};
use super::parts::{self, Field, choice, heads, hidden, inline_form, moment, scrolling};
use crate::http::App;
use crate::http::address::Address;
use crate::http::people::{self, People, Person};
use crate::http::problem::Problem;
use crate::http::query::{Asked, Window};

const ROLES: [(&str, &str); 5] = [
    ("judge", "judge: verdicts, overruling, moderation"),
    ("admin", "admin: everything"),
    ("participant", "participant: submits as itself"),
    ("app", "app: registers and submits for others"),
    ("viewer", "viewer: what is public"),
];

/// Those who can log in.
pub(in crate::http) async fn read_people(State(app): State<App>, guest: Guest) -> Result<Response, Problem> {
    show(&app, &guest, &Said::Nothing).await
}

/// Adds somebody, gives them another password, or shuts them out: by the API's own functions.
pub(in crate::http) async fn post_people(State(app): State<App>, form: Form) -> Result<Response, Problem> {
    let said = act(&app, &form).await.map_or_else(Said::Problem, Said::Done);
    show(&app, &form.guest, &said).await
}

async fn act(app: &App, form: &Form) -> Result<Markup, Problem> {
    let (state, caller, name) = (State(app.clone()), form.caller()?, form.text("name").to_owned());
    let plain = |what: &str| html! { p { strong { (name) } " " (what) "." } };
    match form.text("do") {
        "add" => {
            let (scope, password) = (form.optional("scope"), form.optional("password"));
            let body =
                json!({ "name": name, "role": form.text("role"), "scope": scope, "password": password });
            let (_, Json(done)) = people::add_user(state, caller, form.input(body)?).await?;
            let shown =
                done.password.map(|made| secret(&format!("`{name}` can log in. The password"), &made));
            Ok(shown.unwrap_or_else(|| plain("can log in")))
        }
        "password" => {
            let done =
                people::set_password(state, Address(name.clone()), caller, form.input(json!({}))?).await?;
            let shown =
                done.0.password.map(|made| secret(&format!("`{name}` has another password. It"), &made));
            Ok(shown.unwrap_or_else(|| plain("has another password")))
        }
        "disable" => {
            drop(people::disable_user(state, Address(name.clone()), caller, form.input(json!({}))?).await?);
            Ok(plain("cannot log in any more"))
        }
        other => Err(Problem::malformed(format!("`{other}` is nothing that can be done here"))),
    }
}

async fn show(app: &App, guest: &Guest, said: &Said) -> Result<Response, Problem> {
    let caller = guest.must_be_known()?.clone();
    let Json(People { total, users }) =
        people::list_users(State(app.clone()), caller, Asked(Window::default())).await?;
    let content = html! {
        h1 { "People" }
        p class="lead" { "Those who log in with a name and a password." }
        div data-live="people" {
            (table(guest, &users))
            @if total > users.len() { p class="soft" { "And " (total - users.len()) " more." } }
        }
        h2 { "Let somebody log in" }
        (adding(guest))
    };
    Ok(Page::new(guest, "People").at("/people").saying(said).show(&content))
}

fn table(guest: &Guest, users: &[Person]) -> Markup {
    let act = |user: &Person, act: &str, name: &str| {
        let label = format!("{name}: {}", user.name);
        let fields = html! {
            (hidden("do", act)) (hidden("name", &user.name))
            button class="second" aria-label=(label) { (name) }
        };
        inline_form(guest, "/people", &fields)
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
                                Some(_) => { span class="badge" { "shut out" } }
                                None => { (act(user, "password", "New password")) (act(user, "disable", "Shut out")) }
                            }
                        }
                    }
                }
            }
        }
    };
    scrolling("People", &table)
}

fn adding(guest: &Guest) -> Markup {
    let fields = html! {
        (hidden("do", "add"))
        div class="fields" {
            (Field::text("name", "Name").required().show("add"))
            (choice("add", "role", "Role", &ROLES, "judge"))
            (Field::text("scope", "For").help("Such as contest/spring; everything when empty").show("add"))
            (Field::text("password", "Password").help("One is made up when empty").show("add"))
        }
        button { "Let them log in" }
    };
    parts::form(guest, "/people", &fields)
}
