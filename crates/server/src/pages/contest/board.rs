//! Public contest board: clocks, hints, standings by task, score chart and event feed.

use assize_courts::contest::ContestState;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use super::standings::{TaskResult, TeamRow, lines, over_time};
use super::{ContestPage, clock, feed};
use crate::http::App;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::query::{Named, truth};
use crate::pages::chart;
use crate::pages::guest::PageContext;
use crate::pages::layout::HtmlPage;
use crate::pages::parts::{count, empty, points, scrolling, taken_text};

/// The board as the public sees it; judges may look behind a freeze with `all=true`.
pub(crate) async fn read_board(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    context: PageContext,
    parameters: Named,
) -> Result<Response, Problem> {
    let [all] = parameters.take(["all"])?;
    let all = all.map(|all| truth("all", &all)).transpose()?.unwrap_or(false);
    let seen = ContestPage::of(&app, &contest).await?;
    let judges = context.caller.as_ref().is_some_and(|caller| caller.judges(&seen.stream));
    let behind = all && judges;
    let lines = lines(&app, &seen, behind);
    let why = CellLinks::of(&app, &seen, &context, behind).await?;
    let news = feed::news(&app, &seen).await?;
    let content = html! {
        (seen.tabs(&context, ""))
        div class="top" {
            div {
                h1 { (seen.view.name) }
                p class="lead" data-live="lead" { (lead(&seen)) }
            }
            div data-live="clock" { (clock::clocks(&seen)) }
        }
        div data-live="banner" { (banner(&seen, judges, behind)) }
        div data-live="hints" { (clock::hints(&seen)) }
        div class="halves" {
            section aria-labelledby="standings" {
                h2 id="standings" { "Standings" }
                div data-live="grid" { (grid(&seen, &lines, &why)) }
                div data-live="chart" { (progress(&seen, &lines)) }
            }
            section aria-labelledby="happening" {
                h2 id="happening" { "What happens" }
                button class="plain sound" type="button" data-sound aria-pressed="false" hidden { "Sound off" }
                p class="hidden" role="status" data-live="latest" { (feed::latest(&seen, &news)) }
                div data-live="feed" { (feed::feed(&seen, &news)) }
            }
        }
    };
    let page = HtmlPage::new(&context, &seen.view.name).wide().follows(seen.topics(), seen.now);
    Ok(page.show(&content))
}

fn lead(seen: &ContestPage) -> Markup {
    let teams = seen.view.teams.len();
    let tasks = seen.view.tasks.len();
    let over = seen.view.tasks.iter().filter(|task| task.round.as_ref().is_some_and(|round| !round.running));
    html! {
        (count(teams, "team", "teams")) ", " (count(tasks, "task", "tasks"))
        @if tasks > 0 { ", " (over.count()) " over" }
        @if let Some(rulebook) = &seen.view.rulebook { " · " (rulebook.name) " rules" }
    }
}

fn banner(seen: &ContestPage, judges: bool, behind: bool) -> Markup {
    html! {
        @if behind {
            div class="note" { p { "You see behind the freeze. " a href=(seen.place("")) { "See what the hall sees" } "." } }
        } @else if seen.view.frozen {
            div class="note" {
                p {
                    strong { "The board is frozen." } " Answers are still judged; what came of them is shown later."
                    @if judges { " " a href=(seen.place("?all=true")) { "Look behind it" } "." }
                }
            }
        }
    }
}

/// Links from cells to the records of their verdicts, for callers who may read them.
pub(super) struct CellLinks {
    places: Vec<(String, String, u64)>,
    own: Option<String>,
}

