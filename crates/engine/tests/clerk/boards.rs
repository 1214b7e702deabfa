//! Live boards equal rebuilt boards, from the beginning and from snapshots, with one process or two.

use std::sync::Arc;

use assize_ledger::{Ledger, MemoryLedger, Snapshot, export, import};
use proptest::prelude::*;

use crate::bench::{Working, add, new, over, stream};
use crate::tally::TallyCommand::Open;

/// A copy of the ledger without its snapshots.
fn bare_copy(ledger: &dyn Ledger) -> Arc<dyn Ledger> {
    let mut lines = Vec::new();
    export(ledger, &mut lines, &mut |_| {}).unwrap();
    let copy: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
    import(&*copy, &mut lines.as_slice(), &mut |_| {}).unwrap();
    copy
}

async fn play(clerks: &[&Working], moves: &[(u8, u8, i8)]) {
    for name in ["a", "b", "c"] {
        clerks[0].hear(name, Open).await.unwrap();
    }
    for (index, (name, who, points)) in moves.iter().enumerate() {
        let name = ["a", "b", "c"][usize::from(name % 3)];
        let clerk = clerks[index % clerks.len()];
        clerk.hear(name, add(&format!("p{}-{name}", who % 7), i64::from(*points))).await.unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn live_and_rebuilt_are_equal(moves in prop::collection::vec((0..3_u8, 0..7_u8, -3..4_i8), 0..60)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (ledger, live) = new();
            play(&[&live], &moves).await;
            let board = live.board();
            let rebuilt = over(&bare_copy(&*ledger));
            prop_assert_eq!(&rebuilt.board(), &board);
            prop_assert_eq!(rebuilt.tag(), live.tag());
            live.close();
            prop_assert!(ledger.snapshot("assize/views").unwrap().is_some());
            prop_assert_eq!(&over(&ledger).board(), &board);
            Ok(())
        })?;
    }

    #[test]
    fn two_processes_over_one_ledger_come_to_the_same(moves in prop::collection::vec((0..3_u8, 0..7_u8, -3..4_i8), 2..60)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (ledger, one) = new();
            let two = over(&ledger);
            play(&[&one, &two], &moves).await;
            // A process that appends has first applied what the other appended.
            one.hear("a", add("last", 1)).await.unwrap();
            two.hear("a", add("last", 1)).await.unwrap();
            let rebuilt = over(&bare_copy(&*ledger));
            prop_assert_eq!(&two.board(), &rebuilt.board());
            prop_assert_eq!(two.tag(), rebuilt.tag());
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn a_long_stream_is_loaded_from_its_snapshot() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    for _ in 0..1_100 {
        working.hear("a", add("ann", 1)).await.unwrap();
    }
    working.close();
    let saved = ledger.snapshot("tally/a").unwrap().expect("a thousand events are worth a snapshot");
    assert!(saved.version >= 1_000);
    let again = over(&ledger);
    assert_eq!(again.state("a").await.sums["ann"], 1_100);
    again.hear("a", add("ann", 1)).await.unwrap();
    assert_eq!(again.board(), [(1, "ann".into(), 1_101.0)]);
}

#[tokio::test]
async fn a_snapshot_of_another_history_or_edition_is_not_believed() {
    let (ledger, working) = new();
    working.hear("a", Open).await.unwrap();
    working.hear("a", add("ann", 1)).await.unwrap();
    working.close();
    let lie = r#"{"rulebook":null,"sums":{"ann":999},"alarm":null,"rings":[],"stuck":false}"#;
    let honest = ledger.head().unwrap();
    let of = |hash, edition: &str, name: String, body: &str| Snapshot {
        name,
        position: honest.position,
        hash,
        version: 2,
        edition: edition.into(),
        body: body.into(),
    };
    let views = r#"{"boards":{"tally":[["ann",{"points":999.0,"ties":[0,0]}]]},"deadlines":{}}"#;
    let wrong_hash = assize_kernel::Digest::of(b"another history");
    let lies = [
        of(wrong_hash, "1", stream("a").to_string(), lie),
        of(honest.hash, "tally:0", "assize/views".into(), views),
    ];
    ledger.writer().unwrap().save_snapshots(&lies).unwrap();
    let again = over(&ledger);
    assert_eq!(again.state("a").await.sums["ann"], 1);
    assert_eq!(again.board(), [(1, "ann".into(), 1.0)]);
}
