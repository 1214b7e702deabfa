//! Who stands where, and what each team has to show on each task: from the boards that the API serves.

use std::collections::BTreeMap;

use assize_kernel::{BoardName, Row, SmolStr};

use super::Seen;
use crate::BoardView;
use crate::http::App;
use crate::http::pages::chart::Line;

/// The most teams a page shows.
const MOST: usize = 500;

/// A team's line.
pub(super) struct TeamLine {
    pub(super) team: SmolStr,
    pub(super) rank: usize,
    pub(super) points: f64,
    /// The sum of times; none without a score.
    pub(super) time: Option<i64>,
    /// What it has to show on each task, in the order of the programme.
    pub(super) cells: Vec<Cell>,
}

/// What a team has to show on a task.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    Nothing,
    Tried,
    Scored { points: f64, elapsed_ms: i64 },
}

/// The board with its grid: as the public sees it, or as it is.
pub(super) fn lines(app: &App, seen: &Seen, behind: bool) -> Vec<TeamLine> {
    let views = app.clerk.views();
    let rows = |name: BoardName| -> Vec<Row> {
        let found = if behind { views.board_view(&name.to_string()) } else { views.public_board(&name) };
        found.map(BoardView::board).map(|board| board.rows(0, MOST).collect()).unwrap_or_default()
    };
    let whole = BoardName::of(&seen.stream);
    let tasks: Vec<BTreeMap<SmolStr, Cell>> = seen
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
    let line = |row: Row| TeamLine {
        cells: tasks
            .iter()
            .map(|task| task.get(&row.participant).copied().unwrap_or(Cell::Nothing))
            .collect(),
        time: (row.standing.ties[0] == 0).then_some(row.standing.ties[1]),
        rank: row.rank,
        points: row.standing.points,
        team: row.participant,
    };
    rows(whole).into_iter().map(line).collect()
}

fn cell(row: &Row) -> Cell {
    match row.standing.ties {
        [0, elapsed_ms] => Cell::Scored { points: row.standing.points, elapsed_ms },
        _ => Cell::Tried,
    }
}

/// How the first few came to what they have: each scored when its task had run for so long.
pub(super) fn over_time(seen: &Seen, lines: &[TeamLine]) -> Option<(Vec<Line>, i64, i64)> {
    let rounds = || seen.view.tasks.iter().map(|task| task.round.as_ref().filter(|_| !task.rehearsal));
    let begin = rounds().flatten().map(|round| round.started_at.as_millis()).min()?;
    let ends = rounds().flatten().map(|round| round.closed_at.unwrap_or(seen.now).as_millis());
    let end = ends.max()?.max(begin + 1);
    let scored = lines.iter().filter(|line| line.points > 0.0);
    let first = scored.take(6).map(|line| {
        let steps = line.cells.iter().zip(rounds()).filter_map(|(cell, round)| match (cell, round) {
            (Cell::Scored { points, elapsed_ms }, Some(round)) => {
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
        Line { name: seen.team_name(&line.team).to_owned(), steps }
    });
    let lines: Vec<Line> = first.collect();
    lines.iter().any(|line| !line.steps.is_empty()).then_some((lines, begin, end))
}
