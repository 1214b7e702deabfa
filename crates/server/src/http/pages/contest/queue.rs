//! The judges' queue: take the next answer, look at it, say how right it is.

use assize_courts::contest::{ContestState, Held, QueueView};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use super::Seen;
use super::attempts::written;
use crate::http::address::Address;
use crate::http::pages::form::Form;
use crate::http::pages::go_to;
use crate::http::pages::guest::Guest;
use crate::http::pages::layout::{Page, Said};
use crate::http::pages::parts::{self, choice, count, empty, heads, hidden, moment, scrolling};
use crate::http::problem::Problem;
use crate::http::query::{Asked, Window};
use crate::http::{App, judging};

/// The queue, and what the judge who looks holds.
pub(in crate::http) async fn read_queue(
    State(app): State<App>,
    Address(contest): Address<String>,
    guest: Guest,
) -> Result<Response, Problem> {
    show(&app, &contest, &guest, &Said::Nothing).await
}

/// Does what the form's `do` says, by the API's own function.
pub(in crate::http) async fn post_queue(
    State(app): State<App>,
    Address(contest): Address<String>,
    form: Form,
) -> Result<Response, Problem> {
    match act(&app, &contest, &form).await {
        Ok(()) => go_to(&format!("/contests/{contest}/queue")),
        Err(problem) => show(&app, &contest, &form.guest, &Said::Problem(problem)).await,
    }
}

async fn act(app: &App, contest: &str, form: &Form) -> Result<(), Problem> {
    let (state, caller) = (State(app.clone()), form.caller()?);
    let answer = Address((contest.to_owned(), form.text("answer").to_owned()));
    match form.text("do") {
        "take" => judging::take_answer(state, Address(contest.to_owned()), caller, form.input(json!({}))?)
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

async fn show(app: &App, contest: &str, guest: &Guest, said: &Said) -> Result<Response, Problem> {
    let caller = guest.must_be_known()?.clone();
    let me = caller.actor.to_string();
    let window = Asked(Window::default());
    let Json(queue) =
        judging::read_queue(State(app.clone()), Address(contest.to_owned()), window, caller).await?;
    let seen = Seen::of(app, contest).await?;
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
        (seen.tabs(guest, "/queue"))
        h1 { "Judging" }
        p class="lead" data-live="count" {
            (count(queue.total, "answer waits", "answers wait")) ", " (queue.held) " of them with a judge"
        }
        div data-live="desk" {
            @match &held {
                Some(held) => (deciding(&seen, guest, held)),
                None => (taking(&seen, guest, &queue)),
            }
        }
        h2 { "All that wait" }
        div data-live="queue" { (waiting(&queue)) }
    };
    let page = Page::new(guest, format!("Judging · {}", seen.view.name)).at(seen.place("/queue"));
    Ok(page.follows(seen.topics(), seen.now).saying(said).show(&content))
}

fn taking(seen: &Seen, guest: &Guest, queue: &QueueView) -> Markup {
    if queue.total == 0 {
        return empty(
            "Nothing waits.",
            &html! { "Answers to tasks without a ground truth come here by themselves." },
        );
    }
    let fields = html! { (hidden("do", "take")) button { "Take the next answer" } };
    parts::form(guest, &seen.place("/queue"), &fields)
}

/// Whose it is stays out of sight: a judge need not know.
fn deciding(seen: &Seen, guest: &Guest, held: &Held) -> Markup {
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
            (parts::Field::text("note", "Why").help("The team reads it; needed where nobody can decide").show("decide"))
        }
        button { "Decide" }
    };
    let small = |act: &str, name: &str| {
        let fields =
            html! { (hidden("do", act)) (hidden("answer", &number)) button class="second" { (name) } };
        parts::inline_form(guest, &seen.place("/queue"), &fields)
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
            (parts::form(guest, &seen.place("/queue"), &decide))
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
