//! A ledger of a million records: folded, replayed and started from, beside a bare scan of the same ledger.
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

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use assize_kernel::{AnyCommand, Docket, Draft, Heard, Hearing, Millis};
use assize_ledger::{Batch, Depth, Ledger, Scan, SqliteLedger};
use assize_server::{Clerk, Courts, Settings, rebuild, replay};
use common::{
    START, TASKS, TEAMS, answer, contest, courts, line, opening, organiser, task_name, team_name, timed,
};

/// How often a team answers a task: wrongly, and at last rightly.
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

/// Starts a clerk, which reads all it needs, and stops it.
fn start(courts: &Arc<Courts>, ledger: &Arc<dyn Ledger>) {
    let (_, thread) = Clerk::start(courts.clone(), ledger.clone(), Settings::default()).unwrap();
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

/// One contest after the other, in each one task after the other, and in each task every team answering wrongly a
/// few times and then rightly.
fn fill(courts: &Courts, ledger: &dyn Ledger, records: u64) {
    let mut writing = Writing { courts, ledger, batch: Batch::default(), position: 0, at: START };
    writing.enter_rulebook();
    let contests = usize::try_from(records).unwrap().div_ceil(ATTEMPTS * TASKS * TEAMS);
    for index in 0..contests {
        let mut docket = courts.get("contest").unwrap().empty(contest(index));
        opening().into_iter().for_each(|command| writing.hear(&mut *docket, Box::new(command)));
        for task in 0..TASKS {
            let all = (0..ATTEMPTS).flat_map(|attempt| (0..TEAMS).map(move |team| (attempt, team)));
            for (attempt, team) in all {
                writing.hear(
                    &mut *docket,
                    answer(team_name(team), task_name(task), attempt, attempt + 1 == ATTEMPTS),
                );
            }
        }
    }
    writing.flush();
}

struct Writing<'a> {
    courts: &'a Courts,
    ledger: &'a dyn Ledger,
    batch: Batch,
    position: u64,
    at: assize_kernel::Moment,
}

impl Writing<'_> {
    fn hear(&mut self, docket: &mut dyn Docket, command: AnyCommand) {
        let book = self.courts.default_rulebook("contest").unwrap();
        let actor = organiser();
        self.at = self.at + Millis(7);
        let hearing = Hearing { at: self.at, actor: &actor, position: self.position + 1 };
        let Heard::Decided(drafts) = docket.hear(book, &command, hearing).unwrap() else {
            panic!("repeated")
        };
        docket.drop_changes();
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

    /// Replay looks rulebooks up in the ledger.
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
