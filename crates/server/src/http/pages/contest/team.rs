//! A team's page: how its score adds up for everybody; for the team itself its submissions, and a form for the next.

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::{Value, json};

use assize_courts::contest::{TaskType, TaskView};
use assize_kernel::Role;

use super::attempts::{self, attempts};
use super::standings::{Cell, TeamLine, lines};
use super::{Seen, clock};
use crate::http::address::Address;
use crate::http::pages::chart;
use crate::http::pages::form::Form;
use crate::http::pages::go_to;
use crate::http::pages::guest::Guest;
use crate::http::pages::layout::{Page, Said};
use crate::http::pages::parts::{self, Field, empty, heads, hidden, points, scrolling, taken_text};
use crate::http::problem::Problem;
use crate::http::{App, contests};

/// A team's page.
pub(in crate::http) async fn read_team(
    State(app): State<App>,
    Address((contest, team)): Address<(String, String)>,
    guest: Guest,
) -> Result<Response, Problem> {
    show(&app, (&contest, &team), &guest, &Said::Nothing).await
}

/// Submits an answer, by the API's own function.
pub(in crate::http) async fn post_answer(
    State(app): State<App>,
    Address((contest, team)): Address<(String, String)>,
    form: Form,
) -> Result<Response, Problem> {
    match submit(&app, (&contest, &team), &form).await {
        Ok(()) => go_to(&format!("/contests/{contest}/teams/{team}")),
        Err(problem) => show(&app, (&contest, &team), &form.guest, &Said::Problem(problem)).await,
    }
}

async fn submit(app: &App, (contest, team): (&str, &str), form: &Form) -> Result<(), Problem> {
    let task = Address((contest.to_owned(), form.text("task").to_owned()));
    let answers = if form.text("video").is_empty() && form.text("moments").is_empty() {
        json!([{ "text": form.text("text").trim() }])
    } else {
        moments(form.text("video").trim(), form.text("moments"))
    };
    let input = form.input(json!({ "team_id": team, "answerSets": [{ "answers": answers }] }))?;
    contests::submit_answer(State(app.clone()), task, form.caller()?, input).await.map(drop)
}

/// `4890, 5000-5020` as the answers that a tool would send. Whether they are numbers is the court's to say.
fn moments(video: &str, text: &str) -> Value {
    let parts = text.split([',', ';', ' ', '\n', '\r']).filter(|part| !part.is_empty());
    let answer = |part: &str| match part.split_once('-') {
        Some((start, end)) => json!({ "mediaItemName": video, "start": start, "end": end }),
        None => json!({ "mediaItemName": video, "start": part }),
    };
    parts.map(answer).collect()
}

async fn show(
    app: &App,
    (contest, team): (&str, &str),
    guest: &Guest,
    said: &Said,
) -> Result<Response, Problem> {
    let seen = Seen::of(app, contest).await?;
    let known = seen.view.teams.iter().any(|known| known.team == team);
    if !known {
        return Err(Problem::not_found(format!("there is no team `{team}` in `{contest}`")));
    }
    let caller = guest.caller.as_ref().filter(|caller| caller.scope.covers(seen.stream.as_str()));
    let own =
        caller.is_some_and(|caller| caller.actor.role == Role::Participant && caller.actor.name == team);
    let judges = guest.caller.as_ref().is_some_and(|caller| caller.judges(&seen.stream));
    let lines = lines(app, &seen, false);
    let line = lines.iter().find(|line| line.team == team);
    let found = match &guest.caller {
        Some(caller) if own || judges => Some(attempts(app, &seen, caller, team).await?),
        _ => None,
    };
    let content = html! {
        (seen.tabs(guest, &format!("/teams/{team}")))
        div class="top" {
            div {
                h1 { (seen.team_name(team)) }
                p class="lead" data-live="lead" { (lead(&seen, line)) }
            }
            div data-live="clock" { (clock::clocks(&seen)) }
        }
        @if own { div data-live="submit" { (submitting(&seen, guest, team)) } }
        @if let Some(found) = &found {
            h2 { @if own { "Your submissions" } @else { "Submissions" } }
            div data-live="attempts" { (attempts::list(found, own)) }
        }
        h2 { "How the score adds up" }
        div data-live="sum" { (sum(&seen, line)) }
    };
    let page = Page::new(guest, seen.team_name(team)).at(seen.place(&format!("/teams/{team}")));
    Ok(page.follows(seen.topics(), seen.now).saying(said).show(&content))
}