impl CellLinks {
    pub(super) async fn of(
        app: &App,
        seen: &ContestPage,
        context: &PageContext,
        behind: bool,
    ) -> Result<Self, Problem> {
        let judge = context.caller.as_ref().is_some_and(|caller| caller.judges(&seen.stream));
        let own =
            context.caller.as_ref().filter(|caller| caller.actor.role == assize_kernel::Role::Participant);
        let own = own.filter(|caller| caller.scope.covers(seen.stream.as_str()));
        let own = own.map(|caller| caller.actor.name.clone());
        // A frozen board does not link to verdicts that it does not show.
        if (!judge && own.is_none()) || (seen.view.frozen && !behind) {
            return Ok(Self { places: Vec::new(), own });
        }
        let whose = own.clone();
        let look = move |state: &ContestState| {
            let rounds = state.tasks().filter_map(|(name, task)| Some((name, task.round.as_ref()?)));
            let best = rounds.flat_map(|(task, round)| {
                let scored =
                    round.attempts.iter().filter_map(|(team, each)| Some((team, each.best?.position)));
                scored.map(move |(team, position)| (task.to_owned(), team.to_string(), position))
            });
            best.filter(|(_, team, _)| judge || whose.as_deref() == Some(team.as_str())).collect()
        };
        Ok(Self { places: app.clerk.inspect(seen.stream.clone(), look).await?, own })
    }

    fn record(&self, task: &str, team: &str) -> Option<u64> {
        let found = self.places.iter().find(|(of, by, _)| of == task && by == team);
        found.map(|(_, _, position)| *position)
    }
}

pub(super) fn grid(seen: &ContestPage, lines: &[TeamRow], why: &CellLinks) -> Markup {
    if lines.is_empty() {
        return empty(
            "No team has registered yet.",
            &html! { "The organiser registers teams under Set-up; they then appear here." },
        );
    }
    let best = |task: usize| {
        let scores = lines.iter().filter_map(|line| match line.cells.get(task) {
            Some(TaskResult::Scored { points, .. }) => Some(*points),
            _ => None,
        });
        scores.fold(0.0_f64, f64::max)
    };
    let table = html! {
        table class="grid" {
            thead {
                tr {
                    th scope="col" class="rank" { span aria-hidden="true" { "#" } span class="hidden" { "Rank" } }
                    th scope="col" { "Team" }
                    th scope="col" class="number" { "Score" }
                    th scope="col" class="number" { "Time" }
                    @for task in &seen.view.tasks {
                        @let now = task.round.as_ref().is_some_and(|round| round.running);
                        th scope="col" class=(if now { "cell now" } else { "cell" }) { (task.task) }
                    }
                }
            }
            tbody {
                @for line in lines {
                    @let own = why.own.as_deref() == Some(&line.team);
                    tr data-key=(line.team) data-value=(line.points) class=[own.then_some("own")] {
                        td class="rank number" { (line.rank) }
                        th scope="row" class="team" {
                            a href=(seen.place(&format!("/teams/{}", line.team))) { (seen.team_name(&line.team)) }
                        }
                        td class="number total" { (points(line.points)) }
                        td class="number soft" { (line.time.map(taken_text).unwrap_or_default()) }
                        @for (place, (task, cell)) in seen.view.tasks.iter().zip(&line.cells).enumerate() {
                            @let best = Some(best(place)).filter(|_| !task.rehearsal);
                            (shown(*cell, best, why.record(&task.task, &line.team)))
                        }
                    }
                }
            }
        }
    };
    scrolling("Standings", &table)
}

/// `best` is none in a rehearsal, which has no scores.
fn shown(cell: TaskResult, best: Option<f64>, record: Option<u64>) -> Markup {
    match cell {
        TaskResult::Nothing => html! { td class="cell" { span class="hidden" { "nothing yet" } } },
        TaskResult::Tried => {
            html! { td class="cell" { span aria-hidden="true" { "·" } span class="hidden" { "tried" } } }
        }
        TaskResult::Scored { points: earned, elapsed_ms } => html! {
            @let class = if best.is_some_and(|best| earned >= best) { "cell scored best" } else { "cell scored" };
            @let text = if best.is_some() { points(earned) } else { "right".to_owned() };
            td class=(class) title=(format!("after {}", taken_text(elapsed_ms))) {
                @match record {
                    Some(record) => { a href=(format!("/records/{record}")) { (text) } }
                    None => { (text) }
                }
            }
        },
    }
}

fn progress(seen: &ContestPage, lines: &[TeamRow]) -> Markup {
    html! {
        @if let Some((lines, begin, end)) = over_time(seen, lines) {
            h2 { "How it came to be" }
            (chart::over_time("Score over time, the first six", &lines, begin, end))
        }
    }
}
