//! Fold, replay and start-up of a ledger with a million records, next to a bare scan of it.
//!
//! `cargo bench --bench ledger`; `RECORDS=100000` for a smaller one.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a benchmark stops where it cannot go on, and prints"
)]

mod common;

/// The allocator of the `assize` executable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use assize_engine::{Clerk, ClerkSettings, Courts, rebuild, replay};
use assize_kernel::{AnyCommand, AnyStream, CommandContext, Draft, Millis, Ruling};
use assize_ledger::{Batch, Depth, Ledger, Scan, SqliteLedger};
use common::{
    START, TASKS, TEAMS, answer, contest, courts, line, opening, organiser, task_name, team_name, timed,
};

/// Answers of a team to a task; only the last is right.
const ATTEMPTS: usize = 5;

fn main() {
    let records: u64 = std::env::var("RECORDS").map_or(1_000_000, |text| text.parse().unwrap());
    let directory = tempfile::tempdir().unwrap();
    let courts = courts();
    let full = open(&directory.path().join("full.db"));
    let (_, elapsed) = timed(|| fill(&courts, &*full, records));
    let records = full.head().unwrap().position;
    println!("{records} records written in {:.1} s; one core\n", elapsed.as_secs_f64());

    let (_, elapsed) = timed(|| scan(&*full));
    let bare = line("bare scan, without verdicts", records, elapsed, None);
    let (rebuilt, elapsed) = timed(|| rebuild(&courts, &full).unwrap());
    drop(rebuilt);
    line("folded into states and boards", records, elapsed, Some(bare));
    let (found, elapsed) = timed(|| replay(&courts, &*full, &mut |_| {}).unwrap());
    assert_eq!((found.different, found.unreadable), (0, 0));
    line("replayed, every verdict compared", found.records, elapsed, Some(bare));

    let empty = open(&directory.path().join("empty.db"));
    start(&courts, &empty);
    start(&courts, &full);
    let (_, of_empty) = timed(|| start(&courts, &empty));
    let (_, of_full) = timed(|| start(&courts, &full));
    println!(
        "\nstart-up from snapshots {:.1} ms, of an empty ledger {:.1} ms: {:.1} times as long",
        of_full.as_secs_f64() * 1e3,
        of_empty.as_secs_f64() * 1e3,
        of_full.as_secs_f64() / of_empty.as_secs_f64()
    );
}

fn open(path: &Path) -> Arc<dyn Ledger> {
    Arc::new(SqliteLedger::open(path).unwrap())
}

/// Starts and stops a clerk.
fn start(courts: &Arc<Courts>, ledger: &Arc<dyn Ledger>) {
    let (_, thread) = Clerk::start(courts.clone(), ledger.clone(), ClerkSettings::default()).unwrap();
    thread.close();
}

fn scan(ledger: &dyn Ledger) {
    let mut bytes = 0;
    let mut each = |record: assize_kernel::RecordRef<'_>| {
        bytes += record.body.len();
        ControlFlow::Continue(())
    };
    ledger.scan(Scan::all(0, Depth::Facts), &mut each).unwrap();
    std::hint::black_box(bytes);
}

/// Fills the ledger with contests in which every team answers every task, wrongly at first and then rightly.
fn fill(courts: &Courts, ledger: &dyn Ledger, records: u64) {
    let mut filler = LedgerFiller { courts, ledger, batch: Batch::default(), position: 0, at: START };
    filler.enter_rulebook();
    let contests = usize::try_from(records).unwrap().div_ceil(ATTEMPTS * TASKS * TEAMS);
    for index in 0..contests {
        let mut stream = courts.get("contest").unwrap().empty(contest(index));
        opening().into_iter().for_each(|command| filler.decide(&mut *stream, Box::new(command)));
        for task in 0..TASKS {
            let all = (0..ATTEMPTS).flat_map(|attempt| (0..TEAMS).map(move |team| (attempt, team)));
            for (attempt, team) in all {
                filler.decide(
                    &mut *stream,
                    answer(team_name(team), task_name(task), attempt, attempt + 1 == ATTEMPTS),
                );
            }
        }
    }
    filler.flush();
}

struct LedgerFiller<'a> {
    courts: &'a Courts,
    ledger: &'a dyn Ledger,
    batch: Batch,
    position: u64,
    at: assize_kernel::Moment,
}

impl LedgerFiller<'_> {
    fn decide(&mut self, stream: &mut dyn AnyStream, command: AnyCommand) {
        let book = self.courts.default_rulebook("contest").unwrap();
        let actor = organiser();
        self.at = self.at + Millis(7);
        let context = CommandContext { at: self.at, actor: &actor, position: self.position + 1 };
        let Ruling::Decided(drafts) = stream.decide(book, &command, context).unwrap() else {
            panic!("repeated")
        };
        stream.drop_changes();
        drafts.into_iter().for_each(|draft| self.push(draft));
    }

    fn push(&mut self, draft: Draft) {
        let mut head = match self.batch.records.last() {
            Some(last) => assize_kernel::Head { position: last.position, hash: last.hash },
            None => self.ledger.head().unwrap(),
        };
        self.batch.records.push(head.seal([1; 16], draft).into());
        self.position = head.position;
        if self.batch.records.len() == 10_000 {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let mut writer = self.ledger.writer().unwrap();
        writer.lock().unwrap().commit(&std::mem::take(&mut self.batch)).unwrap();
    }

    /// Records the rulebook, because replay looks it up in the ledger.
    fn enter_rulebook(&mut self) {
        let book = self.courts.default_rulebook("contest").unwrap();
        let reference = &book.reference;
        let body = serde_json::json!({"RulebookEntered": {
            "court": "contest", "name": reference.name, "version": reference.version, "hash": reference.hash,
            "text": &*book.text
        }});
        let stream = "assize/rulebooks".parse().unwrap();
        self.push(Draft::of_engine(stream, 1, "RulebookEntered", START, &organiser(), body.to_string()));
    }
}
