//! Record page: the event, its verdict and derivation, and the revision that replaces it.

use assize_courts::quest::Quest;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use super::form::SubmittedForm;
use super::go_to;
use super::guest::PageContext;
use super::layout::{FormOutcome, HtmlPage};
use super::parts::{self, FormField, choice, hidden, moment};
use super::why;
use crate::http::App;
use crate::http::access::Act;
use crate::http::contest::contests::stream_of;
use crate::http::contest::overruling::overrule_answer;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::records::{self, RecordView, RevisionView};

/// Shows a record that the caller may read.
pub(crate) async fn read_record(
    State(app): State<App>,
    PathParams(position): PathParams<String>,
    context: PageContext,
) -> Result<Response, Problem> {
    show(&app, &position, &context, &FormOutcome::Nothing).await
}

/// Overrules the verdict in a contest's record through the API handler.
pub(crate) async fn post_overrule(
    State(app): State<App>,
    PathParams(position): PathParams<String>,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    form.caller()?.may(Act::Revise, &stream_of(form.text("contest"))?)?;
    let done = match form.input(json!({ "outcome": form.text("outcome"), "reason": form.text("reason") })) {
        Ok(input) => {
            let place = PathParams((form.text("contest").to_owned(), position.clone()));
            overrule_answer(State(app.clone()), place, form.caller()?, input).await.map(drop)
        }
        Err(problem) => Err(problem),
    };
    match done {
        Ok(()) => go_to(&format!("/records/{position}")),
        Err(problem) => show(&app, &position, &form.context, &FormOutcome::Problem(problem)).await,
    }
}

async fn show(
    app: &App,
    position: &str,
    context: &PageContext,
    said: &FormOutcome,
) -> Result<Response, Problem> {
    let caller = context.require_caller()?.clone();
    let read = records::read_record(State(app.clone()), PathParams(position.to_owned()), caller).await;
    let Json(record) = read?;
    let content = html! {
        h1 { "Record " (record.receipt.position) }
        p class="lead" { (record.kind) " in " (stream_link(&record.stream)) }
        div data-live="verdict" { (verdicts(&record)) }
        @if let Some(overruling) = overruling(context, &record) { (overruling) }
        h2 { "What was recorded" }
        (facts(&record))
        pre { code { (pretty(record.event.get())) } }
    };
    let place = format!("/records/{}", record.receipt.position);
    Ok(HtmlPage::new(context, format!("Record {position}")).at(place).saying(said).show(&content))
}

/// Link to a stream's page, if it has one.
pub(super) fn stream_link(stream: &str) -> Markup {
    match stream.split_once('/') {
        Some(("contest", name)) => html! { a href=(format!("/contests/{name}")) { (stream) } },
        Some(("quest", name)) if !Quest::is_media(name) => {
            html! { a href=(format!("/hunters/{name}")) { (stream) } }
        }
        Some(("radio", name)) => html! { a href=(format!("/radio/{name}")) { (stream) } },
        _ => html! { (stream) },
    }
}

fn verdicts(record: &RecordView) -> Markup {
    let first = record.verdict.as_ref().and_then(|verdict| why::read(verdict.get()));
    html! {
        @if let Some(revision) = &record.revision { (revised(revision)) }
        @if let Some(verdict) = &first {
            h2 { @if record.revision.is_some() { "At first" } @else { "Verdict" } }
            p { (why::outcome(verdict)) }
            (why::whole(verdict))
        }
    }
}

fn revised(revision: &RevisionView) -> Markup {
    let verdict = revision.verdict.as_ref().and_then(|verdict| why::read(verdict.get()));
    let place = revision.receipt.position;
    html! {
        h2 { "What counts" }
        div class="note" { p { "This was revised in record " a href=(format!("/records/{place}")) { (place) } "." } }
        @match (&verdict, &revision.refusal) {
            (Some(verdict), _) => { p { (why::outcome(verdict)) } (why::whole(verdict)) }
            (None, Some(code)) => { p { "It counts nothing any more: it would not have been taken up (" code { (code) } ")." } }
            (None, None) => { p { "Nothing was judged." } }
        }
    }
}

fn facts(record: &RecordView) -> Markup {
    html! {
        dl class="facts" {
            dt { "Position" } dd { (record.receipt.position) }
            dt { "Stream" } dd { (record.stream) ", version " (record.version) }
            dt { "When" } dd { (moment(record.receipt.at)) }
            dt { "Who" } dd { (record.actor) }
            @if let Some(origin) = &record.origin { dt { "From" } dd { (origin.address) } }
            dt { "Hash" } dd { code { (record.receipt.hash) } }
        }
    }
}

/// The overrule form, for judges, on a judged answer of a contest.
fn overruling(context: &PageContext, record: &RecordView) -> Option<Markup> {
    let stream = record.stream.parse().ok()?;
    let contest = record.stream.strip_prefix("contest/").filter(|_| record.kind == "AnswerJudged")?;
    if !context.may(Act::Revise, &stream) {
        return None;
    }
    let outcomes =
        [("full", "Right"), ("partial", "Partly right"), ("incorrect", "Wrong"), ("undecided", "Undecided")];
    let fields = html! {
        (hidden("contest", contest))
        div class="fields" {
            (choice("overrule", "outcome", "It was", &outcomes, "full"))
            (FormField::text("reason", "Reason").help("Recorded, and shown to the team").required().show("overrule"))
        }
        button { "Overrule" }
    };
    let action = format!("/records/{}", record.receipt.position);
    Some(html! { h2 { "Overrule" } (parts::form(context, &action, &fields)) })
}

fn pretty(json: &str) -> String {
    let read = serde_json::from_str::<serde_json::Value>(json);
    read.ok().and_then(|value| serde_json::to_string_pretty(&value).ok()).unwrap_or_else(|| json.to_owned())
}
