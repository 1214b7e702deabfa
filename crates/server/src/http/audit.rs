//! The audit log: all records in order with actor, time and origin, for admins.

use std::ops::ControlFlow;

use assize_kernel::Moment;
use assize_ledger::{Depth, Ledger, LedgerError, Scan};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::access::Act;
use super::caller::Caller;
use super::openapi::Forbidden;
use super::problem::Problem;
use super::query::{Named, position};
use super::{App, blocking};

/// Maximum number of entries in one response.
const PAGE: u64 = 1_000;
/// Maximum number of records scanned for one response.
const LOOKED_THROUGH: u64 = 20_000;

/// Query parameters of the audit log.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "described here, read below")]
pub(crate) struct AuditQuery {
    /// Only changes after this position.
    #[param(nullable = false)]
    after: Option<u64>,
    /// The maximum number of changes; 100 by default, at most 1000.
    #[param(nullable = false)]
    limit: Option<u64>,
    /// Only changes by this actor, such as `admin:organiser`.
    #[param(nullable = false)]
    actor: Option<String>,
    /// Only changes in this stream, such as `contest/spring`.
    #[param(nullable = false)]
    stream: Option<String>,
}

/// A recorded change.
#[derive(Serialize, ToSchema)]
#[schema(as = Change)]
pub(crate) struct AuditEntry {
    #[schema(minimum = 1)]
    pub(crate) position: u64,
    pub(crate) at: Moment,
    /// The actor, as `role:name`.
    pub(crate) actor: String,
    pub(crate) kind: String,
    pub(crate) stream: String,
    /// The origin of the request; null if it is unknown or was erased.
    #[schema(required = true)]
    pub(crate) origin: Option<ChangeOrigin>,
}

/// The origin of a change.
#[derive(Debug, Serialize, ToSchema, PartialEq, Eq)]
#[schema(as = ChangeOrigin)]
pub(crate) struct ChangeOrigin {
    /// The client's address.
    pub(crate) address: String,
    /// The request id; null if it is unknown.
    #[schema(required = true)]
    pub(crate) request_id: Option<String>,
}

/// A page of changes, in order.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditPage {
    pub(crate) changes: Vec<AuditEntry>,
    /// The value of `after` for the next page; null at the end. A page that is not full may have a next page.
    #[schema(required = true)]
    pub(crate) next: Option<u64>,
}

/// Lists all changes in order, with actor, time and origin.
#[utoipa::path(
    get, path = "/api/v1/audit", tag = "access",
    params(AuditQuery),
    responses((status = 200, description = "A page of the changes, in order", body = AuditPage), Forbidden),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn read_audit(
    State(app): State<App>,
    caller: Caller,
    parameters: Named,
) -> Result<Json<AuditPage>, Problem> {
    caller.may_everywhere(Act::ReadAudit)?;
    let [after, limit, actor, stream] = parameters.take(["after", "limit", "actor", "stream"])?;
    let after = position("after", after)?.unwrap_or(0);
    let limit = position("limit", limit)?.unwrap_or(100).clamp(1, PAGE);
    let look = move |app: &App| look(&*app.ledger, after, limit, actor.as_deref(), stream.as_deref());
    blocking(&app, move |app| Ok(look(app)?)).await.map(Json)
}

