//! Team page: how the score adds up, for everybody; submissions and a submit form, for the team itself.

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::{Value, json};

use assize_courts::contest::{TaskType, TaskView};
use assize_kernel::Role;

use super::attempts::{self, attempts};
use super::standings::{TaskResult, TeamRow, lines};
use super::{ContestPage, clock};
use crate::http::App;
use crate::http::contest::contests;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::pages::chart;
use crate::pages::form::SubmittedForm;
use crate::pages::go_to;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{self, FormField, empty, heads, hidden, points, scrolling, taken_text};

/// Shows a team's page.
pub(crate) async fn read_team(
    State(app): State<App>,
    PathParams((contest, team)): PathParams<(String, String)>,
    context: PageContext,
) -> Result<Response, Problem> {
    show(&app, &contest, &team, &context, &FormOutcome::Nothing).await
}

/// Submits an answer through the API handler.
pub(crate) async fn post_answer(
    State(app): State<App>,
    PathParams((contest, team)): PathParams<(String, String)>,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    match submit(&app, &contest, &team, &form).await {
        Ok(()) => go_to(&format!("/contests/{contest}/teams/{team}")),
        Err(problem) => show(&app, &contest, &team, &form.context, &FormOutcome::Problem(problem)).await,
    }
}

async fn submit(app: &App, contest: &str, team: &str, form: &SubmittedForm) -> Result<(), Problem> {
    let task = PathParams((contest.to_owned(), form.text("task").to_owned()));
    let answers = if form.text("video").is_empty() && form.text("moments").is_empty() {
        json!([{ "text": form.text("text").trim() }])
    } else {
        moments(form.text("video").trim(), form.text("moments"))
    };
    let input = form.input(json!({ "team_id": team, "answerSets": [{ "answers": answers }] }))?;
    contests::submit_answer(State(app.clone()), task, form.caller()?, input).await.map(drop)
}

/// Parses `4890, 5000-5020` into the answers that a tool would send. The court validates the numbers.
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
    contest: &str,
    team: &str,
    context: &PageContext,
    said: &FormOutcome,
) -> Result<Response, Problem> {
    let seen = ContestPage::of(app, contest).await?;
    let known = seen.view.teams.iter().any(|known| known.team == team);
    if !known {
        return Err(Problem::not_found(format!("there is no team `{team}` in `{contest}`")));
    }
    let caller = context.caller.as_ref().filter(|caller| caller.scope.covers(seen.stream.as_str()));
    let own =
        caller.is_some_and(|caller| caller.actor.role == Role::Participant && caller.actor.name == team);
    let judges = context.caller.as_ref().is_some_and(|caller| caller.judges(&seen.stream));
    let lines = lines(app, &seen, false);
    let line = lines.iter().find(|line| line.team == team);
    let found = match &context.caller {
        Some(caller) if own || judges => Some(attempts(app, &seen, caller, team).await?),
        _ => None,
    };
    let content = html! {
        (seen.tabs(context, &format!("/teams/{team}")))
        div class="top" {
            div {
                h1 { (seen.team_name(team)) }
                p class="lead" data-live="lead" { (lead(&seen, line)) }
            }
            div data-live="clock" { (clock::clocks(&seen)) }
        }
        @if own { div data-live="submit" { (submitting(&seen, context, team)) } }
        @if let Some(found) = &found {
            h2 { @if own { "Your submissions" } @else { "Submissions" } }
            div data-live="attempts" { (attempts::list(found, own)) }
        }
        h2 { "How the score adds up" }
        div data-live="sum" { (sum(&seen, line)) }
    };
    let page = HtmlPage::new(context, seen.team_name(team)).at(seen.place(&format!("/teams/{team}")));
    Ok(page.follows(seen.topics(), seen.now).saying(said).show(&content))
}

fn lead(seen: &ContestPage, line: Option<&TeamRow>) -> Markup {
    html! {
        @if let Some(line) = line {
            "Rank " strong { (line.rank) } " with " strong { (points(line.points)) } " points in "
        }
        a href=(seen.place("")) { (seen.view.name) }
        @if seen.view.frozen { ", as of when the board was frozen" }
    }
}

/// Table of the points by task; the same for everybody.
fn sum(seen: &ContestPage, line: Option<&TeamRow>) -> Markup {
    let Some(line) = line else { return html! {} };
    let scored = seen.view.tasks.iter().zip(&line.cells).filter(|(_, cell)| **cell != TaskResult::Nothing);
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
                            TaskResult::Scored { points: earned, elapsed_ms } => {
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

fn bars(seen: &ContestPage, line: &TeamRow) -> Markup {
    let scored = seen.view.tasks.iter().zip(&line.cells).filter(|(task, _)| !task.rehearsal);
    let scored = scored.filter_map(|(task, cell)| match cell {
        TaskResult::Scored { points, .. } => Some((task.task.to_string(), *points)),
        _ => None,
    });
    let steps: Vec<_> = scored.chain([("sum".to_owned(), line.points)]).collect();
    chart::steps("Points of each task, and their sum", &steps)
}

fn submitting(seen: &ContestPage, context: &PageContext, team: &str) -> Markup {
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
                (submit_form(seen, context, team, task))
            }
        }
    }
}

fn submit_form(seen: &ContestPage, context: &PageContext, team: &str, task: &TaskView) -> Markup {
    let within = format!("answer-{}", task.task);
    let fields = html! {
        (hidden("task", &task.task))
        @if task.task_type == TaskType::Kis {
            div class="fields" {
                (FormField::text("video", "Video").required().show(&within))
                (FormField::text("moments", "Moments").help("Milliseconds: 4890, or several: 4890, 5000-5020").required().show(&within))
            }
        } @else {
            (FormField::text("text", "Answer").help(&format!("Write it as {}", task.task_type.form())).required().show(&within))
        }
        button { "Submit" }
    };
    parts::form(context, &seen.place(&format!("/teams/{team}")), &fields)
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
