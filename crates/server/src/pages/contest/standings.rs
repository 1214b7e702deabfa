//! Standings and results by task, read from the boards that the API serves.

use std::collections::BTreeMap;

use assize_courts::contest::scoring_time;
use assize_kernel::{BoardName, Row, SmolStr};

use super::ContestPage;
use crate::http::App;
use crate::pages::chart::ChartLine;
use assize_engine::BoardView;

/// Maximum number of teams on a page.
const MOST: usize = 500;

/// A team's row in the standings.
pub(super) struct TeamRow {
    pub(super) team: SmolStr,
    pub(super) rank: usize,
    pub(super) points: f64,
    /// The sum of times; none without a score.
    pub(super) time: Option<i64>,
    /// Results by task, in the order of the programme.
    pub(super) cells: Vec<TaskResult>,
}

/// A team's result on a task.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TaskResult {
    Nothing,
    Tried,
    Scored { points: f64, elapsed_ms: i64 },
}

/// Rows of the public board, or of the current one `behind` a freeze.
pub(super) fn lines(app: &App, seen: &ContestPage, behind: bool) -> Vec<TeamRow> {
    let views = app.clerk.views();
    let rows = |name: BoardName| -> Vec<Row> {
        let found = if behind { views.board_view(&name.to_string()) } else { views.public_board(&name) };
        found.map(BoardView::board).map(|board| board.rows(0, MOST).collect()).unwrap_or_default()
    };
    let whole = BoardName::of(&seen.stream);
    let tasks: Vec<BTreeMap<SmolStr, TaskResult>> = seen
        .view
        .tasks
        .iter()
        .map(|task| {
            rows(whole.clone().part(&task.task))
                .into_iter()
                .map(|row| (row.participant.clone(), cell(&row)))
                .collect()
        })
        .collect();
    let line = |row: Row| TeamRow {
        cells: tasks
            .iter()
            .map(|task| task.get(&row.participant).copied().unwrap_or(TaskResult::Nothing))
            .collect(),
        time: scoring_time(&row.standing).map(|elapsed| elapsed.0),
        rank: row.rank,
        points: row.standing.points,
        team: row.participant,
    };
    rows(whole).into_iter().map(line).collect()
}

fn cell(row: &Row) -> TaskResult {
    match scoring_time(&row.standing) {
        Some(elapsed) => TaskResult::Scored { points: row.standing.points, elapsed_ms: elapsed.0 },
        None => TaskResult::Tried,
    }
}

/// Scores over time of the first six teams, with the begin and the end of the chart.
pub(super) fn over_time(seen: &ContestPage, lines: &[TeamRow]) -> Option<(Vec<ChartLine>, i64, i64)> {
    let rounds = || seen.view.tasks.iter().map(|task| task.round.as_ref().filter(|_| !task.rehearsal));
    let begin = rounds().flatten().map(|round| round.started_at.as_millis()).min()?;
    let ends = rounds().flatten().map(|round| round.closed_at.unwrap_or(seen.now).as_millis());
    let end = ends.max()?.max(begin + 1);
    let scored = lines.iter().filter(|line| line.points > 0.0);
    let first = scored.take(6).map(|line| {
        let steps = line.cells.iter().zip(rounds()).filter_map(|(cell, round)| match (cell, round) {
            (TaskResult::Scored { points, elapsed_ms }, Some(round)) => {
                Some((round.started_at.as_millis() + elapsed_ms, *points))
            }
            _ => None,
        });
        let mut steps: Vec<(i64, f64)> = steps.collect();
        steps.sort_by_key(|(at, _)| *at);
        let mut sum = 0.0;
        for (_, points) in &mut steps {
            sum += *points;
            *points = sum;
        }
        ChartLine { name: seen.team_name(&line.team).to_owned(), steps }
    });
    let lines: Vec<ChartLine> = first.collect();
    lines.iter().any(|line| !line.steps.is_empty()).then_some((lines, begin, end))
}