fn look(
    ledger: &dyn Ledger,
    after: u64,
    limit: u64,
    actor: Option<&str>,
    stream: Option<&str>,
) -> Result<AuditPage, LedgerError> {
    let start = stream.map_or(Ok(after), |stream| version_at(ledger, stream, after))?;
    let scan = Scan { stream, after: start, limit: LOOKED_THROUGH, depth: Depth::Whole };
    let mut changes = Vec::new();
    let mut last = after;
    let mut seen = 0;
    ledger.scan(scan, &mut |record| {
        last = record.position;
        seen += 1;
        if actor.is_none_or(|actor| record.actor == actor) {
            changes.push(AuditEntry {
                position: record.position,
                at: record.at,
                actor: record.actor.to_owned(),
                kind: record.kind.to_owned(),
                stream: record.stream.to_owned(),
                origin: None,
            });
        }
        if (changes.len() as u64) < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    add_origins(ledger, &mut changes)?;
    let more = changes.len() as u64 == limit || seen == LOOKED_THROUGH;
    Ok(AuditPage { changes, next: more.then_some(last) })
}

fn add_origins(ledger: &dyn Ledger, changes: &mut [AuditEntry]) -> Result<(), LedgerError> {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return Ok(()) };
    let origins = ledger.origins(first.position, last.position)?;
    let mut origins = origins.into_iter().peekable();
    for change in changes {
        while origins.next_if(|(position, _)| *position < change.position).is_some() {}
        let found = origins.next_if(|(position, _)| *position == change.position);
        change.origin = found.map(|(_, origin)| ChangeOrigin::read(&origin));
    }
    Ok(())
}

/// The version of a stream at a ledger position: both grow together, so a binary search finds it.
fn version_at(ledger: &dyn Ledger, stream: &str, position: u64) -> Result<u64, LedgerError> {
    let mut low = 0;
    let mut high = ledger.version(stream)?;
    while low < high {
        let middle = low + (high - low) / 2;
        let mut found = u64::MAX;
        let scan = Scan { stream: Some(stream), after: middle, limit: 1, depth: Depth::Facts };
        ledger.scan(scan, &mut |record| {
            found = record.position;
            ControlFlow::Break(())
        })?;
        if found <= position { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}

impl ChangeOrigin {
    /// Parses the stored form: the client address, then the request id.
    pub(crate) fn read(text: &str) -> Self {
        match text.split_once(' ') {
            Some((address, id)) => Self { address: address.to_owned(), request_id: Some(id.to_owned()) },
            None => Self { address: text.to_owned(), request_id: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assize_kernel::{Actor, Draft, Head, Role, StreamId};
    use assize_ledger::{Batch, MemoryLedger};

    use super::*;

    /// Three streams in turn, ten records each; every second record has an origin.
    fn ledger() -> MemoryLedger {
        let ledger = MemoryLedger::new();
        let mut head = Head::START;
        let mut batch = Batch::default();
        for number in 0..30_u64 {
            let stream = StreamId::of_engine(["a", "b", "c"][(number % 3) as usize]);
            let actor = Actor::new(Role::Admin, if number < 15 { "anna" } else { "bert" });
            let at = Moment::from_millis(0);
            let draft = Draft::of_engine(stream, number / 3 + 1, "Done", at, &actor, "{}".into());
            let record = head.seal([1; 16], draft);
            if number % 2 == 0 {
                batch.origins.push((record.position, format!("192.0.2.1 r{number}").into()));
            }
            batch.records.push(Arc::new(record));
        }
        assize_ledger::Writer::lock(&mut *ledger.writer().unwrap()).unwrap().commit(&batch).unwrap();
        ledger
    }

    fn positions(page: &AuditPage) -> Vec<u64> {
        page.changes.iter().map(|change| change.position).collect()
    }

    #[test]
    fn pages_follow_one_another_without_a_gap() {
        let ledger = ledger();
        let mut seen = Vec::new();
        let mut after = Some(0);
        while let Some(from) = after {
            let page = look(&ledger, from, 7, None, None).unwrap();
            seen.extend(positions(&page));
            after = page.next;
        }
        assert_eq!(seen, (1..=30).collect::<Vec<_>>());
    }

    #[test]
    fn changes_are_found_by_stream_and_by_actor() {
        let ledger = ledger();
        let page = look(&ledger, 10, 3, None, Some("assize/b")).unwrap();
        assert_eq!(positions(&page), [11, 14, 17]);
        let page = look(&ledger, 17, 100, Some("admin:bert"), Some("assize/b")).unwrap();
        assert_eq!((positions(&page), page.next), (vec![20, 23, 26, 29], None));
        let page = look(&ledger, 0, 2, Some("admin:bert"), None).unwrap();
        assert_eq!(positions(&page), [16, 17]);
        let origin = ChangeOrigin { address: "192.0.2.1".into(), request_id: Some("r16".into()) };
        assert_eq!(page.changes[1].origin, Some(origin));
        assert_eq!(page.changes[0].origin, None);
        assert!(look(&ledger, 30, 2, None, None).unwrap().changes.is_empty());
    }
}
