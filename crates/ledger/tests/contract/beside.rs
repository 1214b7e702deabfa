//! Side tables: idempotency keys and snapshots.

use assize_kernel::{Digest, Moment};
use assize_ledger::{Batch, KeyEntry, LedgerError, ScopedKey, Snapshot};

use crate::stage::{Store, draft, seal};

contract! { [memory sqlite postgres] {
    a_key_is_found_again_until_it_is_forgotten
    a_key_used_again_stands_for_the_newer_answer
    a_snapshot_takes_the_place_of_the_one_before
} }

fn entry(scope: &str, key: &str, at: i64, first: u64) -> KeyEntry {
    KeyEntry {
        key: ScopedKey { scope: scope.into(), key: key.into() },
        request: Digest::of(key.as_bytes()),
        at: Moment::from_millis(at),
        first,
        last: first + 1,
    }
}

fn a_key_is_found_again_until_it_is_forgotten(store: &Store) {
    let mut writer = store.ledger.writer().unwrap();
    let (old, new) = (entry("anna", "k1", 1_000, 1), entry("bert", "k1", 2_000, 1));
    let turn = writer.lock().unwrap();
    let batch = seal(turn.head(), [draft("quest/anna", 1), draft("quest/anna", 2)]);
    turn.commit(&Batch { keys: vec![old.clone(), new.clone()], ..batch }).unwrap();

    let unknown = ScopedKey { scope: "anna".into(), key: "k2".into() };
    let asked = [unknown, new.key.clone(), old.key.clone(), new.key.clone()];
    let found = store.ledger.keys(&asked).unwrap();
    assert_eq!(found, [None, Some(new.clone()), Some(old), Some(new.clone())]);
    assert_eq!(store.ledger.keys(&[]).unwrap(), []);

    writer.forget_keys(Moment::from_millis(2_000)).unwrap();
    let found = store.again().keys(&asked).unwrap();
    assert_eq!(found, [None, Some(new.clone()), None, Some(new)]);
}

fn a_key_used_again_stands_for_the_newer_answer(store: &Store) {
    let mut writer = store.ledger.writer().unwrap();
    let newest = entry("anna", "k1", 9_000, 7);
    for keys in [vec![entry("anna", "k1", 1, 1)], vec![entry("anna", "k1", 2, 5), newest.clone()]] {
        writer.lock().unwrap().commit(&Batch { keys, ..Batch::default() }).unwrap();
    }
    assert_eq!(store.ledger.keys(std::slice::from_ref(&newest.key)).unwrap(), [Some(newest)]);
}

fn snapshot(name: &str, position: u64) -> Snapshot {
    Snapshot {
        name: name.into(),
        position,
        hash: Digest::of(b"there"),
        version: position / 2,
        edition: "contest 3".into(),
        body: format!("{{\"at\":{position}}}"),
    }
}

#[test]
fn a_snapshot_that_was_changed_is_damaged_until_it_is_saved_again() {
    for store in [Store::sqlite(), Store::postgres()] {
        changed_snapshots_are_damaged(&store);
    }
}

fn changed_snapshots_are_damaged(store: &Store) {
    let mut writer = store.ledger.writer().unwrap();
    let zeros = if store.has_head() { "decode(repeat('00', 32), 'hex')" } else { "zeroblob(32)" };
    let hash = format!("hash = {zeros}");
    let digest = format!("digest = {zeros}");
    for change in
        ["body = '{\"at\":11}'", "position = 9", "version = 4", "edition = 'contest 4'", &hash, &digest]
    {
        writer.save_snapshots(&[snapshot("a", 10), snapshot("b", 10)]).unwrap();
        store.sql(&format!("UPDATE snapshots SET {change} WHERE name = 'a'"));
        let found = store.again().snapshot("a");
        assert!(
            matches!(&found, Err(LedgerError::Damaged(why)) if why.contains("`a`")),
            "{change}: {found:?}"
        );
        assert_eq!(store.again().snapshot("b").unwrap(), Some(snapshot("b", 10)));
    }
    store.sql("DELETE FROM snapshots WHERE name = 'b'; UPDATE snapshots SET name = 'b' WHERE name = 'a'");
    assert!(matches!(store.again().snapshot("b"), Err(LedgerError::Damaged(_))), "another one's");
    writer.save_snapshots(&[snapshot("b", 20)]).unwrap();
    assert_eq!(store.again().snapshot("b").unwrap(), Some(snapshot("b", 20)));
}

fn a_snapshot_takes_the_place_of_the_one_before(store: &Store) {
    let mut writer = store.ledger.writer().unwrap();
    writer.save_snapshots(&[]).unwrap();
    writer.save_snapshots(&[snapshot("a", 10), snapshot("b", 10)]).unwrap();
    writer.save_snapshots(&[snapshot("b", 20), snapshot("b", 30)]).unwrap();
    let ledger = store.again();
    assert_eq!(ledger.snapshot("a").unwrap(), Some(snapshot("a", 10)));
    assert_eq!(ledger.snapshot("b").unwrap(), Some(snapshot("b", 30)));
    assert_eq!(ledger.snapshot("c").unwrap(), None);
    assert_eq!(ledger.snapshot_names().unwrap(), ["a", "b"]);
}
