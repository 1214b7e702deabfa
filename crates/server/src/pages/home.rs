//! Front page: the contests and courts of this server.

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use super::contest::list;
use super::guest::PageContext;
use super::layout::HtmlPage;
use crate::http::App;
use crate::http::problem::Problem;

/// Shows the front page.
pub(crate) async fn read_home(State(app): State<App>, context: PageContext) -> Result<Response, Problem> {
    let contests = list::contests(&app, &context).await?;
    let content = html! {
        div class="top" {
            div {
                h1 { "Assize" }
                p class="lead" { "What somebody did comes in; a verdict that can be defended comes out." }
            }
        }
        h2 { "Contests" }
        (contests)
        (courts(&app))
    };
    Ok(HtmlPage::new(&context, "Home").show(&content))
}

/// The courts of this server, with links to their rulebooks.
fn courts(app: &App) -> Markup {
    html! {
        h2 { "Courts" }
        ul class="cards" {
            @for name in app.courts.names() {
                li class="card" {
                    h3 { a href=(place(name)) { (name) } }
                    p { (about(name)) }
                    p class="soft small" {
                        "Rulebooks: "
                        @for (place, book) in app.courts.rulebooks(name).iter().enumerate() {
                            @if place > 0 { ", " }
                            a href=(format!("/api/v1/rulebooks/{name}/{}", book.reference.name)) { (book.reference.name) }
                        }
                    }
                }
            }
        }
    }
}

/// Path of a court's first page.
fn place(court: &str) -> &'static str {
    match court {
        "quest" => "/hunters",
        "radio" => "/radio",
        "summary" => "/summaries",
        _ => "/contests",
    }
}

fn about(court: &str) -> &'static str {
    match court {
        "contest" => "Live video-retrieval contests: teams, tasks, a clock, and a board for the hall.",
        "quest" => "Training logs: from what was done to experience points, with every step shown.",
        "radio" => "Radio phraseology: what a student transmits, judged word by word.",
        "summary" => "Summaries of articles: what they claim, held against what was written.",
        _ => "A court of this server.",
    }
}
