//! Concurrent writers and a reader: no gap, no duplicate, nothing missed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use assize_ledger::{Depth, Scan, verify};

use crate::stage::{Store, append, draft, scanned};

contract! { [memory sqlite postgres] {
    a_reader_that_follows_misses_nothing
    whoever_sees_a_position_sees_every_record_before_it
} }

const BATCHES: u64 = 60;
const WRITERS: u64 = 2;

fn a_reader_that_follows_misses_nothing(store: &Store) {
    let mut seen = Vec::new();
    thread::scope(|scope| {
        let writers = writers(store, scope);
        loop {
            let finished = writers.iter().all(thread::ScopedJoinHandle::is_finished);
            let after = seen.last().copied().unwrap_or(0);
            let new = scanned(store.ledger.as_ref(), Scan::all(after, Depth::Facts));
            seen.extend(new.iter().map(|record| record.position));
            if finished {
                break;
            }
        }
    });
    let expected: Vec<u64> = (1..=BATCHES * 3 * WRITERS).collect();
    assert_eq!(seen, expected);
    assert_eq!(verify(store.ledger.as_ref(), &mut |_| {}).unwrap().problems, Vec::<String>::new());
}

fn whoever_sees_a_position_sees_every_record_before_it(store: &Store) {
    let (over, looks) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let ledger = store.again();
            while !over.load(Ordering::Relaxed) {
                let head = ledger.head().unwrap();
                let after = head.position.saturating_sub(5);
                let seen = scanned(
                    ledger.as_ref(),
                    Scan { limit: head.position - after, ..Scan::all(after, Depth::Whole) },
                );
                let positions: Vec<u64> = seen.iter().map(|record| record.position).collect();
                assert_eq!(positions, (after + 1..=head.position).collect::<Vec<u64>>());
                assert!(seen.last().is_none_or(|last| last.hash == head.hash));
                looks.fetch_add(1, Ordering::Relaxed);
            }
        });
        let wait_for_look = |more_than: u64| {
            while looks.load(Ordering::Relaxed) <= more_than && !reader.is_finished() {
                thread::yield_now();
            }
        };
        // The reader looks before, while and after the others write, however slowly it is scheduled.
        wait_for_look(0);
        for writer in writers(store, scope) {
            writer.join().unwrap();
        }
        wait_for_look(looks.load(Ordering::Relaxed));
        over.store(true, Ordering::Relaxed);
        reader.join().unwrap();
    });
}

/// Each with a connection and a stream of its own, in batches of three.
fn writers<'scope>(
    store: &'scope Store,
    scope: &'scope thread::Scope<'scope, '_>,
) -> Vec<thread::ScopedJoinHandle<'scope, ()>> {
    let write = |number: u64| {
        let ledger = store.again();
        let mut writer = ledger.writer().unwrap();
        let stream = format!("quest/hunter-{number}");
        for batch in 0..BATCHES {
            append(writer.as_mut(), (batch * 3 + 1..=batch * 3 + 3).map(|version| draft(&stream, version)));
        }
    };
    (0..WRITERS).map(|number| scope.spawn(move || write(number))).collect()
}

#[test]
fn whoever_watches_a_file_is_woken_by_others_and_not_by_itself() {
    let store = Store::sqlite();
    let (wake, woken) = std::sync::mpsc::channel();
    let watch = store.ledger.watch(Box::new(move || wake.send(()).unwrap_or_default())).unwrap();
    store.fill("quest/anna", 2);
    // Time to notice; nothing depends on its being enough.
    assert!(woken.recv_timeout(std::time::Duration::from_millis(600)).is_err());
    crate::stage::fill(&*store.again(), "quest/anna", 1);
    assert!(woken.recv_timeout(std::time::Duration::from_secs(60)).is_ok());
    drop(watch);
    assert!(woken.recv().is_err(), "nobody looks any more");
}
