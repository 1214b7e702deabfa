//! Teams on the set-up page: registers them and issues their credentials. Secrets are shown once.

use axum::Json;
use axum::extract::State;
use maud::{Markup, html};
use serde_json::json;

use super::ContestPage;
use crate::http::App;
use crate::http::contest::team_users;
use crate::http::contest::teams::{self, TeamList};
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::query::{Pagination, QueryParams};
use crate::pages::form::SubmittedForm;
use crate::pages::guest::PageContext;
use crate::pages::parts::{self, FormField, choice, empty, heads, hidden, scrolling};

/// Runs the team action in the form's `do` field; returns the markup of a new secret, if there is one.
pub(super) async fn act(app: &App, contest: &str, form: &SubmittedForm) -> Result<Option<Markup>, Problem> {
    let state = State(app.clone());
    let caller = form.caller()?;
    let team = form.text("team").to_owned();
    let there = PathParams((contest.to_owned(), team.clone()));
    match form.text("do") {
        "team" => {
            let id = form.text("id");
            let body =
                json!({ "id": id, "name": form.optional("name"), "contact": form.optional("contact") });
            let input = form.input(body)?;
            let (_, Json(done)) =
                teams::register_team(state, PathParams(contest.to_owned()), caller, input).await?;
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

/// A secret that is shown once and not stored.
pub(crate) fn secret(what: &str, secret: &str) -> Markup {
    html! {
        p { (crate::pages::layout::sentence(&format!("{what} is shown this once"))) }
        p { code class="secret" { (secret) } }
    }
}

/// The list of teams, with forms to register teams and issue credentials.
pub(super) async fn teams(app: &App, seen: &ContestPage, context: &PageContext) -> Result<Markup, Problem> {
    let window = QueryParams(Pagination::default());
    let caller = context.require_caller()?.clone();
    let listed = teams::list_teams(State(app.clone()), PathParams(seen.id.clone()), window, caller).await?;
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
        (registering(seen, context))
        div data-live="credentials" { @if !names.is_empty() { (credentials(seen, context, &names)) } }
    })
}

fn table(seen: &ContestPage, teams: &[teams::TeamListed]) -> Markup {
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

fn registering(seen: &ContestPage, context: &PageContext) -> Markup {
    let fields = html! {
        (hidden("do", "team"))
        div class="fields" {
            (FormField::text("id", "Short name").help("It stands on the board and in addresses").required().show("team"))
            (FormField::text("name", "Name").help("What people call it").show("team"))
            (FormField::text("contact", "Contact").help("For you alone; kept where it can be erased").show("team"))
        }
        button { "Register the team" }
    };
    html! { h3 { "Register a team" } (parts::form(context, &seen.place("/setup"), &fields)) }
}

fn credentials(seen: &ContestPage, context: &PageContext, teams: &[(&str, &str)]) -> Markup {
    let login = html! {
        (hidden("do", "user"))
        div class="fields" {
            (choice("user", "team", "Team", teams, ""))
            (FormField::text("name", "Logs in as").required().show("user"))
            (FormField::text("password", "Password").help("One is made up when empty").show("user"))
        }
        button class="second" { "Let them log in" }
    };
    let token = html! {
        (hidden("do", "token"))
        div class="fields" { (choice("token", "team", "Team", teams, "")) }
        button class="second" { "Make a token" }
    };
    let form = |fields| parts::form(context, &seen.place("/setup"), fields);
    html! {
        h3 { "People of a team" }
        p class="soft" { "With a name and a password a team uses its page; with a token its tools submit." }
        (form(&login))
        details { summary { "One more token for a team" } (form(&token)) }
    }
}
