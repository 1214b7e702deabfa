//! Moderation queue: items that wait for a judge, oldest first, each with its evidence and a decision form.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::waiting::waiting;
use crate::http::App;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::query::{Pagination, QueryParams};
use crate::http::quest::exams::decide_exam;
use crate::http::quest::moderation::{
    ModerationQueue, decide_report, list_moderation, review_proof, rule_status,
};
use crate::pages::form::SubmittedForm;
use crate::pages::go_to;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{count, empty};

/// Shows the queue.
pub(crate) async fn read_moderation(
    State(app): State<App>,
    context: PageContext,
) -> Result<Response, Problem> {
    show(&app, &context, &FormOutcome::Nothing).await
}

/// Decides one item through its API handler.
pub(crate) async fn post_moderation(
    State(app): State<App>,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    match decide(&app, &form).await {
        Ok(()) => go_to("/moderation"),
        Err(problem) => show(&app, &form.context, &FormOutcome::Problem(problem)).await,
    }
}

async fn decide(app: &App, form: &SubmittedForm) -> Result<(), Problem> {
    let state = State(app.clone());
    let caller = form.caller()?;
    let [hunter, quest, reporter] = ["hunter", "quest", "reporter"].map(|name| form.text(name).to_owned());
    let yes = form.text("decision") == "yes";
    let note = form.optional("note");
    match form.text("do") {
        "report" => {
            let body = json!({ "confirmed": yes, "remove_log": form.ticked("remove_log"), "note": note });
            let place = PathParams((hunter, quest, reporter));
            decide_report(state, place, caller, form.input(body)?).await.map(drop)
        }
        "exam" => {
            let body = json!({ "quest": quest, "granted": yes, "note": note });
            decide_exam(state, PathParams(hunter), caller, form.input(body)?).await.map(drop)
        }
        "proof" => {
            let body = json!({ "accepted": yes, "note": note });
            review_proof(state, PathParams((hunter, quest)), caller, form.input(body)?).await.map(drop)
        }
        "status" => {
            let body: Value = json!({ "corrupted": yes, "note": note });
            rule_status(state, PathParams(hunter), caller, form.input(body)?).await.map(drop)
        }
        other => Err(Problem::malformed(format!("`{other}` is nothing that can be done here"))),
    }
}

async fn show(app: &App, context: &PageContext, said: &FormOutcome) -> Result<Response, Problem> {
    let caller = context.require_caller()?.clone();
    let Json(ModerationQueue { total, waiting: things }) =
        list_moderation(State(app.clone()), QueryParams(Pagination::default()), caller).await?;
    let content = html! {
        h1 { "Moderation" }
        p class="lead" data-live="count" { (count(total, "thing waits", "things wait")) ", the oldest first" }
        div data-live="queue" { (queue(context, &things, total)) }
    };
    let topics = [format!("board/{}", assize_courts::quest::HUNTERS)];
    let page = HtmlPage::new(context, "Moderation").at("/moderation");
    Ok(page.follows(topics, app.clerk.now()).saying(said).show(&content))
}

fn queue(
    context: &PageContext,
    things: &[crate::http::quest::moderation::ModerationEntry],
    total: usize,
) -> Markup {
    if things.is_empty() {
        return empty("Nothing waits.", &html! { "Reports, exams and proofs come here by themselves." });
    }
    html! {
        ol class="queue" { @for thing in things { (waiting(context, thing)) } }
        @if total > things.len() { p class="soft" { "And " (total - things.len()) " more, when these are decided." } }
    }
}
