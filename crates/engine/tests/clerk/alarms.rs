//! Deadlines: fired once, and recorded with the time they were due.

use assize_kernel::{Millis, Moment};

use crate::bench::{add, kinds, new, over, records};
use crate::tally::TallyCommand::{BreakDown, Jam, Open, SetAlarm};

#[tokio::test]
async fn a_deadline_happens_by_itself_dated_when_it_was_due() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    let at = working.clerk.now() + Millis(30);
    working.hear("a", SetAlarm { at }).await.unwrap();
    let state = working.until("a", |state| !state.rings.is_empty()).await;
    assert_eq!(state.rings, [at]);
    let last = records(&*ledger).pop().unwrap();
    assert_eq!(
        (last.draft.kind.as_ref(), last.draft.actor.as_str(), last.draft.at),
        ("Rang", "system:clock", at)
    );
}

#[tokio::test]
async fn a_deadline_comes_before_any_command_received_after_it() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    // Far in the future: only a command with a later time fires it.
    let at = working.clerk.now() + Millis(3_600_000);
    working.hear("a", SetAlarm { at }).await.unwrap();
    working.hear_at("a", add("ann", 1), at - Millis(1)).await.unwrap();
    working.hear_at("a", add("ann", 1), at).await.unwrap();
    let expected = ["Opened", "RulebookEntered", "AlarmSet", "Added", "Rang", "Added"];
    assert_eq!(kinds(&*ledger), expected);
}

#[tokio::test]
async fn a_deadline_that_passed_while_nobody_served_happens_once_after_the_start() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    let at = working.clerk.now() + Millis(200);
    working.hear("a", SetAlarm { at }).await.unwrap();
    working.close();
    assert_eq!(kinds(&*ledger).last().unwrap(), "AlarmSet", "closed before it was due");
    std::thread::sleep(std::time::Duration::from_millis(250));
    for _ in 0..2 {
        let again = over(&ledger);
        let state = again.until("a", |state| !state.rings.is_empty()).await;
        assert_eq!(state.rings, [at]);
        again.close();
    }
}

#[tokio::test]
async fn two_processes_let_a_deadline_happen_once() {
    let (ledger, one) = new();
    one.hear("a", Open).await.unwrap();
    let at = one.clerk.now() + Millis(100);
    one.hear("a", SetAlarm { at }).await.unwrap();
    let two = over(&ledger);
    one.until("a", |state| !state.rings.is_empty()).await;
    two.until("a", |state| !state.rings.is_empty()).await;
    one.hear("a", add("ann", 1)).await.unwrap();
    two.hear("a", add("ann", 1)).await.unwrap();
    assert_eq!(two.state("a").await.rings, [at]);
    assert_eq!(kinds(&*ledger).iter().filter(|kind| *kind == "Rang").count(), 1);
}

#[tokio::test]
async fn a_deadline_outlives_a_breakdown_in_the_same_batch() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    working.hear("b", Open).await.unwrap();
    let at = working.clerk.now() + Millis(200);
    let mut writer = ledger.writer().unwrap();
    let turn = writer.lock().unwrap();
    // While another writer holds the lock, the first petition is in flight and the other two form a batch.
    let mut first = Box::pin(working.hear("b", add("bob", 1)));
    let mut alarm = Box::pin(working.hear("a", SetAlarm { at }));
    let mut breakdown = Box::pin(working.hear("a", BreakDown));
    poll(&mut first).await;
    std::thread::sleep(std::time::Duration::from_millis(50));
    poll(&mut alarm).await;
    poll(&mut breakdown).await;
    drop(turn);
    first.await.unwrap();
    alarm.await.unwrap();
    assert!(breakdown.await.is_err());
    assert_eq!(working.until("a", |state| !state.rings.is_empty()).await.rings, [at]);
}

/// Polls a future once, without waiting for it.
async fn poll<F: Future>(future: &mut std::pin::Pin<Box<F>>) {
    let polled = std::future::poll_fn(|context| std::task::Poll::Ready(future.as_mut().poll(context))).await;
    assert!(polled.is_pending());
}

#[tokio::test]
async fn a_deadline_that_cannot_be_met_does_not_stop_anything_else() {
    let (_, working) = new();
    working.hear("a", Open).await.unwrap();
    working.hear("b", Open).await.unwrap();
    working.hear("a", Jam { at: Moment::from_millis(1) }).await.unwrap();
    working.hear("b", add("bob", 1)).await.unwrap();
    assert!(working.hear("a", add("ann", 1)).await.is_err(), "what comes after it there cannot be decided");
    assert_eq!(working.state("b").await.sums["bob"], 1);
}
