//! Boards over HTTP.

use assize_kernel::Row;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::App;
use super::address::Address;
use super::contests::stream_of;
use super::document::Unknown;
use super::problem::Problem;
use super::shapes::{self, Id};

/// The most lines one answer has.
const PAGE: usize = 1_000;

/// Which lines of which board.
#[derive(Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Page {
    /// Of one task only.
    #[param(value_type = Option<Id>)]
    task: Option<String>,
    /// How many lines to leave out.
    #[param(value_type = Option<u64>)]
    offset: usize,
    /// How many lines at most; 100 otherwise, and never more than 1000.
    #[param(value_type = Option<u64>)]
    limit: Option<usize>,
}

/// A page of a board, best first.
#[derive(Serialize, ToSchema)]
pub(super) struct BoardPage {
    /// The board's name: the contest's stream, and the task where it is one task's.
    board: String,
    /// The ledger position this board has reached.
    position: u64,
    /// How many there are on the whole board.
    participants: usize,
    #[schema(value_type = Vec<shapes::Row>)]
    rows: Vec<Row>,
}

/// A page of a contest's board, best first.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}/board", tag = "boards",
    params(("contest" = Id, Path, description = "The contest"), Page),
    responses((status = 200, description = "A page of the board", body = BoardPage), Unknown)
)]
pub(super) async fn read_board(
    State(app): State<App>,
    Address(contest): Address<String>,
    parameters: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Json<BoardPage>, Problem> {
    let page = parameters.map_or_else(|_| Err(unreadable("it is no list of `name=value`")), Page::read)?;
    let stream = stream_of(&contest)?;
    let board = page.task.map_or_else(|| stream.to_string(), |task| format!("{stream}/{task}"));
    let views = app.clerk.views();
    let found =
        views.board(&board).ok_or_else(|| Problem::not_found(format!("there is no board `{board}`")))?;
    let rows = found.rows(page.offset, page.limit.unwrap_or(100).min(PAGE)).collect();
    Ok(Json(BoardPage { position: views.position(), participants: found.len(), rows, board }))
}

impl Page {
    fn read(Query(parameters): Query<Vec<(String, String)>>) -> Result<Self, Problem> {
        let mut page = Self::default();
        for (name, value) in parameters {
            match name.as_str() {
                "task" => page.task = Some(value),
                "offset" => page.offset = whole(&name, &value)?,
                "limit" => page.limit = Some(whole(&name, &value)?),
                _ => {
                    let known = "there are `task`, `offset` and `limit`";
                    return Err(unreadable(&format!("`{name}` is not known; {known}")));
                }
            }
        }
        Ok(page)
    }
}

fn whole(name: &str, value: &str) -> Result<usize, Problem> {
    value.parse().map_err(|_| unreadable(&format!("`{name}` must be a whole number, is `{value}`")))
}

fn unreadable(problem: &str) -> Problem {
    Problem::malformed(format!("the query cannot be read: {problem}"))
}
