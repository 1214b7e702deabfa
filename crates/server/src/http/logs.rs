//! What teams' tools have logged in a contest, for those who look into it afterwards.

use std::ops::ControlFlow;

use assize_kernel::{Moment, RecordRef, StreamId};
use assize_ledger::{Depth, Ledger, Scan};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::access::Act;
use super::address::Address;
use super::caller::Caller;
use super::contests::{stream_of, unknown_contest};
use super::document::{Forbidden, Unknown};
use super::problem::Problem;
use super::query::{Named, position};
use super::shapes::{self, AnyObject, Id};
use super::{App, blocking};
use crate::clerk::NOTEBOOK;

/// The most one answer lists.
const PAGE: u64 = 1_000;
/// With so many bytes a page is full, whatever was asked for.
const ENOUGH: usize = 4 << 20;

/// Which entries.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "described here, read below")]
pub(super) struct LogQuery {
    /// Those after this number.
    #[param(nullable = false)]
    after: Option<u64>,
    /// How many at most; 100 otherwise, and never more than 1000.
    #[param(nullable = false)]
    limit: Option<u64>,
}

/// Something that a team's tool has logged.
#[derive(Serialize, ToSchema)]
pub(super) struct LogEntry {
    /// Counted from 1 in each contest.
    #[schema(minimum = 1)]
    number: u64,
    /// Its record's place in the ledger.
    #[schema(minimum = 1)]
    position: u64,
    /// When it was received.
    #[schema(value_type = shapes::Moment)]
    at: Moment,
    /// `QueriesLogged` or `ResultsLogged`.
    kind: String,
    #[schema(value_type = Id)]
    team: String,
    /// Who was logged in.
    #[schema(value_type = Id)]
    user: String,
    /// As it was sent.
    #[schema(value_type = AnyObject)]
    log: Box<RawValue>,
}

/// A page of what was logged, in order.
#[derive(Serialize, ToSchema)]
pub(super) struct LogPage {
    logs: Vec<LogEntry>,
    /// To be sent as `after` for what follows; null at the end. A page that is not full may have one.
    #[schema(required = true)]
    next: Option<u64>,
}

/// The event of an entry.
#[derive(Deserialize)]
enum Logged {
    QueriesLogged(Said),
    ResultsLogged(Said),
}

#[derive(Deserialize)]
struct Said {
    team: String,
    user: String,
    log: Box<RawValue>,
}

/// What teams' tools have logged.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}/logs", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), LogQuery),
    responses((status = 200, description = "A page of it, in order", body = LogPage), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_logs(
    State(app): State<App>,
    Address(contest): Address<String>,
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
    let stream = StreamId::new(NOTEBOOK, contest).map_err(|error| Problem::internal(&error.to_string()))?;
    let scan = Scan { stream: Some(stream.as_str()), after, limit, depth: Depth::Facts };
    let (mut logs, mut bytes, mut broken) = (Vec::new(), 0, None);
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

fn entry(record: &RecordRef<'_>) -> Result<LogEntry, String> {
    let (number, position, at) = (record.version, record.position, record.at);
    let logged: Logged = serde_json::from_str(record.body)
        .map_err(|error| format!("the record at {position} cannot be read: {error}"))?;
    let (Logged::QueriesLogged(said) | Logged::ResultsLogged(said)) = logged;
    let Said { team, user, log } = said;
    Ok(LogEntry { number, position, at, kind: record.kind.to_owned(), team, user, log })
}
