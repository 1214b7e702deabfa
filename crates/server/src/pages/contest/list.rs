//! List of contests, with a form to open one.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use crate::http::App;
use crate::http::access::Act;
use crate::http::contest::contests::open_contest;
use crate::http::contest::list::{ContestList, list_contests};
use crate::http::problem::Problem;
use crate::http::query::{Pagination, QueryParams};
use crate::pages::form::SubmittedForm;
use crate::pages::go_to;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{self, FormField, choice, empty, moment};

/// Lists the contests; organisers also get a form to open one.
pub(crate) async fn read_contests(State(app): State<App>, context: PageContext) -> Result<Response, Problem> {
    show(&app, &context, &FormOutcome::Nothing).await
}

/// Opens a contest and redirects to its set-up page.
pub(crate) async fn post_contest(State(app): State<App>, form: SubmittedForm) -> Result<Response, Problem> {
    match open(&app, &form).await {
        Ok(id) => go_to(&format!("/contests/{id}/setup")),
        Err(problem) => show(&app, &form.context, &FormOutcome::Problem(problem)).await,
    }
}

async fn open(app: &App, form: &SubmittedForm) -> Result<String, Problem> {
    let body = json!({ "id": form.text("id"), "name": form.optional("name"), "rulebook": form.optional("rulebook") });
    drop(open_contest(State(app.clone()), form.caller()?, form.input(body)?).await?);
    Ok(form.text("id").to_owned())
}

async fn show(app: &App, context: &PageContext, said: &FormOutcome) -> Result<Response, Problem> {
    let content = html! {
        h1 { "Contests" }
        (contests(app, context).await?)
        @if context.may_everywhere(Act::OpenContest) { (opening(app, context)) }
    };
    Ok(HtmlPage::new(context, "Contests").at("/contests").saying(said).show(&content))
}

/// The contests as cards with links.
pub(crate) async fn contests(app: &App, context: &PageContext) -> Result<Markup, Problem> {
    let Json(ContestList { total, contests }) =
        list_contests(State(app.clone()), QueryParams(Pagination::default())).await?;
    if contests.is_empty() {
        let next = if context.may_everywhere(Act::OpenContest) {
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

fn opening(app: &App, context: &PageContext) -> Markup {
    let books = app.courts.rulebooks("contest").iter().map(|book| book.reference.name.as_str());
    let books: Vec<_> = books.map(|name| (name, name)).collect();
    let fields = html! {
        div class="fields" {
            (FormField::text("id", "Short name").help("Letters, digits, “.”, “_” and “-”; it stands in addresses").required().show("open"))
            (FormField::text("name", "Name").help("What people call it").show("open"))
            (choice("open", "rulebook", "Rules", &books, "competition"))
        }
        button { "Open the contest" }
    };
    html! { h2 { "Open a contest" } (parts::form(context, "/contests", &fields)) }
}
