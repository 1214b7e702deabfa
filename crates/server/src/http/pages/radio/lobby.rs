//! The way in: which classes there are, which scenarios can be flown, and opening a class.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use crate::http::App;
use crate::http::access::Act;
use crate::http::pages::form::Form;
use crate::http::pages::go_to;
use crate::http::pages::guest::Guest;
use crate::http::pages::layout::{Page, Said};
use crate::http::pages::parts::{self, Field, choice, count, empty, moment};
use crate::http::problem::Problem;
use crate::http::query::{Asked, Window};
use crate::http::radio::classes::{ClassList, list_classes};
use crate::http::radio::{ScenarioList, list_scenarios, open_class};

/// Classes and scenarios.
pub(in crate::http) async fn read_lobby(State(app): State<App>, guest: Guest) -> Result<Response, Problem> {
    show(&app, &guest, &Said::Nothing).await
}

/// Opens a class, by the API's own function.
pub(in crate::http) async fn post_class(State(app): State<App>, form: Form) -> Result<Response, Problem> {
    let caller = form.caller()?;
    let body = json!({ "id": form.text("id"), "name": form.optional("name"), "rulebook": form.optional("rulebook") });
    let done = match form.input(body) {
        Ok(input) => open_class(State(app.clone()), caller, input).await.map(drop),
        Err(problem) => Err(problem),
    };
    match done {
        Ok(()) => go_to(&format!("/radio/{}", form.text("id"))),
        Err(problem) => show(&app, &form.guest, &Said::Problem(problem)).await,
    }
}

async fn show(app: &App, guest: &Guest, said: &Said) -> Result<Response, Problem> {
    let Json(ScenarioList { scenarios }) = list_scenarios().await;
    let content = html! {
        h1 { "Radio" }
        p class="lead" { "A controller speaks, you answer; at once you see what was understood, what was missing and what would have been right." }
        h2 { "Classes" }
        (classes(app, guest).await?)
        @if guest.may_everywhere(Act::RunClass) { (opening(app, guest)) }
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
    Ok(Page::new(guest, "Radio").at("/radio").saying(said).show(&content))
}

async fn classes(app: &App, guest: &Guest) -> Result<Markup, Problem> {
    let Some(caller) = &guest.caller else {
        let next = html! { a href="/login?to=/radio" { "Log in" } " as a student or an instructor." };
        return Ok(empty("Classes are for those who are in them.", &next));
    };
    let Json(ClassList { classes, .. }) =
        list_classes(State(app.clone()), Asked(Window::default()), caller.clone()).await?;
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

fn opening(app: &App, guest: &Guest) -> Markup {
    let books = app.courts.rulebooks("radio").iter().map(|book| book.reference.name.as_str());
    let books: Vec<_> = books.map(|name| (name, name)).collect();
    let fields = html! {
        div class="fields" {
            (Field::text("id", "Short name").help("Letters, digits, “.”, “_” and “-”; it stands in addresses").required().show("open"))
            (Field::text("name", "Name").help("What people call it").show("open"))
            (choice("open", "rulebook", "Phraseology", &books, "icao"))
        }
        button { "Open the class" }
    };
    html! { details id="open-class" { summary { "Open a class" } (parts::form(guest, "/radio", &fields)) } }
}
