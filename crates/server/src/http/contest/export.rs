//! Export of a whole contest over HTTP, as JSON or as CSV.

use std::io::{self, Write};

use assize_kernel::StreamId;
use assize_ledger::LedgerError;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::poll_fn;
use tokio::sync::mpsc::{Sender, channel};
use utoipa::IntoParams;

use super::contests::{stream_of, unknown_contest};
use crate::http::App;
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::openapi::{Forbidden, Unknown};
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::query::Named;
use crate::http::schemas::{AnyObject, Id};
use assize_engine::transfer::{BoardTable, export_stream, export_submissions};

/// Size of one chunk in bytes.
const PIECE: usize = 64 * 1024;
/// Maximum number of chunks buffered for a slow client.
const WAITING: usize = 4;

/// The format of an export.
#[derive(Clone, Copy)]
enum ExportFormat {
    Everything,
    Submissions,
    Board,
}

/// Query parameters of an export.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "described here, read below")]
pub(crate) struct ExportQuery {
    /// `json` (the default): the whole contest, for import elsewhere; or `csv`: a table for spreadsheets.
    #[param(nullable = false)]
    format: Option<String>,
    /// With `csv` only: `submissions` (the default), every verdict in order; or `board`, the ranking of the
    /// teams.
    #[param(nullable = false)]
    table: Option<String>,
}

/// Exports a contest as JSON or CSV.
///
/// The JSON contains every record with its verdict, the rulebooks, the ground truth and the contact details,
/// but no secrets.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}/export", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), ExportQuery),
    responses(
        (status = 200, description = "The export", content(
            (AnyObject = "application/json"),
            (String = "text/csv"),
        )),
        Forbidden,
        Unknown
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn export_contest(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    parameters: Named,
) -> Result<Response, Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::ExportContest, &stream)?;
    let [format, table] = parameters.take(["format", "table"])?;
    let what = wanted(format.as_deref(), table.as_deref())?;
    if app.clerk.views().streams("contest").all(|(known, _)| *known != stream) {
        return Err(unknown_contest(&contest));
    }
    let (kind, name) = match what {
        ExportFormat::Everything => ("application/json", format!("{contest}.json")),
        ExportFormat::Submissions => ("text/csv; charset=utf-8", format!("{contest}-submissions.csv")),
        ExportFormat::Board => ("text/csv; charset=utf-8", format!("{contest}-board.csv")),
    };
    let body = piped(app, stream, move |app, stream, pipe| write(app, stream, what, pipe));
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)];
    Ok((headers, body).into_response())
}

/// A response body that is streamed while it is written.
pub(crate) fn piped(
    app: App,
    stream: StreamId,
    write: impl FnOnce(&App, &StreamId, &mut BodyWriter) -> Result<(), LedgerError> + Send + 'static,
) -> Body {
    let (sender, mut pieces) = channel::<Result<Bytes, LedgerError>>(WAITING);
    tokio::task::spawn_blocking(move || {
        let mut pipe = BodyWriter { sender: sender.clone(), piece: Vec::with_capacity(PIECE) };
        if let Err(error) = write(&app, &stream, &mut pipe) {
            // The response is cut off without its final chunk, so the client notices.
            tracing::warn!(%error, %stream, "an export was not finished");
            drop(sender.blocking_send(Err(error)));
        }
    });
    Body::from_stream(poll_fn(move |context| pieces.poll_recv(context)))
}

fn wanted(format: Option<&str>, table: Option<&str>) -> Result<ExportFormat, Problem> {
    let wrong = |what: String| Err(Problem::malformed(format!("the query cannot be read: {what}")));
    match (format.unwrap_or("json"), table) {
        ("json", None) => Ok(ExportFormat::Everything),
        ("json", Some(_)) => wrong("`table` is for `format=csv`".into()),
        ("csv", None | Some("submissions")) => Ok(ExportFormat::Submissions),
        ("csv", Some("board")) => Ok(ExportFormat::Board),
        ("csv", Some(other)) => wrong(format!("`table` must be `submissions` or `board`, is `{other}`")),
        (other, _) => wrong(format!("`format` must be `json` or `csv`, is `{other}`")),
    }
}

fn write(app: &App, stream: &StreamId, what: ExportFormat, out: &mut BodyWriter) -> Result<(), LedgerError> {
    match what {
        ExportFormat::Everything => export_stream(&app.courts, &*app.ledger, stream, out).map(drop),
        ExportFormat::Submissions => export_submissions(&*app.ledger, stream, out),
        ExportFormat::Board => {
            let table = BoardTable::read(&*app.ledger, stream)?;
            // Build the table first: the boards must not stay locked while a slow client reads.
            let text = table.to_csv(&app.clerk.views(), stream);
            let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            written.map_err(|error| LedgerError::Unavailable(error.to_string()))
        }
    }
}

/// A writer into the response body; blocks while a slow client reads.
pub(crate) struct BodyWriter {
    sender: Sender<Result<Bytes, LedgerError>>,
    piece: Vec<u8>,
}

impl Write for BodyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        self.sender.blocking_send(Ok(piece.into())).map_err(|_| gone())
    }
}
