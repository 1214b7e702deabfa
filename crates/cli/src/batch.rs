//! Judging summaries in parallel, with results in input order and bounded memory.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use assize_courts::summary::{SummaryDetail, SummaryRules, TextPair, assess};
use assize_kernel::{Rulebook, Verdict};

use crate::CommandResult;
use crate::output::Failure;
use crate::rows::{NumberedRow, SummaryRow, SummaryRows};

/// The number of rows sent to a worker at a time.
const CHUNK: usize = 64;

/// A row with its verdict, or why it could not be judged.
pub(crate) struct JudgedRow {
    pub(crate) number: u64,
    pub(crate) outcome: Result<(SummaryRow, Verdict<SummaryDetail>), String>,
}

type Chunk<T> = (u64, Vec<T>);

/// Judges every row and passes the results to `take` in the order of the rows.
pub(crate) fn judge_all(
    rows: SummaryRows,
    book: &Rulebook<SummaryRules>,
    threads: Option<NonZero<usize>>,
    mut take: impl FnMut(JudgedRow) -> CommandResult,
) -> CommandResult {
    let threads = threads.or(thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let (rows_out, rows_in) = sync_channel::<Chunk<NumberedRow>>(threads * 2);
    let rows_in = Arc::new(Mutex::new(rows_in));
    let (judged_out, judged_in) = sync_channel::<Chunk<JudgedRow>>(threads * 2);
    // Credits limit the number of chunks in flight, so that results do not pile up behind one slow row.
    let (credit_back, credits) = sync_channel::<()>(threads * 4);
    for _ in 0..threads * 4 {
        credit_back.send(()).unwrap_or_default();
    }
    thread::scope(|scope| {
        let reader = scope.spawn(move || read(rows, &rows_out, &credits));
        for _ in 0..threads {
            let rows_in = rows_in.clone();
            let judged_out = judged_out.clone();
            scope.spawn(move || work(book, &rows_in, &judged_out));
        }
        // When the last worker ends, the row channel closes and the reader stops.
        drop((rows_in, judged_out));
        let written = in_order(&judged_in, &mut take, &credit_back);
        // The reader and the workers stop when these channels close.
        drop((judged_in, credit_back));
        let read = reader.join().unwrap_or_else(|_| Err(Failure::Fault("reading broke off".into())));
        written.and(read)
    })
}

fn read(rows: SummaryRows, chunks: &SyncSender<Chunk<NumberedRow>>, credits: &Receiver<()>) -> CommandResult {
    let mut chunk = Vec::with_capacity(CHUNK);
    let mut sequence = 0;
    for row in rows {
        chunk.push(row?);
        if chunk.len() == CHUNK {
            let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
            if credits.recv().is_err() || chunks.send((sequence, full)).is_err() {
                return Ok(());
            }
            sequence += 1;
        }
    }
    if !chunk.is_empty() && credits.recv().is_ok() {
        drop(chunks.send((sequence, chunk)));
    }
    Ok(())
}

fn work(
    book: &Rulebook<SummaryRules>,
    rows: &Mutex<Receiver<Chunk<NumberedRow>>>,
    judged: &SyncSender<Chunk<JudgedRow>>,
) {
    loop {
        let next = rows.lock().map(|rows| rows.recv());
        let Ok(Ok((sequence, chunk))) = next else { return };
        let results =
            chunk.into_iter().map(|(number, row)| JudgedRow { number, outcome: judge(book, row) }).collect();
        if judged.send((sequence, results)).is_err() {
            return;
        }
    }
}

fn judge(
    book: &Rulebook<SummaryRules>,
    row: Result<SummaryRow, String>,
) -> Result<(SummaryRow, Verdict<SummaryDetail>), String> {
    let row = row?;
    let texts = TextPair { article: &row.article, summary: &row.summary };
    let verdict = assess(book, texts).map_err(|refusal| refusal.to_string())?;
    Ok((row, verdict))
}

fn in_order(
    judged: &Receiver<Chunk<JudgedRow>>,
    take: &mut impl FnMut(JudgedRow) -> CommandResult,
    credits: &SyncSender<()>,
) -> CommandResult {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (sequence, chunk) in judged {
        waiting.insert(sequence, chunk);
        while let Some(chunk) = waiting.remove(&next) {
            chunk.into_iter().try_for_each(&mut *take)?;
            next += 1;
            credits.try_send(()).unwrap_or_default();
        }
    }
    Ok(())
}
