//! Benchmark of appending and reading: `cargo run --release --example rates -- FILE|URL [RECORDS]`.
#![allow(clippy::print_stdout, reason = "printing is what it is for")]

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use assize_kernel::{Draft, Moment};
use assize_ledger::{Batch, Depth, Ledger, LedgerError, PostgresLedger, Scan, SqliteLedger, verify};

/// The approximate size of a judged answer.
const BODY: usize = 300;
const VERDICT: usize = 900;
const BATCH: u64 = 1_000;
const STREAMS: u64 = 100;

fn main() -> Result<(), LedgerError> {
    let mut arguments = std::env::args().skip(1);
    let place = arguments.next().unwrap_or_else(|| "rates.db".into());
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(1_000_000);
    let ledger: Box<dyn Ledger> = if place.contains("://") || place.contains('=') {
        Box::new(PostgresLedger::open(&place)?)
    } else {
        Box::new(SqliteLedger::open(Path::new(&place))?)
    };
    append(ledger.as_ref(), count)?;
    for depth in [Depth::Facts, Depth::Facts, Depth::Whole] {
        let begun = Instant::now();
        let mut bytes = 0;
        ledger.scan(Scan::all(0, depth), &mut |record| {
            bytes += record.body.len() + record.verdict.map_or(0, str::len);
            ControlFlow::Continue(())
        })?;
        report(&format!("read {depth:?} ({bytes} bytes)"), count, begun.elapsed());
    }
    let begun = Instant::now();
    let found = verify(ledger.as_ref(), &mut |_| {})?;
    report(&format!("verify, {} problems", found.problems.len()), found.records, begun.elapsed());
    Ok(())
}

fn append(ledger: &dyn Ledger, count: u64) -> Result<(), LedgerError> {
    let mut writer = ledger.writer()?;
    let mut writing = Duration::ZERO;
    let mut committing = Duration::ZERO;
    for part in 0..count / BATCH {
        let mut locked = writer.lock()?;
        let mut head = locked.head();
        let records =
            (0..BATCH).filter_map(|n| draft(part * BATCH + n)).map(|draft| head.seal([7; 16], draft).into());
        let batch = Batch { records: records.collect(), ..Batch::default() };
        let begun = Instant::now();
        locked.append(&batch)?;
        writing += begun.elapsed();
        let begun = Instant::now();
        locked.commit(&Batch::default())?;
        committing += begun.elapsed();
    }
    report("append", count, writing);
    report(&format!("append and commit, {BATCH} at a time"), count, writing + committing);
    Ok(())
}

fn draft(number: u64) -> Option<Draft> {
    Some(Draft {
        stream: format!("contest/spring-{}", number % STREAMS).parse().ok()?,
        version: number / STREAMS + 1,
        edition: 1,
        kind: "AnswerJudged".into(),
        at: Moment::from_millis(1_794_735_000_250),
        actor: "participant:team_01".into(),
        body: format!("{{\"number\":{number},\"text\":\"{}\"}}", "b".repeat(BODY - 40)),
        verdict: Some(format!("{{\"number\":{number},\"text\":\"{}\"}}", "v".repeat(VERDICT - 40)).into()),
    })
}

fn report(what: &str, count: u64, time: Duration) {
    println!("{what}: {:.0} records/s", count as f64 / time.as_secs_f64());
}
