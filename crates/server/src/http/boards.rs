//! Boards over HTTP. The first page is serialized once per change and served from a cache with an `ETag`.

use assize_kernel::{BoardName, Row, check_name};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::App;
use super::caller::Caller;
use super::contest::contests::stream_of;
use super::openapi::Unknown;
use super::path::PathParams;
use super::problem::Problem;
use super::query::{FromQuery, Pagination, QueryParams, truth};
use super::schemas::Id;
use assize_engine::{BoardView, Views};

/// Response header: the ledger position up to which this process has applied records.
const POSITION: &str = "x-ledger-position";

/// Query parameters of a board.
#[derive(Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct BoardQuery {
    /// The board of this task; defaults to the board of the whole contest.
    #[param(value_type = Option<Id>)]
    task: Option<String>,
    /// Whether to show the public board, which is what callers other than organisers and judges always get;
    /// it differs while the boards are frozen.
    #[param(value_type = Option<bool>)]
    public: bool,
    #[param(ignore)]
    window: Pagination,
}

/// A page of a board, best first.
#[derive(Serialize, ToSchema)]
pub(crate) struct BoardPage<'a> {
    /// The name of the board: the stream, and the task if it is the board of one task.
    board: &'a str,
    /// The position of the record that last changed the board.
    #[schema(minimum = 1)]
    position: u64,
    /// The number of participants on the whole board.
    participants: usize,
    #[schema(value_type = Vec<Row>)]
    rows: Vec<Row>,
}

/// Reads a page of a contest's board, best first.
#[utoipa::path(
    get,
    path = "/api/v1/contests/{contest}/board",
    tag = "boards",
    params(
        ("contest" = Id, Path, description = "The contest"),
        BoardQuery,
        Pagination,
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the client's copy: 304 while the board is unchanged"),
    ),
    responses(
        (status = 200, description = "A page of the board", body = BoardPage, headers(
            ("ETag" = String, description = "Changes only when the board changes"),
            ("X-Ledger-Position" = u64, description = "The ledger position that this process has reached"),
        )),
        (status = 304, description = "The board is unchanged"),
        Unknown
    )
)]
pub(crate) async fn read_board(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    QueryParams(page): QueryParams<BoardQuery>,
    caller: Result<Caller, Problem>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let stream = stream_of(&contest)?;
    let board = match page.task {
        Some(task) => format!("{stream}/{task}"),
        None => stream.to_string(),
    };
    let behind_the_scenes = !page.public && caller.is_ok_and(|caller| caller.judges(&stream));
    answer(&app, &board, behind_the_scenes, page.window, &headers)
}

/// A page of a board, for judges or for the public; 304 when the client's `ETag` is current.
pub(crate) fn answer(
    app: &App,
    board: &str,
    behind_the_scenes: bool,
    window: Pagination,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let views = app.clerk.views();
    let position = views.position();
    let found =
        if behind_the_scenes { views.board_view(board) } else { views.public_board(&BoardName::from(board)) };
    let found = found.ok_or_else(|| Problem::not_found(format!("there is no board `{board}`")))?;
    let tag = tag(&views, found);
    let same = headers.get_all(header::IF_NONE_MATCH).iter().any(|known| names(known, &tag));
    let body = (!same).then(|| body(found, board, window));
    drop(views);
    let mut answer = match body {
        Some(body) => ([(header::CONTENT_TYPE, "application/json")], body).into_response(),
        None => StatusCode::NOT_MODIFIED.into_response(),
    };
    let headers = answer.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(POSITION, position.into());
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, tag);
    }
    Ok(answer)
}

/// The page as JSON. Almost all requests want the first page, which is cached until the board changes.
fn body(view: &BoardView, name: &str, window: Pagination) -> Bytes {
    let write = |view: &BoardView| {
        let position = view.changed();
        let participants = view.board().len();
        let rows = view.board().rows(window.offset(), window.limit()).collect();
        Bytes::from(assize_kernel::to_json(&BoardPage { board: name, position, participants, rows }))
    };
    if window == Pagination::default() { view.shown(write) } else { write(view) }
}

/// The `ETag`. It includes the chain hash, since the same position in another ledger is another board.
fn tag(views: &Views, found: &BoardView) -> String {
    // Positions of another history are not comparable.
    let chain = views.fork().or(views.chain()).map(|hash| hash.to_string()).unwrap_or_default();
    format!("\"{}-{}\"", chain.get(..16).unwrap_or_default(), found.changed())
}

/// Whether an `If-None-Match` header contains this tag.
fn names(known: &HeaderValue, tag: &str) -> bool {
    let known = known.to_str().unwrap_or_default();
    known.split(',').map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

impl FromQuery for BoardQuery {
    const KNOWN: &'static str = "there are `task`, `public`, `offset` and `limit`";

    fn take(&mut self, name: &str, value: &str) -> Result<bool, Problem> {
        match name {
            "task" => {
                let unreadable = |error| Problem::malformed(format!("the query cannot be read: {error}"));
                check_name(value).map_err(unreadable)?;
                self.task = Some(value.to_owned());
            }
            "public" => self.public = truth(name, value)?,
            _ => return self.window.take(name, value),
        }
        Ok(true)
    }
}
