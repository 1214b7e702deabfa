//! Training log page: what was done, how its XP was computed, its reports, and a form to report it.

use assize_courts::quest::{DoneExercise, LogView, QuestEvent, QuestRules, Submission};
use assize_kernel::{Role, Rulebook};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use super::{steps, words};
use crate::http::App;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::quest::logs::{LogShown, read_hunter_log};
use crate::http::quest::reports::report_log;
use crate::http::quest::stream_of;
use crate::pages::form::SubmittedForm;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{self, FormField, choice, moment, scrolling};
use crate::pages::why;
use crate::pages::{go_to, is_closed};

/// Shows a log.
pub(crate) async fn read_log(
    State(app): State<App>,
    PathParams((hunter, quest)): PathParams<(String, String)>,
    context: PageContext,
) -> Result<Response, Problem> {
    show(&app, &hunter, &quest, &context, &FormOutcome::Nothing).await
}

/// Reports a log through the API handler.
pub(crate) async fn post_report(
    State(app): State<App>,
    PathParams((hunter, quest)): PathParams<(String, String)>,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    let caller = form.caller()?;
    let body = json!({
        "reason": form.text("reason"), "text": form.optional("text"), "reporter": form.optional("reporter"),
    });
    let place = PathParams((hunter.clone(), quest.clone()));
    let done = match form.input(body) {
        Ok(input) => report_log(State(app.clone()), place, caller, input).await.map(drop),
        Err(problem) => Err(problem),
    };
    match done {
        Ok(()) => go_to(&format!("/hunters/{hunter}/logs/{quest}")),
        Err(problem) if is_closed(&problem) => Err(problem),
        Err(problem) => show(&app, &hunter, &quest, &form.context, &FormOutcome::Problem(problem)).await,
    }
}

async fn show(
    app: &App,
    hunter: &str,
    quest: &str,
    context: &PageContext,
    said: &FormOutcome,
) -> Result<Response, Problem> {
    let place = PathParams((hunter.to_owned(), quest.to_owned()));
    let shown = read_hunter_log(State(app.clone()), place, context.require_caller().cloned()).await;
    let Json(LogShown { log, event, verdict, user_feedback }) = shown?;
    let verdict = why::read(verdict.get()).ok_or_else(|| Problem::internal("a verdict cannot be read"))?;
    let submission = submitted(event.get());
    let content = html! {
        p class="small" { a href=(format!("/hunters/{hunter}")) { (hunter) } }
        div class="top" {
            div {
                h1 { (quest) }
                p class="lead" { (log.quest_type.as_str()) " · " (moment(log.at)) }
            }
            div data-live="outcome" {
                p { (words::status(&log)) " " (words::proof(&log)) }
                p class="figures" { span { strong class="figure" { (log.xp) } " XP" } }
            }
        }
        @if let Some(submission) = &submission { h2 { "What was logged" } (done(submission, user_feedback.as_deref())) }
        div data-live="reckoning" {
            h2 { "From base to final XP" }
            (steps::steps(&verdict))
            details id="reckoning" { summary { "Every reason and every step" } (why::whole(&verdict)) }
        }
        h2 { "Doubts" }
        div data-live="reports" { (doubts(&log)) (reporting(app, context, hunter, &log, &verdict.rulebook.name)) }
    };
    let page =
        HtmlPage::new(context, format!("{quest} · {hunter}")).at(format!("/hunters/{hunter}/logs/{quest}"));
    let topics = [stream_of(hunter)?.to_string(), format!("board/{}", assize_courts::quest::HUNTERS)];
    Ok(page.follows(topics, app.clerk.now()).saying(said).show(&content))
}

/// The submission in a record's event.
fn submitted(event: &str) -> Option<Submission> {
    match serde_json::from_str(event).ok()? {
        QuestEvent::LogJudged(judged) => Some(judged.submission),
        _ => None,
    }
}

fn done(submission: &Submission, feedback: Option<&str>) -> Markup {
    let log = &submission.log;
    let table = html! {
        table {
            thead { tr { th scope="col" { "Exercise" } th scope="col" class="number" { "Sets" } th scope="col" class="number" { "In each" } th scope="col" class="number" { "Took" } } }
            tbody { @for exercise in &log.exercises { (line(exercise)) } }
        }
    };
    html! {
        (scrolling("What was logged", &table))
        p class="soft small" {
            "Took " (parts::clock_text(assize_kernel::Millis::from_seconds(log.duration_seconds).0)) ", felt like " (why::plain(log.actual_rpe)) " of 10; "
            (submission.day)
            @match &log.proof { Some(proof) => { "; proof: " (proof.kind.as_str()) }, None => { "; no proof" } }
        }
        @if let Some(feedback) = feedback { blockquote { (feedback) } }
    }
}

fn line(exercise: &DoneExercise) -> Markup {
    let nothing = || html! { span class="soft" { "–" } };
    html! {
        tr {
            th scope="row" { (exercise.name) }
            @if exercise.skipped {
                td class="soft" colspan="3" { "left out" }
            } @else {
                td class="number" { @match &exercise.sets_done { Some(sets) => (sets), None => (nothing()) } }
                td class="number" { @match &exercise.reps_done { Some(reps) => (reps), None => (nothing()) } }
                td class="number" { @match exercise.seconds { Some(seconds) => { (why::plain(seconds)) " s" }, None => (nothing()) } }
            }
        }
    }
}

fn doubts(log: &LogView) -> Markup {
    html! {
        @if log.reports.is_empty() { p class="soft" { "Nobody has reported it." } }
        @else {
            ul { @for report in &log.reports {
                li { (words::reason(&report.reason)) ", " (moment(report.at)) " " span class="badge" { (match report.standing {
                    "confirmed" => "a judge agrees",
                    "dismissed" => "a judge does not",
                    _ => "waits for a judge",
                }) } }
            } }
        }
    }
}

/// The report form; shown to other hunters only.
fn reporting(app: &App, context: &PageContext, hunter: &str, log: &LogView, rulebook: &str) -> Markup {
    let other = context.caller.as_ref().filter(|caller| {
        caller.actor.role == Role::Participant
            && caller.actor.name != hunter
            && stream_of(&caller.actor.name).is_ok_and(|own| caller.acts_as(&own, &caller.actor.name).is_ok())
    });
    if other.is_none() || log.private {
        return html! {};
    }
    let reasons = reasons(app, rulebook);
    let options: Vec<(&str, &str)> =
        reasons.iter().map(|(code, name)| (code.as_str(), name.as_str())).collect();
    let fields = html! {
        (choice("report", "reason", "What seems wrong", &options, ""))
        (FormField::text("text", "In your own words").help("Judges read it; the hunter does not learn who you are").show("report"))
        button { "Report it" }
    };
    html! {
        details class="dialog" id="report" {
            summary class="button second" { "Report this log" }
            p { "A judge looks at it. Until then nobody is said to have done anything wrong." }
            (parts::form(context, &format!("/hunters/{hunter}/logs/{}", log.quest), &fields))
        }
    }
}

/// Report reasons of the log's rulebook: code and label.
fn reasons(app: &App, rulebook: &str) -> Vec<(String, String)> {
    let book = app.courts.rulebook("quest", rulebook).or_else(|| app.courts.default_rulebook("quest"));
    let read = book.and_then(|book| Rulebook::<QuestRules>::read("quest", rulebook, &book.text).ok());
    let reasons = read.iter().flat_map(|book| book.rules.report_reasons());
    reasons.map(|reason| (reason.to_string(), words::reason(reason))).collect()
}
