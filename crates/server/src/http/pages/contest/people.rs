//! The teams of a contest for its organiser: registering them, and how they get in. Secrets are shown once.

use axum::Json;
use axum::extract::State;
use maud::{Markup, html};
use serde_json::json;

use super::Seen;
use crate::http::address::Address;
use crate::http::pages::form::Form;
use crate::http::pages::guest::Guest;
use crate::http::pages::parts::{self, Field, choice, empty, heads, hidden, scrolling};
use crate::http::problem::Problem;
use crate::http::query::{Asked, Window};
use crate::http::teams::{self, TeamList};
use crate::http::{App, team_users};

/// What the form's `do` says about teams; what is shown only once, where there is something.
pub(super) async fn act(app: &App, contest: &str, form: &Form) -> Result<Option<Markup>, Problem> {
    let (state, caller, team) = (State(app.clone()), form.caller()?, form.text("team").to_owned());
    let there = Address((contest.to_owned(), team.clone()));
    match form.text("do") {
        "team" => {
            let (id, name, contact) = (form.text("id"), form.optional("name"), form.optional("contact"));
            let input = form.input(json!({ "id": id, "name": name, "contact": contact }))?;
            let (_, Json(done)) =
                teams::register_team(state, Address(contest.to_owned()), caller, input).await?;
            Ok(done.token.map(|token| secret(&format!("`{id}` takes part. Its token"), &token)))
        }
        "token" => {
            let input = form.input(json!({}))?;
            let (_, Json(done)) = teams::issue_team_token(state, there, caller, input).await?;
            Ok(done.token.map(|token| secret(&format!("One more token for `{team}`"), &token)))
        }
        "user" => {
            let name = form.text("name");
            let input = form.input(json!({ "name": name, "password": form.optional("password") }))?;
            let (_, Json(done)) = team_users::add_team_user(state, there, caller, input).await?;
            let what = format!("`{name}` can log in for `{team}`. The password");
            Ok(Some(done.password.map_or_else(
                || html! { p { (name) " can log in for " (team) "." } },
                |made| secret(&what, &made),
            )))
        }
        other => Err(Problem::malformed(format!("`{other}` is nothing that can be done here"))),
    }
}

/// Something that is kept nowhere.
pub(in crate::http::pages) fn secret(what: &str, secret: &str) -> Markup {
    html! {
        p { (crate::http::pages::layout::sentence(&format!("{what} is shown this once"))) }
        p { code class="secret" { (secret) } }
    }
}

/// The teams there are, and forms for more.
pub(super) async fn teams(app: &App, seen: &Seen, guest: &Guest) -> Result<Markup, Problem> {
    let window = Asked(Window::default());
    let caller = guest.must_be_known()?.clone();
    let listed = teams::list_teams(State(app.clone()), Address(seen.id.clone()), window, caller).await?;
    let Json(TeamList { total, teams }) = listed;
    let names: Vec<_> = teams.iter().map(|team| (team.id.as_str(), team.id.as_str())).collect();
    Ok(html! {
        div data-live="teams" {
            @if teams.is_empty() {
                (empty("No team takes part yet.", &html! { "Register the first one below; it gets its token then." }))
            } @else {
                (table(seen, &teams))
                @if total > teams.len() { p class="soft" { "And " (total - teams.len()) " more." } }
            }
        }
        (registering(seen, guest))
        div data-live="credentials" { @if !names.is_empty() { (credentials(seen, guest, &names)) } }
    })
}

fn table(seen: &Seen, teams: &[teams::TeamListed]) -> Markup {
    let table = html! {
        table {
            (heads(&["Team", "Name", "Contact"]))
            tbody {
                @for team in teams {
                    tr {
                        th scope="row" { a href=(seen.place(&format!("/teams/{}", team.id))) { (team.id) } }
                        td { (team.name.as_deref().unwrap_or_default()) }
                        td {
                            @if team.contact_erased { span class="soft" { "erased" } }
                            @else { (team.contact.as_deref().unwrap_or_default()) }
                        }
                    }
                }
            }
        }
    };
    scrolling("Teams", &table)
}

fn registering(seen: &Seen, guest: &Guest) -> Markup {
    let fields = html! {
        (hidden("do", "team"))
        div class="fields" {
            (Field::text("id", "Short name").help("It stands on the board and in addresses").required().show("team"))
            (Field::text("name", "Name").help("What people call it").show("team"))
            (Field::text("contact", "Contact").help("For you alone; kept where it can be erased").show("team"))
        }
        button { "Register the team" }
    };
    html! { h3 { "Register a team" } (parts::form(guest, &seen.place("/setup"), &fields)) }
}

fn credentials(seen: &Seen, guest: &Guest, teams: &[(&str, &str)]) -> Markup {
    let login = html! {
        (hidden("do", "user"))
        div class="fields" {
            (choice("user", "team", "Team", teams, ""))
            (Field::text("name", "Logs in as").required().show("user"))
            (Field::text("password", "Password").help("One is made up when empty").show("user"))
        }
        button class="second" { "Let them log in" }
    };
    let token = html! {
        (hidden("do", "token"))
        div class="fields" { (choice("token", "team", "Team", teams, "")) }
        button class="second" { "Make a token" }
    };
    let form = |fields| parts::form(guest, &seen.place("/setup"), fields);
    html! {
        h3 { "People of a team" }
        p class="soft" { "With a name and a password a team uses its page; with a token its tools submit." }
        (form(&login))
        details { summary { "One more token for a team" } (form(&token)) }
    }
}
