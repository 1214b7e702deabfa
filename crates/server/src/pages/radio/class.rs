//! Class page: a student's own sessions and a form to start one, or all sessions for an instructor.

use std::collections::BTreeMap;

use assize_courts::radio::{ClassView, SessionOutcome, SessionSummary};
use assize_kernel::Role;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use crate::http::App;
use crate::http::access::Act;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::radio::sessions::open_radio_session;
use crate::http::radio::{list_scenarios, seen_class, stream_of};
use crate::http::tokens::new_secret;
use crate::pages::form::SubmittedForm;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{self, choice, clock_text, count, empty, hidden, moment, scrolling};
use crate::pages::why::plain;
use crate::pages::{go_to, is_closed};

/// Shows a class.
pub(crate) async fn read_class(
    State(app): State<App>,
    PathParams(class): PathParams<String>,
    context: PageContext,
) -> Result<Response, Problem> {
    show(&app, &class, &context, &FormOutcome::Nothing).await
}

/// Opens a session through the API handler and redirects to it.
pub(crate) async fn post_session(
    State(app): State<App>,
    PathParams(class): PathParams<String>,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    let caller = form.caller()?;
    let body = json!({
        "id": form.text("id"), "scenario": form.text("scenario"), "difficulty": form.optional("difficulty"),
        "student": form.optional("student"),
    });
    let done = match form.input(body) {
        Ok(input) => {
            open_radio_session(State(app.clone()), PathParams(class.clone()), caller, input).await.map(drop)
        }
        Err(problem) => Err(problem),
    };
    match done {
        Ok(()) => go_to(&format!("/radio/{class}/sessions/{}", form.text("id"))),
        Err(problem) if is_closed(&problem) => Err(problem),
        Err(problem) => show(&app, &class, &form.context, &FormOutcome::Problem(problem)).await,
    }
}

async fn show(
    app: &App,
    class: &str,
    context: &PageContext,
    said: &FormOutcome,
) -> Result<Response, Problem> {
    let caller = context.require_caller()?.clone();
    let student = (caller.actor.role == Role::Participant).then(|| caller.actor.name.clone());
    let view = seen_class(app, class, &caller).await?;
    let stream = stream_of(class)?;
    let content = html! {
        p class="small" { a href="/radio" { "Radio" } }
        h1 { (view.name) }
        p class="lead" data-live="lead" { (lead(&view, student.is_some())) }
        @if let Some(student) = &student { (beginning(context, class, student).await) }
        @if student.is_none() {
            h2 { "Students" }
            div data-live="students" { (students(&view)) }
        }
        h2 { @if student.is_some() { "Your sessions" } @else { "Sessions" } }
        div data-live="sessions" { (sessions(class, &view, student.is_none())) }
        @if context.may(Act::RunClass, &stream) {
            p { a class="button second" href=(format!("/api/v1/radio/classes/{class}/export")) { "Export every turn" } }
        }
    };
    let page = HtmlPage::new(context, view.name.clone()).at(format!("/radio/{class}"));
    Ok(page.follows([stream.to_string()], app.clerk.now()).saying(said).show(&content))
}

fn lead(view: &ClassView, own: bool) -> String {
    let flown = count(view.sessions.len(), "session", "sessions");
    let running = view.sessions.iter().filter(|session| session.outcome.is_none()).count();
    let rules = view.rulebook.as_ref().map_or("", |book| book.name.as_str());
    if own {
        format!("You have flown {flown}; {rules} phraseology")
    } else {
        format!("{flown}, {running} of them on the frequency now; {rules} phraseology")
    }
}

/// A student's form to start a session: scenario and difficulty.
async fn beginning(context: &PageContext, class: &str, student: &str) -> Markup {
    let Json(list) = list_scenarios().await;
    let scenarios: Vec<(&str, &str)> =
        list.scenarios.iter().map(|each| (each.scenario.name.as_str(), each.title.as_str())).collect();
    let levels = [("student", "As a student"), ("solo", "Solo"), ("exam", "As in the exam")];
    // The session's id only has to be unique.
    let id =
        new_secret().map(|secret| secret.reveal().chars().take(8).collect::<String>()).unwrap_or_default();
    let fields = html! {
        (hidden("id", &format!("{student}-{id}")))
        div class="fields" {
            (choice("begin", "scenario", "Scenario", &scenarios, "circuit-departure"))
            (choice("begin", "difficulty", "How strict", &levels, "student"))
        }
        button { "Begin" }
        p class="help" { "Answer within a minute and a half, or the session ends." }
    };
    html! { h2 { "Fly" } (parts::form(context, &format!("/radio/{class}"), &fields)) }
}

