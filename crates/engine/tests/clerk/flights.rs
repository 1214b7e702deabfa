//! Batches in flight: decisions on top of batches that are not on disk yet.

use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use assize_engine::{ClerkError, Petition};
use assize_ledger::{Ledger, SqliteLedger};

use crate::bench::{Working, add, key, kinds, new, over, petition, stream};
use crate::tally::TallyCommand::Open;
use crate::tally::TallyState;

/// Polls a future that cannot complete yet, and gives the clerk time to decide it.
async fn begin<F: Future>(future: F) -> Pin<Box<F>> {
    let mut future = Box::pin(future);
    let polled = std::future::poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await;
    assert!(polled.is_pending());
    // Usually enough time to decide it; the tests pass even if it is not.
    tokio::time::sleep(Duration::from_millis(20)).await;
    future
}

async fn keyed(working: &Working, points: i64) -> Result<assize_engine::Answer, ClerkError> {
    let petition = petition(&working.clerk, "a", add("ann", points));
    working.clerk.submit(Petition { key: key("k", &points.to_string()), ..petition }).await
}

#[tokio::test]
async fn nobody_sees_a_state_before_it_is_on_disk() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    let mut writer = ledger.writer().unwrap();
    let turn = writer.lock().unwrap();
    let first = begin(working.hear("a", add("ann", 1))).await;
    let second = begin(working.hear("a", add("ann", 2))).await;
    let look = begin(working.clerk.inspect(stream("a"), TallyState::clone)).await;
    assert_eq!(working.board(), []);
    drop(turn);
    assert_eq!(look.await.unwrap().sums["ann"], 3);
    first.await.unwrap();
    second.await.unwrap();
    assert_eq!(working.board(), [(1, "ann".into(), 3.0)]);
}

#[tokio::test]
async fn a_read_that_waits_for_the_disk_keeps_no_other_read_waiting() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    working.hear("b", Open).await.unwrap();
    let mut writer = ledger.writer().unwrap();
    let turn = writer.lock().unwrap();
    let written = begin(working.hear("a", add("ann", 1))).await;
    let look = begin(working.clerk.inspect(stream("a"), TallyState::clone)).await;
    let other = tokio::time::timeout(Duration::from_secs(5), working.state("b")).await;
    assert!(other.expect("nothing of `b` is on its way to the disk").sums.is_empty());
    drop(turn);
    written.await.unwrap();
    assert_eq!(look.await.unwrap().sums["ann"], 1);
}

#[tokio::test]
async fn reads_are_answered_while_others_go_on_writing() {
    let (_, working) = new();
    working.hear("a", Open).await.unwrap();
    let clerk = working.clerk.clone();
    let writing = tokio::spawn(async move {
        for _ in 0..200 {
            let add = petition(&clerk, "a", add("ann", 1));
            clerk.submit(add).await.unwrap();
        }
    });
    let mut before = 0;
    while !writing.is_finished() {
        let seen = working.state("a").await.sums.get("ann").copied().unwrap_or_default();
        assert!(seen >= before, "a later read sees at least as much");
        before = seen;
    }
    writing.await.unwrap();
    assert_eq!(working.state("a").await.sums["ann"], 200);
}

#[tokio::test]
async fn a_request_repeated_while_the_first_is_on_its_way_is_done_once() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    let mut writer = ledger.writer().unwrap();
    let turn = writer.lock().unwrap();
    let first = begin(keyed(&working, 5)).await;
    let second = begin(keyed(&working, 5)).await;
    let other = begin(keyed(&working, 6)).await;
    drop(turn);
    let first = first.await.unwrap();
    let second = second.await.unwrap();
    assert_eq!((first.repeated, second.repeated), (false, true));
    assert_eq!(first.records, second.records);
    assert!(matches!(other.await, Err(ClerkError::KeyReused)));
    assert_eq!(working.state("a").await.sums["ann"], 5);
}

#[tokio::test]
async fn what_was_decided_on_a_batch_that_never_reached_the_disk_is_decided_again() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("ledger.db");
    let patience = Duration::from_millis(200);
    let ledger: Arc<dyn Ledger> = Arc::new(SqliteLedger::open_patiently(&file, patience).unwrap());
    let working = over(&ledger);
    working.hear("a", Open).await.unwrap();
    working.hear("a", add("ann", 1)).await.unwrap();
    let mut writer = ledger.writer().unwrap();
    let turn = writer.lock().unwrap();
    // The first times out waiting for the writer lock; the others were decided on top of it, one with a key.
    let first = begin(working.hear("a", add("ann", 10))).await;
    let mut on_top = vec![begin(working.hear("a", add("ann", 20))).await];
    let keyed = begin(keyed(&working, 30)).await;
    let look = begin(working.clerk.inspect(stream("a"), TallyState::clone)).await;
    assert!(matches!(first.await, Err(ClerkError::Unavailable(_))));
    // What the read saw at first never reached the disk.
    assert_eq!(look.await.unwrap().sums["ann"], 1);
    drop(turn);
    on_top.push(Box::pin(working.hear("a", add("ann", 40))));
    let mut sum = 1;
    for (points, heard) in [20, 40].into_iter().zip(on_top) {
        sum += if heard.await.is_ok() { points } else { 0 };
    }
    sum += if keyed.await.is_ok() { 30 } else { 0 };
    assert!(sum > 40, "the last one came when the turn was free again");
    assert_eq!(working.state("a").await.sums["ann"], sum, "only what was acknowledged, and all of it");
    assert_eq!(working.board(), [(1, "ann".into(), f64::from(u16::try_from(sum).unwrap()))]);
    assert!(assize_ledger::verify(&*ledger, &mut |_| {}).unwrap().problems.is_empty());
}

#[tokio::test]
async fn what_was_overtaken_is_decided_on_what_the_others_have_left() {
    let (ledger, one) = new();
    one.hear("a", Open).await.unwrap();
    let two = over(&ledger);
    // Neither process knows yet what the other has just appended.
    for _ in 0..20 {
        one.hear("a", add("ann", 1)).await.unwrap();
        two.hear("a", add("ann", 1)).await.unwrap();
    }
    assert_eq!(one.hear("a", add("ann", 1)).await.unwrap().records[0].draft.version, 42);
    assert_eq!(one.state("a").await.sums["ann"], 41);
    assert_eq!(kinds(&*ledger).len(), 43);
}
