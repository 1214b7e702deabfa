//! Session page: the controller's current call, a form to answer it, and all turns so far.

use assize_courts::radio::{SessionOutcome, SessionView};
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use super::class::{outcome, share_of};
use super::overruling::findings;
use super::progress::over_time;
use super::turns::{judged, list};
use crate::http::App;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::radio::sessions::seen_session;
use crate::http::radio::stream_of;
use crate::http::radio::turns::{overrule_turn, transmit_call};
use crate::pages::countdown::{CountdownLabels, countdown};
use crate::pages::form::SubmittedForm;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{self, count, hidden};
use crate::pages::why::plain;
use crate::pages::{go_to, is_closed};

/// Shows a session.
pub(crate) async fn read_session(
    State(app): State<App>,
    PathParams((class, session)): PathParams<(String, String)>,
    context: PageContext,
) -> Result<Response, Problem> {
    show(&app, &class, &session, &context, &FormOutcome::Nothing).await
}

/// Transmits a call or overrules a turn, through the API handlers.
pub(crate) async fn post_session(
    State(app): State<App>,
    PathParams((class, session)): PathParams<(String, String)>,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    match act(&app, &class, &session, &form).await {
        Ok(()) => go_to(&format!("/radio/{class}/sessions/{session}")),
        Err(problem) if is_closed(&problem) => Err(problem),
        Err(problem) => show(&app, &class, &session, &form.context, &FormOutcome::Problem(problem)).await,
    }
}

async fn act(app: &App, class: &str, session: &str, form: &SubmittedForm) -> Result<(), Problem> {
    let state = State(app.clone());
    let caller = form.caller()?;
    match form.text("do") {
        "transmit" => {
            let body = json!({ "text": form.text("text").trim(), "student": form.optional("student") });
            let place = PathParams((class.to_owned(), session.to_owned()));
            transmit_call(state, place, caller, form.input(body)?).await.map(drop)
        }
        "overrule" => {
            let turn = form.text("turn").to_owned();
            let view = seen_session(app, class, session, &caller).await?;
            let judged = judged(app, &view, &caller).await;
            let body = json!({ "findings": findings(form, &turn, &judged)?, "reason": form.text("reason") });
            let place = PathParams((class.to_owned(), session.to_owned(), turn));
            overrule_turn(state, place, caller, form.input(body)?).await.map(drop)
        }
        other => Err(Problem::malformed(format!("`{other}` is nothing that can be done here"))),
    }
}

async fn show(
    app: &App,
    class: &str,
    session: &str,
    context: &PageContext,
    said: &FormOutcome,
) -> Result<Response, Problem> {
    let caller = context.require_caller()?;
    let view = seen_session(app, class, session, caller).await?;
    let stream = stream_of(class)?;
    let turns = judged(app, &view, caller).await;
    let speaks = caller.acts_for(&stream, Some(&view.summary.student)).is_ok();
    let now = app.clerk.now();
    let place = format!("/radio/{class}/sessions/{session}");
    let content = html! {
        p class="small" { a href=(format!("/radio/{class}")) { "The class" } }
        div class="top" {
            div {
                h1 { (view.title) }
                p class="lead" { (view.callsign) ", " (view.aircraft) ", " (view.airfield) ", runway " (view.runway) "; " (view.weather) }
            }
            div data-live="clock" {
                @if let Some(idle_at) = view.idle_at {
                    (countdown(&CountdownLabels { what: "Answer", running: "within", over: "is overdue" }, now, idle_at, now))
                }
            }
        }
        div data-live="now" {
            (standing(&view))
            @if view.summary.outcome.is_none() { (speaking(context, &view, speaks, &place)) }
            @else { (ended(&view, class, &place)) }
        }
        div data-live="turns" {
            (over_time(&view))
            @if !turns.is_empty() { h2 { "What was said" } (list(context, &stream, &view, &turns, &place)) }
        }
    };
    let page = HtmlPage::new(context, view.title.clone()).at(place);
    Ok(page.follows([stream.to_string()], now).saying(said).show(&content))
}

fn standing(view: &SessionView) -> Markup {
    let session = &view.summary;
    html! {
        p role="status" {
            (outcome(session.outcome)) " " strong class="figure" { (plain(session.score_total)) } " points, "
            (count(session.turns, "turn", "turns")) ", " (session.retries) " said again " (share_of(session.average_normalized))
        }
    }
}

/// The controller's call and, for callers who may transmit, a form to answer it.
fn speaking(context: &PageContext, view: &SessionView, speaks: bool, place: &str) -> Markup {
    let fields = html! {
        (hidden("do", "transmit")) (hidden("student", &view.summary.student))
        div class="field" {
            label for="call" { "Your call" }
            textarea id="call" name="text" class="say" rows="3" required maxlength="4000" autocomplete="off" spellcheck="false" {}
            p class="help" { "As you would say it: “runway two seven”, “QNH one zero one six”. You are " (view.callsign) "." }
        }
        button { "Transmit" }
    };
    html! {
        @if let Some(controller) = &view.controller { blockquote class="heard" { p class="soft small" { "Controller" } p { (controller) } (aloud(controller)) } }
        @if let Some(cue) = &view.cue { blockquote class="heard cue" { p class="soft small" { "Now it is for you to speak" } p { (cue) } } }
        @if speaks { (parts::form(context, place, &fields)) }
        @else { p class="soft" { "The student has not answered yet." } }
    }
}

/// Button that reads the call aloud; shown where the browser supports speech synthesis.
fn aloud(words: &str) -> Markup {
    html! { button type="button" class="plain" data-needs-voice hidden data-say=(words) { "Listen" } }
}

fn ended(view: &SessionView, class: &str, place: &str) -> Markup {
    let message = match view.summary.outcome {
        Some(SessionOutcome::Completed) => "The scenario was flown to its end.",
        Some(SessionOutcome::Timeout) => "Nobody answered for too long, and the session ended.",
        _ => "Three dangerous calls in a row: the session was stopped for safety.",
    };
    html! { div class="note" { p { (message) " " a href=(format!("/radio/{class}")) { "Fly another one" } ", or read " a href=(format!("{place}/debrief")) { "the debrief" } "." } } }
}
