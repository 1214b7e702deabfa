//! Judges' queue: take the next waiting answer and decide it.

use assize_courts::contest::{ContestState, HeldAnswer, QueueView};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use super::ContestPage;
use super::attempts::written;
use crate::http::App;
use crate::http::contest::judging;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::query::{Pagination, QueryParams};
use crate::pages::form::SubmittedForm;
use crate::pages::go_to;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{self, choice, count, empty, heads, hidden, moment, scrolling};

/// Shows the queue, with the answer that the judge holds.
pub(crate) async fn read_queue(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    context: PageContext,
) -> Result<Response, Problem> {
    show(&app, &contest, &context, &FormOutcome::Nothing).await
}

/// Runs the action in the form's `do` field through its API handler.
pub(crate) async fn post_queue(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    match act(&app, &contest, &form).await {
        Ok(()) => go_to(&format!("/contests/{contest}/queue")),
        Err(problem) => show(&app, &contest, &form.context, &FormOutcome::Problem(problem)).await,
    }
}

async fn act(app: &App, contest: &str, form: &SubmittedForm) -> Result<(), Problem> {
    let state = State(app.clone());
    let caller = form.caller()?;
    let answer = PathParams((contest.to_owned(), form.text("answer").to_owned()));
    match form.text("do") {
        "take" => judging::take_answer(state, PathParams(contest.to_owned()), caller, form.input(json!({}))?)
            .await
            .map(drop),
        "renew" => judging::renew_answer(state, answer, caller, form.input(json!({}))?).await.map(drop),
        "give-back" => {
            judging::give_back_answer(state, answer, caller, form.input(json!({}))?).await.map(drop)
        }
        "decide" => {
            let body = json!({ "outcome": form.text("outcome"), "note": form.optional("note") });
            judging::decide_answer(state, answer, caller, form.input(body)?).await.map(drop)
        }
        other => Err(Problem::malformed(format!("`{other}` is nothing that can be done here"))),
    }
}

async fn show(
    app: &App,
    contest: &str,
    context: &PageContext,
    said: &FormOutcome,
) -> Result<Response, Problem> {
    let caller = context.require_caller()?.clone();
    let me = caller.actor.to_string();
    let window = QueryParams(Pagination::default());
    let Json(queue) =
        judging::read_queue(State(app.clone()), PathParams(contest.to_owned()), window, caller).await?;
    let seen = ContestPage::of(app, contest).await?;
    let mine = queue.answers.iter().find(|queued| queued.held_by.as_deref() == Some(me.as_str()));
    let held = match mine.map(|queued| queued.answer) {
        Some(number) => {
            let now = seen.now;
            let look = move |state: &ContestState| state.held(number, now);
            app.clerk.inspect(seen.stream.clone(), look).await?
        }
        None => None,
    };
    let content = html! {
        (seen.tabs(context, "/queue"))
        h1 { "Judging" }
        p class="lead" data-live="count" {
            (count(queue.total, "answer waits", "answers wait")) ", " (queue.held) " of them with a judge"
        }
        div data-live="desk" {
            @match &held {
                Some(held) => (deciding(&seen, context, held)),
                None => (taking(&seen, context, &queue)),
            }
        }
        h2 { "All that wait" }
        div data-live="queue" { (waiting(&queue)) }
    };
    let page = HtmlPage::new(context, format!("Judging · {}", seen.view.name)).at(seen.place("/queue"));
    Ok(page.follows(seen.topics(), seen.now).saying(said).show(&content))
}

fn taking(seen: &ContestPage, context: &PageContext, queue: &QueueView) -> Markup {
    if queue.total == 0 {
        return empty(
            "Nothing waits.",
            &html! { "Answers to tasks without a ground truth come here by themselves." },
        );
    }
    let fields = html! { (hidden("do", "take")) button { "Take the next answer" } };
    parts::form(context, &seen.place("/queue"), &fields)
}

/// The decision form. It does not name the team, so that judging is anonymous.
fn deciding(seen: &ContestPage, context: &PageContext, held: &HeldAnswer) -> Markup {
    let number = held.about.answer.to_string();
    let outcomes = [
        ("full", "Right"),
        ("partial", "Partly right"),
        ("incorrect", "Wrong"),
        ("undecided", "Nobody can decide it"),
    ];
    let decide = html! {
        (hidden("do", "decide")) (hidden("answer", &number))
        div class="fields" {
            (choice("decide", "outcome", "It is", &outcomes, "incorrect"))
            (parts::FormField::text("note", "Why").help("The team reads it; needed where nobody can decide").show("decide"))
        }
        button { "Decide" }
    };
    let small = |act: &str, name: &str| {
        let fields =
            html! { (hidden("do", act)) (hidden("answer", &number)) button class="second" { (name) } };
        parts::inline_form(context, &seen.place("/queue"), &fields)
    };
    html! {
        div class="card" {
            h3 { "Answer " (number) " to " (held.about.task) " (" (held.about.task_type.as_str()) ")" }
            p class="lead" { code { (written(&held.answers)) } }
            dl class="facts" {
                @if let Some(video) = &held.video_id { dt { "Video in mind" } dd { (video) } }
                @if let Some(scene) = &held.scene_id { dt { "Scene" } dd { (scene) } }
                @if let Some(text) = &held.answer_text { dt { "Answer in mind" } dd { (text) } }
                dt { "Received" } dd { (moment(held.about.received_at)) }
                @if let Some(until) = held.about.held_until { dt { "Yours until" } dd { (moment(until)) } }
            }
            (parts::form(context, &seen.place("/queue"), &decide))
            (small("renew", "Hold it for longer")) (small("give-back", "Give it back"))
        }
    }
}

fn waiting(queue: &QueueView) -> Markup {
    if queue.answers.is_empty() {
        return html! { p class="soft" { "Nothing." } };
    }
    let table = html! {
        table {
            (heads(&["#Answer", "Task", "Received", "With"]))
            tbody {
                @for queued in &queue.answers {
                    tr {
                        td class="number" { (queued.answer) }
                        td { (queued.task) }
                        td { (moment(queued.received_at)) }
                        td { (queued.held_by.as_deref().unwrap_or("nobody")) }
                    }
                }
            }
        }
    };
    scrolling("All that wait", &table)
}
