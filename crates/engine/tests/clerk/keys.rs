//! Idempotency keys: a repeated request gets the first answer.

use assize_engine::{Clerk, ClerkError, Petition};

use crate::bench::{add, key, kinds, new, over, petition};
use crate::tally::TallyCommand::Open;

#[tokio::test]
async fn the_same_request_under_the_same_key_is_done_once() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    let request = || Petition { key: key("k", "+1"), ..petition(&working.clerk, "a", add("ann", 1)) };
    let first = working.clerk.submit(request()).await.unwrap();
    let second = working.clerk.submit(request()).await.unwrap();
    assert_eq!((first.repeated, second.repeated), (false, true));
    assert_eq!(first.records, second.records);
    assert_eq!(working.state("a").await.sums["ann"], 1);
    assert_eq!(kinds(&*ledger), ["Opened", "RulebookEntered", "Added"]);
}

#[tokio::test]
async fn also_within_one_batch() {
    let (_, working) = new();
    working.hear("a", Open).await.unwrap();
    let request = || Petition { key: key("k", "+1"), ..petition(&working.clerk, "a", add("ann", 1)) };
    let answers = [request(), request(), request()].map(|petition| working.clerk.submit(petition));
    let [first, second, third] = answers;
    let (first, second, third) = tokio::join!(first, second, third);
    assert_eq!(first.unwrap().records, second.unwrap().records);
    assert!(third.unwrap().repeated);
    assert_eq!(working.state("a").await.sums["ann"], 1);
}

#[tokio::test]
async fn another_request_under_the_same_key_is_noticed() {
    let (_, working) = new();
    working.hear("a", Open).await.unwrap();
    let request =
        |points, text| Petition { key: key("k", text), ..petition(&working.clerk, "a", add("ann", points)) };
    working.clerk.submit(request(1, "+1")).await.unwrap();
    let other = working.clerk.submit(request(2, "+2")).await;
    assert!(matches!(other, Err(ClerkError::KeyReused)));
    assert_eq!(working.state("a").await.sums["ann"], 1);
}

#[tokio::test]
async fn a_refusal_does_not_use_up_its_key() {
    let (_, working) = new();
    working.hear("a", Open).await.unwrap();
    let request =
        |points| Petition { key: key("k", "+1"), ..petition(&working.clerk, "a", add("ann", points)) };
    assert!(matches!(working.clerk.submit(request(101)).await, Err(ClerkError::Refused(_))));
    assert!(!working.clerk.submit(request(1)).await.unwrap().repeated);
}

#[tokio::test]
async fn a_key_is_remembered_over_a_restart() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    let request = |clerk: &Clerk| Petition { key: key("k", "+1"), ..petition(clerk, "a", add("ann", 1)) };
    let first = working.clerk.submit(request(&working.clerk)).await.unwrap();
    working.close();
    let again = over(&ledger);
    let second = again.clerk.submit(request(&again.clerk)).await.unwrap();
    assert_eq!(first.records, second.records);
    assert!(second.repeated);
}
