//! Start page of the radio court: classes, scenarios, and a form to open a class.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use crate::http::App;
use crate::http::access::Act;
use crate::http::problem::Problem;
use crate::http::query::{Pagination, QueryParams};
use crate::http::radio::classes::{ClassList, list_classes};
use crate::http::radio::{ScenarioList, list_scenarios, open_class};
use crate::pages::form::SubmittedForm;
use crate::pages::go_to;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{self, FormField, choice, count, empty, moment};

/// Lists classes and scenarios.
pub(crate) async fn read_lobby(State(app): State<App>, context: PageContext) -> Result<Response, Problem> {
    show(&app, &context, &FormOutcome::Nothing).await
}

/// Opens a class through the API handler.
pub(crate) async fn post_class(State(app): State<App>, form: SubmittedForm) -> Result<Response, Problem> {
    let caller = form.caller()?;
    let body = json!({ "id": form.text("id"), "name": form.optional("name"), "rulebook": form.optional("rulebook") });
    let done = match form.input(body) {
        Ok(input) => open_class(State(app.clone()), caller, input).await.map(drop),
        Err(problem) => Err(problem),
    };
    match done {
        Ok(()) => go_to(&format!("/radio/{}", form.text("id"))),
        Err(problem) => show(&app, &form.context, &FormOutcome::Problem(problem)).await,
    }
}

async fn show(app: &App, context: &PageContext, said: &FormOutcome) -> Result<Response, Problem> {
    let Json(ScenarioList { scenarios }) = list_scenarios().await;
    let content = html! {
        h1 { "Radio" }
        p class="lead" { "A controller speaks, you answer; at once you see what was understood, what was missing and what would have been right." }
        h2 { "Classes" }
        (classes(app, context).await?)
        @if context.may_everywhere(Act::RunClass) { (opening(app, context)) }
        h2 { "Scenarios" }
        ul class="cards" {
            @for each in &scenarios {
                li class="card" {
                    h3 { (each.title) }
                    p { (each.callsign) ", " (each.aircraft) ", at " (each.airfield) ", runway " (each.runway) "." }
                    p class="soft small" { (count(each.phases, "exchange", "exchanges")) "; ends when " (each.ends_when) }
                }
            }
        }
    };
    Ok(HtmlPage::new(context, "Radio").at("/radio").saying(said).show(&content))
}

async fn classes(app: &App, context: &PageContext) -> Result<Markup, Problem> {
    let Some(caller) = &context.caller else {
        let next = html! { a href="/login?to=/radio" { "Log in" } " as a student or an instructor." };
        return Ok(empty("Classes are for those who are in them.", &next));
    };
    let Json(ClassList { classes, .. }) =
        list_classes(State(app.clone()), QueryParams(Pagination::default()), caller.clone()).await?;
    if classes.is_empty() {
        return Ok(empty("There is no class yet.", &html! { "An instructor opens one." }));
    }
    Ok(html! {
        ul class="cards" {
            @for class in &classes {
                li class="card" {
                    h3 { a href=(format!("/radio/{}", class.id)) { (class.name) } }
                    p class="soft small" { (class.rulebook.name) " rules · opened " (moment(class.opened_at)) }
                }
            }
        }
    })
}

fn opening(app: &App, context: &PageContext) -> Markup {
    let books = app.courts.rulebooks("radio").iter().map(|book| book.reference.name.as_str());
    let books: Vec<_> = books.map(|name| (name, name)).collect();
    let fields = html! {
        div class="fields" {
            (FormField::text("id", "Short name").help("Letters, digits, “.”, “_” and “-”; it stands in addresses").required().show("open"))
            (FormField::text("name", "Name").help("What people call it").show("open"))
            (choice("open", "rulebook", "Phraseology", &books, "icao"))
        }
        button { "Open the class" }
    };
    html! { details id="open-class" { summary { "Open a class" } (parts::form(context, "/radio", &fields)) } }
}