fn students(view: &ClassView) -> Markup {
    let mut by_student: BTreeMap<&str, Vec<&SessionSummary>> = BTreeMap::new();
    for session in &view.sessions {
        by_student.entry(session.student.as_str()).or_default().push(session);
    }
    if by_student.is_empty() {
        return empty("Nobody has flown yet.", &html! { "Students begin sessions after logging in." });
    }
    let table = html! {
        table {
            thead { tr {
                th scope="col" { "Student" } th scope="col" class="number" { "Sessions" } th scope="col" class="number" { "Completed" }
                th scope="col" class="number" { "Points" } th scope="col" class="number" { "Said again" } th scope="col" { "How well, one session after the other" }
            } }
            tbody { @for (student, sessions) in &by_student { (student_line(student, sessions)) } }
        }
    };
    scrolling("Students", &table)
}

fn student_line(student: &str, sessions: &[&SessionSummary]) -> Markup {
    let completed =
        sessions.iter().filter(|session| session.outcome == Some(SessionOutcome::Completed)).count();
    let points: f64 = sessions.iter().map(|session| session.score_total).sum();
    let retries: u32 = sessions.iter().map(|session| session.retries).sum();
    let mut ordered: Vec<_> =
        sessions.iter().map(|session| (session.opened_at, session.average_normalized)).collect();
    ordered.sort_by_key(|(at, _)| *at);
    html! {
        tr data-key=(student) data-value=(points) {
            th scope="row" { (student) }
            td class="number" { (sessions.len()) } td class="number" { (completed) }
            td class="number" { strong { (plain(points)) } } td class="number" { (retries) }
            td class="line" { @for (_, share) in ordered.iter().rev().take(6).rev() { (share_of(*share)) " " } }
        }
    }
}

/// A share from 0 to 1 as a meter with its percentage.
pub(super) fn share_of(share: Option<f64>) -> Markup {
    match share {
        Some(share) => {
            html! { span class="share" { meter aria-label="How well" min="0" max="1" value=(share) {} " " span class="small figure" { (plain(assize_kernel::round(share * 100.0, 0))) " %" } } }
        }
        None => html! { span class="soft small" { "–" } },
    }
}

/// Badge for a session's outcome.
pub(super) fn outcome(outcome: Option<SessionOutcome>) -> Markup {
    let (word, class) = match outcome {
        None => ("on the frequency", "badge lively"),
        Some(SessionOutcome::Completed) => ("completed", "badge right"),
        Some(SessionOutcome::Timeout) => ("nobody answered", "badge"),
        Some(SessionOutcome::SafetyBlock) => ("stopped for safety", "badge wrong"),
    };
    html! { span class=(class) { (word) } }
}

fn sessions(class: &str, view: &ClassView, with_student: bool) -> Markup {
    if view.sessions.is_empty() {
        return empty("No session yet.", &html! { "Choose a scenario above and begin." });
    }
    let mut latest: Vec<&SessionSummary> = view.sessions.iter().collect();
    latest.sort_by_key(|session| std::cmp::Reverse(session.opened_at));
    let table = html! {
        table {
            thead { tr {
                th scope="col" { "Session" } @if with_student { th scope="col" { "Student" } } th scope="col" { "Scenario" } th scope="col" { "Begun" }
                th scope="col" class="number" { "Turns" } th scope="col" class="number" { "Points" } th scope="col" { "How well" } th scope="col" class="number" { "Took" } th scope="col" { "Outcome" }
            } }
            tbody {
                @for session in latest.iter().take(100) {
                    tr data-key=(session.session) data-value=(session.score_total) {
                        th scope="row" { a href=(format!("/radio/{class}/sessions/{}", session.session)) { (session.session) } }
                        @if with_student { td { (session.student) } }
                        td { (session.scenario) } td { (moment(session.opened_at)) }
                        td class="number" { (session.turns) } td class="number" { (plain(session.score_total)) }
                        td { (share_of(session.average_normalized)) }
                        td class="number" { @if let Some(took) = session.total_time { (clock_text(assize_kernel::Millis::from_seconds(took).0)) } }
                        td { (outcome(session.outcome)) }
                    }
                }
            }
        }
    };
    html! {
        (scrolling("Sessions", &table))
        @if latest.len() > 100 { p class="soft" { "And " (latest.len() - 100) " earlier ones." } }
    }
}