fn lead(seen: &Seen, line: Option<&TeamLine>) -> Markup {
    html! {
        @if let Some(line) = line {
            "Rank " strong { (line.rank) } " with " strong { (points(line.points)) } " points in "
        }
        a href=(seen.place("")) { (seen.view.name) }
        @if seen.view.frozen { ", as of when the board was frozen" }
    }
}

/// Every task with what it adds; the same for everybody.
fn sum(seen: &Seen, line: Option<&TeamLine>) -> Markup {
    let Some(line) = line else { return html! {} };
    let scored = seen.view.tasks.iter().zip(&line.cells).filter(|(_, cell)| **cell != Cell::Nothing);
    let scored: Vec<_> = scored.collect();
    if scored.is_empty() {
        return empty(
            "Nothing yet.",
            &html! { "Every right answer adds its points, and its time for ties." },
        );
    }
    let table = html! {
        table {
            (heads(&["Task", "Type", "#Points", "#After"]))
            tbody {
                @for (task, cell) in scored {
                    tr {
                        th scope="row" { (task.task) @if task.rehearsal { " " span class="badge" { "rehearsal, counts nothing" } } }
                        td { (task.task_type.as_str()) }
                        @match cell {
                            Cell::Scored { points: earned, elapsed_ms } => {
                                td class="number" { (points(*earned)) } td class="number" { (taken_text(*elapsed_ms)) }
                            }
                            _ => { td class="number soft" { "tried" } td {} }
                        }
                    }
                }
            }
            tfoot { tr {
                th scope="row" colspan="2" { "Sum" }
                td class="number" { strong { (points(line.points)) } }
                td class="number" { (line.time.map(taken_text).unwrap_or_default()) }
            } }
        }
    };
    html! { (scrolling("How the score adds up", &table)) (bars(seen, line)) }
}

fn bars(seen: &Seen, line: &TeamLine) -> Markup {
    let scored = seen.view.tasks.iter().zip(&line.cells).filter(|(task, _)| !task.rehearsal);
    let scored = scored.filter_map(|(task, cell)| match cell {
        Cell::Scored { points, .. } => Some((task.task.to_string(), *points)),
        _ => None,
    });
    let steps: Vec<_> = scored.chain([("sum".to_owned(), line.points)]).collect();
    chart::steps("Points of each task, and their sum", &steps)
}

fn submitting(seen: &Seen, guest: &Guest, team: &str) -> Markup {
    let running: Vec<_> = clock::running(seen).collect();
    if running.is_empty() {
        return empty(
            "No task is running.",
            &html! { "When one is started, the form to submit appears here by itself." },
        );
    }
    html! {
        @for (task, round) in running {
            section aria-labelledby=(format!("submit-{}", task.task)) {
                h2 id=(format!("submit-{}", task.task)) { "Submit for " (task.task) }
                @for hint in &round.hints { p class="lead" { (clock::hint(hint)) } }
                (submit_form(seen, guest, team, task))
            }
        }
    }
}

fn submit_form(seen: &Seen, guest: &Guest, team: &str, task: &TaskView) -> Markup {
    let within = format!("answer-{}", task.task);
    let fields = html! {
        (hidden("task", &task.task))
        @if task.task_type == TaskType::Kis {
            div class="fields" {
                (Field::text("video", "Video").required().show(&within))
                (Field::text("moments", "Moments").help("Milliseconds: 4890, or several: 4890, 5000-5020").required().show(&within))
            }
        } @else {
            (Field::text("text", "Answer").help(&format!("Write it as {}", task.task_type.form())).required().show(&within))
        }
        button { "Submit" }
    };
    parts::form(guest, &seen.place(&format!("/teams/{team}")), &fields)
}

#[test]
fn moments_are_written_as_people_write_them() {
    let expected = json!([
        { "mediaItemName": "V1", "start": "4890" },
        { "mediaItemName": "V1", "start": "5000", "end": "5020" },
        { "mediaItemName": "V1", "start": "x" },
    ]);
    assert_eq!(moments("V1", "4890, 5000-5020\nx"), expected);
}
