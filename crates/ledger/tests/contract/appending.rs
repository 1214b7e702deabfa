//! Appending: gapless, in order, whole batches, chained to what stands.

use assize_kernel::{Digest, Head, Personal};
use assize_ledger::{Batch, Depth, LedgerError, Scan};

use crate::stage::{Store, append, draft, key_entry, scanned, seal};

contract! { [memory sqlite postgres] {
    records_stand_in_the_order_they_were_written
    a_batch_is_written_whole_or_not_at_all
    a_batch_that_skips_a_position_is_refused
    a_batch_that_is_not_chained_to_the_head_is_refused
    a_dropped_turn_leaves_nothing
    a_turn_can_be_filled_in_parts
    a_failed_part_spoils_the_turn
    an_empty_batch_changes_nothing
    whoever_has_the_turn_can_read_what_stands
} }

fn records_stand_in_the_order_they_were_written(store: &Store) {
    let mut written = store.fill("contest/spring", 3);
    written.extend(store.fill("quest/anna", 2));
    written.extend(store.fill("contest/spring", 1));
    assert_eq!(store.records(), written);
    let positions: Vec<u64> = written.iter().map(|record| record.position).collect();
    assert_eq!(positions, [1, 2, 3, 4, 5, 6]);
    let last = written.last().unwrap();
    assert_eq!(store.ledger.head().unwrap(), Head { position: 6, hash: last.hash });
}

fn a_batch_is_written_whole_or_not_at_all(store: &Store) {
    let before = store.fill("contest/spring", 2);
    let mut writer = store.ledger.writer().unwrap();
    let turn = writer.lock().unwrap();
    let mut batch = seal(turn.head(), [draft("quest/anna", 1), draft("contest/spring", 2)]);
    let personal = Personal { subject: "anna".into(), salt: [1; 16], text: "secret".into() };
    batch.personal.push((3, personal.clone()));
    batch.keys.push(key_entry("once"));
    assert!(matches!(turn.commit(&batch), Err(LedgerError::Damaged(_))));

    assert_eq!(store.records(), before);
    assert_eq!(store.ledger.personal(&personal.digest()).unwrap(), None);
    assert_eq!(store.ledger.keys(&[key_entry("once").key]).unwrap(), [None]);
    assert_eq!(append(writer.as_mut(), [draft("quest/anna", 1)])[0].position, 3);
}

fn a_batch_that_skips_a_position_is_refused(store: &Store) {
    let mut writer = store.ledger.writer().unwrap();
    let turn = writer.lock().unwrap();
    let mut batch = seal(turn.head(), (1..=3).map(|version| draft("contest/spring", version)));
    batch.records.remove(1);
    let error = turn.commit(&batch).unwrap_err().to_string();
    assert_eq!(error, "record 3 cannot be appended: the ledger ends at 1");
    assert_eq!(store.records(), []);
}

fn a_batch_that_is_not_chained_to_the_head_is_refused(store: &Store) {
    let before = store.fill("contest/spring", 1);
    let mut writer = store.ledger.writer().unwrap();
    let turn = writer.lock().unwrap();
    let elsewhere = Head { position: 1, hash: Digest::of(b"another history") };
    let error = turn.commit(&seal(elsewhere, [draft("quest/anna", 1)])).unwrap_err().to_string();
    assert_eq!(error, "record 2 is not chained to the one before it");
    assert_eq!(store.records(), before);
}

fn a_dropped_turn_leaves_nothing(store: &Store) {
    let before = store.fill("contest/spring", 2);
    let mut writer = store.ledger.writer().unwrap();
    let mut turn = writer.lock().unwrap();
    turn.append(&seal(turn.head(), [draft("quest/anna", 1)])).unwrap();
    assert_eq!(turn.head().position, 3);
    drop(turn);
    assert_eq!(store.records(), before);
    assert_eq!(writer.lock().unwrap().head().position, 2);
    let mut another = store.again().writer().unwrap();
    assert_eq!(append(another.as_mut(), [draft("quest/anna", 1)])[0].position, 3);
}

fn a_turn_can_be_filled_in_parts(store: &Store) {
    let mut writer = store.ledger.writer().unwrap();
    let mut turn = writer.lock().unwrap();
    turn.append(&seal(turn.head(), [draft("quest/anna", 1), draft("quest/anna", 2)])).unwrap();
    turn.append(&seal(turn.head(), [draft("quest/bert", 1)])).unwrap();
    assert_eq!(store.ledger.head().unwrap(), Head::START, "nobody sees a part");
    let last = seal(turn.head(), [draft("quest/anna", 3)]);
    turn.commit(&last).unwrap();
    assert_eq!(store.records().len(), 4);
    assert_eq!(store.ledger.head().unwrap().hash, last.records[0].hash);
}

fn a_failed_part_spoils_the_turn(store: &Store) {
    let before = store.fill("contest/spring", 1);
    let mut writer = store.ledger.writer().unwrap();
    let mut turn = writer.lock().unwrap();
    turn.append(&seal(turn.head(), [draft("quest/anna", 1)])).unwrap();
    let twice = seal(turn.head(), [draft("contest/spring", 1)]);
    let outcome = turn.append(&twice).and_then(|()| turn.commit(&Batch::default()));
    assert!(matches!(outcome, Err(LedgerError::Damaged(_))), "{outcome:?}");
    assert_eq!(store.records(), before);
    assert_eq!(append(writer.as_mut(), [draft("quest/anna", 1)])[0].position, 2);
}

fn an_empty_batch_changes_nothing(store: &Store) {
    let before = store.fill("contest/spring", 2);
    let mut writer = store.ledger.writer().unwrap();
    writer.lock().unwrap().commit(&Batch::default()).unwrap();
    assert_eq!(store.records(), before);
    assert_eq!(writer.lock().unwrap().head(), store.ledger.head().unwrap());
}

fn whoever_has_the_turn_can_read_what_stands(store: &Store) {
    let mut writer = store.ledger.writer().unwrap();
    store.fill("contest/spring", 3);
    let turn = writer.lock().unwrap();
    let seen = scanned(store.ledger.as_ref(), Scan::all(1, Depth::Whole));
    assert_eq!((turn.head().position, seen.len()), (3, 2));
}
