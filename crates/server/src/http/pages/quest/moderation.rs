//! What waits for judges, the oldest first: each with its evidence beside the decision.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::waiting::waiting;
use crate::http::App;
use crate::http::address::Address;
use crate::http::hunters::exams::decide_exam;
use crate::http::hunters::moderation::{Queue, decide_report, list_moderation, review_proof, rule_status};
use crate::http::pages::form::Form;
use crate::http::pages::go_to;
use crate::http::pages::guest::Guest;
use crate::http::pages::layout::{Page, Said};
use crate::http::pages::parts::{count, empty};
use crate::http::problem::Problem;
use crate::http::query::{Asked, Window};

/// The queue.
pub(in crate::http) async fn read_moderation(
    State(app): State<App>,
    guest: Guest,
) -> Result<Response, Problem> {
    show(&app, &guest, &Said::Nothing).await
}

/// Decides about one thing, by the API's own function.
pub(in crate::http) async fn post_moderation(
    State(app): State<App>,
    form: Form,
) -> Result<Response, Problem> {
    match decide(&app, &form).await {
        Ok(()) => go_to("/moderation"),
        Err(problem) => show(&app, &form.guest, &Said::Problem(problem)).await,
    }
}

async fn decide(app: &App, form: &Form) -> Result<(), Problem> {
    let (state, caller) = (State(app.clone()), form.caller()?);
    let [hunter, quest, reporter] = ["hunter", "quest", "reporter"].map(|name| form.text(name).to_owned());
    let (yes, note) = (form.text("decision") == "yes", form.optional("note"));
    match form.text("do") {
        "report" => {
            let body = json!({ "confirmed": yes, "remove_log": form.ticked("remove_log"), "note": note });
            let place = Address((hunter, quest, reporter));
            decide_report(state, place, caller, form.input(body)?).await.map(drop)
        }
        "exam" => {
            let body = json!({ "quest": quest, "granted": yes, "note": note });
            decide_exam(state, Address(hunter), caller, form.input(body)?).await.map(drop)
        }
        "proof" => {
            let body = json!({ "accepted": yes, "note": note });
            review_proof(state, Address((hunter, quest)), caller, form.input(body)?).await.map(drop)
        }
        "status" => {
            let body: Value = json!({ "corrupted": yes, "note": note });
            rule_status(state, Address(hunter), caller, form.input(body)?).await.map(drop)
        }
        other => Err(Problem::malformed(format!("`{other}` is nothing that can be done here"))),
    }
}

async fn show(app: &App, guest: &Guest, said: &Said) -> Result<Response, Problem> {
    let caller = guest.must_be_known()?.clone();
    let Json(Queue { total, waiting: things }) =
        list_moderation(State(app.clone()), Asked(Window::default()), caller).await?;
    let content = html! {
        h1 { "Moderation" }
        p class="lead" data-live="count" { (count(total, "thing waits", "things wait")) ", the oldest first" }
        div data-live="queue" { (queue(guest, &things, total)) }
    };
    let topics = [format!("board/{}", assize_courts::quest::HUNTERS)];
    let page = Page::new(guest, "Moderation").at("/moderation");
    Ok(page.follows(topics, app.clerk.now()).saying(said).show(&content))
}

fn queue(guest: &Guest, things: &[crate::http::hunters::moderation::Waiting], total: usize) -> Markup {
    if things.is_empty() {
        return empty("Nothing waits.", &html! { "Reports, exams and proofs come here by themselves." });
    }
    html! {
        ol class="queue" { @for thing in things { (waiting(guest, thing)) } }
        @if total > things.len() { p class="soft" { "And " (total - things.len()) " more, when these are decided." } }
    }
}
