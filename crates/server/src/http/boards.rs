//! Boards over HTTP.

use assize_kernel::Row;
use axum::Json;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};

use super::App;
use super::contests::stream_of;
use super::problem::Problem;

/// The most lines one answer has.
const PAGE: usize = 1_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    /// Of one task only.
    task: Option<String>,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

#[derive(Serialize)]
pub(super) struct BoardPage {
    board: String,
    /// The ledger position this board has reached.
    position: u64,
    participants: usize,
    rows: Vec<Row>,
}

/// A page of a contest's board, best first.
pub(super) async fn read_board(
    State(app): State<App>,
    Path(contest): Path<String>,
    page: Result<Query<Page>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<BoardPage>, Problem> {
    let Query(page) = page.map_err(|error| Problem::malformed(error.body_text()))?;
    let stream = stream_of(&contest)?;
    let board = page.task.map_or_else(|| stream.to_string(), |task| format!("{stream}/{task}"));
    let views = app.clerk.views();
    let found =
        views.board(&board).ok_or_else(|| Problem::not_found(format!("there is no board `{board}`")))?;
    let rows = found.rows(page.offset, page.limit.unwrap_or(100).min(PAGE)).collect();
    Ok(Json(BoardPage { position: views.position(), participants: found.len(), rows, board }))
}
