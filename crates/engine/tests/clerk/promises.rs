//! Order, durability, refusals, panics, back-pressure and shutdown.

use assize_engine::{ClerkError, ClerkSettings, Petition};
use assize_kernel::{Actor, Personal, Role};
use assize_ledger::verify;

use crate::bench::{add, kinds, new, over, petition, records, with};
use crate::tally::TallyCommand::{BreakDown, Open};

#[tokio::test]
async fn what_is_answered_is_in_the_ledger_with_its_receipt() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    let answer = working.hear("a", add("ann", 7)).await.unwrap();
    let found = records(&*ledger);
    assert_eq!(kinds(&*ledger), ["Opened", "RulebookEntered", "Added"]);
    assert_eq!(*answer.records[0], found[2]);
    assert!(!answer.repeated);
    assert!(verify(&*ledger, &mut |_| {}).unwrap().problems.is_empty());
}

#[tokio::test]
async fn each_command_is_decided_on_what_the_ones_before_it_left() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    let working = std::sync::Arc::new(working);
    let tasks: Vec<_> = (0..500)
        .map(|_| {
            let working = working.clone();
            tokio::spawn(async move { working.hear("a", add("ann", 1)).await.unwrap() })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(working.state("a").await.sums["ann"], 500);
    let versions: Vec<u64> = records(&*ledger)
        .iter()
        .filter(|r| r.draft.stream.court() == "tally")
        .map(|r| r.draft.version)
        .collect();
    assert_eq!(versions, (1..=501).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_refusal_leaves_nothing_behind() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    let before = records(&*ledger).len();
    let refused = working.hear("a", add("ann", 101)).await.unwrap_err();
    assert!(matches!(refused, ClerkError::Refused(refusal) if refusal.code == "tally.too_much"));
    assert_eq!(records(&*ledger).len(), before);
    assert_eq!(working.state("a").await.sums.len(), 0);
}

#[tokio::test]
async fn a_court_that_breaks_down_costs_nobody_anything() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    working.hear("a", add("ann", 5)).await.unwrap();
    let broken = working.hear("a", BreakDown).await.unwrap_err();
    assert!(matches!(broken, ClerkError::Broken(_)), "{broken}");
    working.hear("a", add("ann", 5)).await.unwrap();
    assert_eq!(working.state("a").await.sums["ann"], 10);
    assert_eq!(working.board(), [(1, "ann".into(), 10.0)]);
    assert_eq!(kinds(&*ledger), ["Opened", "RulebookEntered", "Added", "Added"]);
}

#[tokio::test]
async fn a_command_for_another_court_is_our_fault_and_is_not_recorded() {
    let (ledger, working) = new();
    let wrong = Petition { command: Box::new("no command"), ..petition(&working.clerk, "a", Open) };
    assert!(matches!(working.clerk.submit(wrong).await, Err(ClerkError::Broken(_))));
    assert_eq!(records(&*ledger).len(), 0);
}

#[tokio::test]
async fn a_rulebook_is_entered_once_and_found_again_after_a_restart() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    working.hear("b", Open).await.unwrap();
    assert_eq!(kinds(&*ledger), ["Opened", "RulebookEntered", "Opened"]);
    let text = "court = \"tally\"\nname = \"strict\"\nversion = 3\nmost = 1\n";
    let strict = assize_kernel::AnyCourt::read_rulebook(
        &assize_kernel::CourtAdapter::<crate::tally::Tally>::new(),
        "strict.toml",
        text,
    );
    let opening = Petition { rulebook: Some(strict.unwrap()), ..petition(&working.clerk, "c", Open) };
    working.clerk.submit(opening).await.unwrap();
    working.close();
    let again = over(&ledger);
    assert!(
        again.hear("c", add("ann", 2)).await.is_err(),
        "the strict rulebook is not at hand any more, but in the ledger"
    );
    again.hear("a", add("ann", 2)).await.unwrap();
    assert_eq!(again.state("c").await.rulebook.unwrap().version, 3);
}

#[tokio::test]
async fn personal_text_is_kept_outside_the_chain_and_comes_with_its_record() {
    let (ledger, working) = new();
    let personal = Personal { subject: "ann".into(), salt: [9; 16], text: "ann@example.org".into() };
    let opening = Petition { personal: vec![personal.clone()], ..petition(&working.clerk, "a", Open) };
    let position = working.clerk.submit(opening).await.unwrap().records[0].position;
    assert_eq!(ledger.personal_of(1, 9).unwrap(), [(position, personal.clone())]);
    let actor = Actor::new(Role::Admin, "tester");
    assert_eq!(assize_ledger::erase(&*ledger, "ann", working.clerk.now(), &actor).unwrap().texts, 1);
    assert_eq!(ledger.personal(&personal.digest()).unwrap(), None);
    working.hear("a", add("ann", 1)).await.unwrap();
    assert!(verify(&*ledger, &mut |_| {}).unwrap().problems.is_empty());
}

#[tokio::test]
async fn a_full_queue_is_said_at_once_and_nothing_is_done() {
    let (ledger, first) = new();
    first.hear("a", Open).await.unwrap();
    let mut writer = ledger.writer().unwrap();
    let turn = writer.lock().unwrap();
    let working = with(&ledger, ClerkSettings { queue: 2, batch: 1, runtime: None });
    // While another writer holds the lock, one petition is in flight and two are queued.
    let mut waiting: Vec<_> = (0..20).map(|_| Box::pin(working.hear("a", add("ann", 1)))).collect();
    let mut full = 0;
    for petition in &mut waiting {
        let polled =
            std::future::poll_fn(|context| std::task::Poll::Ready(petition.as_mut().poll(context))).await;
        full += usize::from(matches!(polled, std::task::Poll::Ready(Err(ClerkError::QueueFull))));
    }
    assert!((17..=18).contains(&full), "{full} of 20 were rejected");
    drop(turn);
    drop(writer);
    drop(waiting);
    working.until("a", |state| state.sums.get("ann") == Some(&(20 - i64::try_from(full).unwrap()))).await;
}

#[tokio::test]
async fn after_closing_nothing_is_taken_any_more() {
    let (_, working) = new();
    let clerk = working.clerk.clone();
    working.close();
    assert!(matches!(clerk.submit(petition(&clerk, "a", Open)).await, Err(ClerkError::Closing)));
}
