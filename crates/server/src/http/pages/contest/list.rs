//! Which contests there are, and opening one.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use crate::http::App;
use crate::http::access::Act;
use crate::http::contest_list::{ContestList, list_contests};
use crate::http::contests::open_contest;
use crate::http::pages::form::Form;
use crate::http::pages::go_to;
use crate::http::pages::guest::Guest;
use crate::http::pages::layout::{Page, Said};
use crate::http::pages::parts::{self, Field, choice, empty, moment};
use crate::http::problem::Problem;
use crate::http::query::{Asked, Window};

/// The contests, and for organisers a form to open one.
pub(in crate::http) async fn read_contests(
    State(app): State<App>,
    guest: Guest,
) -> Result<Response, Problem> {
    show(&app, &guest, &Said::Nothing).await
}

/// Opens a contest and goes on to setting it up.
pub(in crate::http) async fn post_contest(State(app): State<App>, form: Form) -> Result<Response, Problem> {
    match open(&app, &form).await {
        Ok(id) => go_to(&format!("/contests/{id}/setup")),
        Err(problem) => show(&app, &form.guest, &Said::Problem(problem)).await,
    }
}

async fn open(app: &App, form: &Form) -> Result<String, Problem> {
    let body = json!({ "id": form.text("id"), "name": form.optional("name"), "rulebook": form.optional("rulebook") });
    drop(open_contest(State(app.clone()), form.caller()?, form.input(body)?).await?);
    Ok(form.text("id").to_owned())
}

async fn show(app: &App, guest: &Guest, said: &Said) -> Result<Response, Problem> {
    let content = html! {
        h1 { "Contests" }
        (contests(app, guest).await?)
        @if guest.may_everywhere(Act::OpenContest) { (opening(app, guest)) }
    };
    Ok(Page::new(guest, "Contests").at("/contests").saying(said).show(&content))
}

/// Those there are, each with where it leads.
pub(in crate::http::pages) async fn contests(app: &App, guest: &Guest) -> Result<Markup, Problem> {
    let Json(ContestList { total, contests }) =
        list_contests(State(app.clone()), Asked(Window::default())).await?;
    if contests.is_empty() {
        let next = if guest.may_everywhere(Act::OpenContest) {
            html! { a href="/contests" { "Open one" } ": it takes a name, some teams and some tasks." }
        } else {
            html! { "Whoever runs this server opens them, after " a href="/login?to=/contests" { "logging in" } "." }
        };
        return Ok(empty("There are no contests yet.", &next));
    }
    Ok(html! {
        ul class="cards" {
            @for contest in &contests {
                li class="card" {
                    h3 { a href=(format!("/contests/{}", contest.id)) { (contest.name) } }
                    p class="soft small" { (contest.rulebook.name) " rules · opened " (moment(contest.opened_at)) }
                }
            }
        }
        @if total > contests.len() { p class="soft" { "And " (total - contests.len()) " more." } }
    })
}

fn opening(app: &App, guest: &Guest) -> Markup {
    let books = app.courts.rulebooks("contest").iter().map(|book| book.reference.name.as_str());
    let books: Vec<_> = books.map(|name| (name, name)).collect();
    let fields = html! {
        div class="fields" {
            (Field::text("id", "Short name").help("Letters, digits, “.”, “_” and “-”; it stands in addresses").required().show("open"))
            (Field::text("name", "Name").help("What people call it").show("open"))
            (choice("open", "rulebook", "Rules", &books, "competition"))
        }
        button { "Open the contest" }
    };
    html! { h2 { "Open a contest" } (parts::form(guest, "/contests", &fields)) }
}
