//! A running clerk with the tally court, and helpers to submit commands and read results.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use assize_engine::{Answer, Clerk, ClerkError, ClerkSettings, ClerkThread, Courts, Petition, RequestKey};
use assize_kernel::{Actor, CourtAdapter, Digest, Moment, Record, Role, StreamId};
use assize_ledger::{Depth, Ledger, MemoryLedger, Scan, ScopedKey};

use crate::tally::{Tally, TallyCommand, TallyState};

/// A running clerk with the tally court.
pub(crate) struct Working {
    pub(crate) clerk: Clerk,
    pub(crate) thread: Option<ClerkThread>,
}

/// A clerk over a new ledger in memory.
pub(crate) fn new() -> (Arc<dyn Ledger>, Working) {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
    let working = over(&ledger);
    (ledger, working)
}

/// Another clerk over the same ledger.
pub(crate) fn over(ledger: &Arc<dyn Ledger>) -> Working {
    with(ledger, ClerkSettings::default())
}

pub(crate) fn with(ledger: &Arc<dyn Ledger>, settings: ClerkSettings) -> Working {
    let courts = Arc::new(Courts::new(vec![Arc::new(CourtAdapter::<Tally>::new())]).unwrap());
    let (clerk, thread) = Clerk::start(courts, ledger.clone(), settings).unwrap();
    Working { clerk, thread: Some(thread) }
}

pub(crate) fn stream(name: &str) -> StreamId {
    StreamId::new("tally", name).unwrap()
}

pub(crate) fn add(who: &str, points: i64) -> TallyCommand {
    TallyCommand::Add { who: who.into(), points }
}

pub(crate) fn petition(clerk: &Clerk, name: &str, command: TallyCommand) -> Petition {
    Petition::new(stream(name), Box::new(command), Actor::new(Role::Admin, "tester"), clerk.now())
}

/// The idempotency key `key` for the request `request`.
pub(crate) fn key(key: &str, request: &str) -> Option<RequestKey> {
    let key = ScopedKey { scope: "admin:tester POST /".into(), key: key.into() };
    Some(RequestKey { key, request: Digest::of(request.as_bytes()) })
}

impl Working {
    pub(crate) async fn hear(&self, name: &str, command: TallyCommand) -> Result<Answer, ClerkError> {
        self.clerk.submit(petition(&self.clerk, name, command)).await
    }

    pub(crate) async fn hear_at(
        &self,
        name: &str,
        command: TallyCommand,
        at: Moment,
    ) -> Result<Answer, ClerkError> {
        self.clerk.submit(Petition { at, ..petition(&self.clerk, name, command) }).await
    }

    pub(crate) async fn state(&self, name: &str) -> TallyState {
        self.clerk.inspect(stream(name), TallyState::clone).await.unwrap()
    }

    /// The rows of the board: rank, participant and points.
    pub(crate) fn board(&self) -> Vec<(usize, String, f64)> {
        let views = self.clerk.views();
        let rows = views.board("tally").into_iter().flat_map(|board| board.rows(0, usize::MAX));
        rows.map(|row| (row.rank, row.participant.to_string(), row.standing.points)).collect()
    }

    /// What the ETag of a board is made of: the chain and the last change.
    pub(crate) fn tag(&self) -> (Option<Digest>, Option<u64>) {
        let views = self.clerk.views();
        (views.chain(), views.board_view("tally").map(assize_engine::BoardView::changed))
    }

    pub(crate) fn close(mut self) {
        self.thread.take().unwrap().close();
    }

    /// Waits until the state of a stream is as wanted; panics after some seconds.
    pub(crate) async fn until(&self, name: &str, wanted: impl Fn(&TallyState) -> bool) -> TallyState {
        for _ in 0..2_000 {
            // An inspection may fail while the queue is full.
            let seen = self.clerk.inspect(stream(name), TallyState::clone).await;
            if let Some(state) = seen.ok().filter(|state| wanted(state)) {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("it never came to that: {:?}", self.state(name).await);
    }
}

/// Every record, in order.
pub(crate) fn records(ledger: &dyn Ledger) -> Vec<Record> {
    let mut records = Vec::new();
    let mut each = |record: assize_kernel::RecordRef<'_>| {
        records.push(record.to_record().unwrap());
        ControlFlow::Continue(())
    };
    ledger.scan(Scan::all(0, Depth::Whole), &mut each).unwrap();
    records
}

/// The kinds of all records, in order.
pub(crate) fn kinds(ledger: &dyn Ledger) -> Vec<String> {
    records(ledger).iter().map(|record| record.draft.kind.to_string()).collect()
}
