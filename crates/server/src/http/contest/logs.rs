//! The logs of teams' tools in a contest, for analysis by organisers.

use std::ops::ControlFlow;

use assize_kernel::{Moment, RecordRef, StreamId};
use assize_ledger::{Depth, Ledger, Scan};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::contests::{stream_of, unknown_contest};
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::openapi::{Forbidden, Unknown};
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::query::{Named, position};
use crate::http::schemas::{AnyObject, Id};
use crate::http::{App, blocking};
use assize_engine::clerk::RAW_LOG;

/// Maximum number of entries in one response.
const PAGE: u64 = 1_000;
/// Maximum size of a page in bytes; a page ends after the entry that reaches it.
const ENOUGH: usize = 4 << 20;

/// Query parameters of the log entries.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "described here, read below")]
pub(crate) struct LogQuery {
    /// Only entries after this number.
    #[param(nullable = false)]
    after: Option<u64>,
    /// The maximum number of entries; 100 by default, at most 1000.
    #[param(nullable = false)]
    limit: Option<u64>,
}

/// A log entry of a team's tool.
#[derive(Serialize, ToSchema)]
#[schema(as = LogEntry)]
pub(crate) struct ToolLogEntry {
    /// The number of the entry, counted from 1 in each contest.
    #[schema(minimum = 1)]
    number: u64,
    /// The position of its record in the ledger.
    #[schema(minimum = 1)]
    position: u64,
    /// When it was received.
    at: Moment,
    /// `QueriesLogged` or `ResultsLogged`.
    kind: String,
    #[schema(value_type = Id)]
    team: String,
    /// The user that was logged in.
    #[schema(value_type = Id)]
    user: String,
    /// The log as it was sent.
    #[schema(value_type = AnyObject)]
    log: Box<RawValue>,
}

/// A page of log entries, in order.
#[derive(Serialize, ToSchema)]
pub(crate) struct LogPage {
    logs: Vec<ToolLogEntry>,
    /// The value of `after` for the next page; null at the end. A page that is not full may have a next page.
    #[schema(required = true)]
    next: Option<u64>,
}

/// The body of a log record.
#[derive(Deserialize)]
enum LogEvent {
    QueriesLogged(LoggedBody),
    ResultsLogged(LoggedBody),
}

#[derive(Deserialize)]
struct LoggedBody {
    team: String,
    user: String,
    log: Box<RawValue>,
}

/// Lists the log entries of teams' tools.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}/logs", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), LogQuery),
    responses((status = 200, description = "A page of the log entries, in order", body = LogPage), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_logs(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    parameters: Named,
) -> Result<Json<LogPage>, Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::ReadLogs, &stream)?;
    let [after, limit] = parameters.take(["after", "limit"])?;
    let after = position("after", after)?.unwrap_or(0);
    let limit = position("limit", limit)?.unwrap_or(100).clamp(1, PAGE);
    let page = move |app: &App| {
        if app.ledger.version(stream.as_str())? == 0 {
            return Err(unknown_contest(stream.name()));
        }
        page(&*app.ledger, stream.name(), after, limit)
    };
    blocking(&app, page).await.map(Json)
}

fn page(ledger: &dyn Ledger, contest: &str, after: u64, limit: u64) -> Result<LogPage, Problem> {
    let stream = StreamId::new(RAW_LOG, contest).map_err(|error| Problem::internal(&error.to_string()))?;
    let scan = Scan { stream: Some(stream.as_str()), after, limit, depth: Depth::Facts };
    let mut logs = Vec::new();
    let mut bytes = 0;
    let mut broken = None;
    ledger.scan(scan, &mut |record| {
        bytes += record.body.len();
        match entry(&record) {
            Ok(entry) => logs.push(entry),
            Err(problem) => broken = Some(problem),
        }
        if broken.is_some() || bytes > ENOUGH { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if let Some(problem) = broken {
        return Err(Problem::internal(&problem));
    }
    let full = logs.len() as u64 == limit || bytes > ENOUGH;
    let next = if full { logs.last().map(|entry| entry.number) } else { None };
    Ok(LogPage { logs, next })
}

fn entry(record: &RecordRef<'_>) -> Result<ToolLogEntry, String> {
    let number = record.version;
    let position = record.position;
    let at = record.at;
    let logged: LogEvent = serde_json::from_str(record.body)
        .map_err(|error| format!("the record at {position} cannot be read: {error}"))?;
    let (LogEvent::QueriesLogged(said) | LogEvent::ResultsLogged(said)) = logged;
    let LoggedBody { team, user, log } = said;
    Ok(ToolLogEntry { number, position, at, kind: record.kind.to_owned(), team, user, log })
}
