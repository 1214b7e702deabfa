//! Scans: by position, by stream, with limits and depths.

use std::ops::ControlFlow;

use assize_kernel::Moment;
use assize_ledger::{Depth, Scan};

use crate::stage::{Store, append, draft, scanned};

contract! { [memory sqlite postgres] {
    every_field_comes_back_as_it_was_written
    a_stream_is_read_by_version
    a_scan_ends_where_it_is_told
    facts_come_without_the_evidence
    the_record_at_a_position_is_found
    a_scan_longer_than_a_page_is_whole
    a_record_can_be_looked_up_in_the_middle_of_a_scan
} }

fn every_field_comes_back_as_it_was_written(store: &Store) {
    let mut odd = draft("contest/spring", 1);
    odd.edition = u32::MAX;
    odd.at = Moment::from_millis(-1);
    odd.actor = "app:Ünder \"quotes\" 'n' \\ things".into();
    odd.body = "{\"b\":1,\"a\":[1.0,2e3,\"\\u0000 🦀\"],\"a\":null}".into();
    odd.verdict = Some("".into());
    let mut bare = draft("contest/spring", 2);
    bare.verdict = None;
    let mut writer = store.ledger.writer().unwrap();
    let written = append(writer.as_mut(), [odd, bare]);
    assert_eq!(store.records(), written);
}

fn a_stream_is_read_by_version(store: &Store) {
    store.fill("contest/spring", 2);
    store.fill("contest/spring-2", 4);
    store.fill("contest/spring", 3);
    let versions = |after| -> Vec<(u64, u64)> {
        let read = scanned(store.ledger.as_ref(), Scan::stream("contest/spring", after, Depth::Whole));
        read.iter().map(|record| (record.draft.version, record.position)).collect()
    };
    assert_eq!(versions(0), [(1, 1), (2, 2), (3, 7), (4, 8), (5, 9)]);
    assert_eq!(versions(3), [(4, 8), (5, 9)]);
    assert_eq!(versions(5), []);
    assert_eq!(scanned(store.ledger.as_ref(), Scan::stream("contest/none", 0, Depth::Facts)), []);
}

fn a_scan_ends_where_it_is_told(store: &Store) {
    let written = store.fill("contest/spring", 5);
    let some = scanned(store.ledger.as_ref(), Scan { limit: 2, ..Scan::all(1, Depth::Whole) });
    assert_eq!(some, written[1..3]);
    assert_eq!(scanned(store.ledger.as_ref(), Scan { limit: 0, ..Scan::all(0, Depth::Whole) }), []);
    assert_eq!(scanned(store.ledger.as_ref(), Scan::all(5, Depth::Whole)), []);
    assert_eq!(scanned(store.ledger.as_ref(), Scan::all(u64::MAX, Depth::Whole)), []);
    let mut seen = 0;
    let each = &mut |_: assize_kernel::RecordRef<'_>| {
        seen += 1;
        if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    store.ledger.scan(Scan::all(0, Depth::Facts), each).unwrap();
    assert_eq!(seen, 3);
}

fn facts_come_without_the_evidence(store: &Store) {
    let written = store.fill("contest/spring", 2);
    assert!(written[0].draft.verdict.is_some());
    for scan in [Scan::all(0, Depth::Facts), Scan::stream("contest/spring", 0, Depth::Facts)] {
        let read = scanned(store.ledger.as_ref(), scan);
        assert_eq!(read[0].draft.verdict, None);
        assert_eq!((read[0].position, &read[0].draft.body), (written[0].position, &written[0].draft.body));
        assert_eq!(read[0].hash, assize_kernel::Digest::ZERO);
    }
}

fn the_record_at_a_position_is_found(store: &Store) {
    let written = store.fill("contest/spring", 3);
    assert_eq!(scanned(store.ledger.as_ref(), Scan::at(2)), written[1..2]);
    assert_eq!(scanned(store.ledger.as_ref(), Scan::at(4)), []);
}

fn a_scan_longer_than_a_page_is_whole(store: &Store) {
    store.fill("quest/anna", 1);
    let written = store.fill("contest/spring", 9_000);
    assert_eq!(scanned(store.ledger.as_ref(), Scan::all(1, Depth::Whole)), written);
    assert_eq!(scanned(store.ledger.as_ref(), Scan::stream("contest/spring", 0, Depth::Whole)), written);
    let most = Scan { limit: 8_500, ..Scan::all(1, Depth::Whole) };
    assert_eq!(scanned(store.ledger.as_ref(), most), written[..8_500]);
}

fn a_record_can_be_looked_up_in_the_middle_of_a_scan(store: &Store) {
    store.fill("contest/spring", 4);
    let mut heads = Vec::new();
    let each = &mut |_: assize_kernel::RecordRef<'_>| {
        heads.push(store.ledger.head().unwrap().position);
        ControlFlow::Continue(())
    };
    store.ledger.scan(Scan::all(0, Depth::Facts), each).unwrap();
    assert_eq!(heads, [4; 4]);
}
