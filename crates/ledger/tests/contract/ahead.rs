//! `Writer::commit_at`: batches decided without the lock are written only if the chain has not moved.

use std::thread;

use assize_kernel::{Digest, Head, Personal};
use assize_ledger::{Batch, LedgerError, Writer, verify};

use crate::stage::{Store, append, draft, key_entry, seal};

/// The number of batches of each racing writer.
const BATCHES: u64 = 40;

contract! { [memory sqlite postgres] {
    what_still_fits_is_written
    all_that_belongs_to_it_is_written_with_it
    several_are_written_together_or_not_at_all
    of_what_was_overtaken_nothing_is_written
    what_is_not_chained_to_the_end_is_refused
    what_is_there_already_is_refused_whole
    of_those_who_race_each_is_written_once
} }

fn what_still_fits_is_written(store: &Store) {
    let mut written = store.fill("contest/spring", 1);
    let mut writer = store.ledger.writer().unwrap();
    for version in 2..=4 {
        let batch = seal(store.ledger.head().unwrap(), [draft("contest/spring", version)]);
        assert!(writer.commit_at(store.ledger.head().unwrap(), &[&batch]).unwrap());
        written.push((*batch.records[0]).clone());
    }
    assert_eq!(store.records(), written);
    assert_eq!(store.ledger.head().unwrap().hash, written[3].hash);
}

fn all_that_belongs_to_it_is_written_with_it(store: &Store) {
    let mut writer = warm(store);
    let long = "long ".repeat(2_000);
    let mut drafts = [draft("quest/anna", 1), draft("quest/anna", 2)];
    drafts[1].verdict = Some(long.clone().into());
    let mut batch = seal(store.ledger.head().unwrap(), drafts);
    let personal = Personal { subject: "anna".into(), salt: [1; 16], text: "secret".into() };
    batch.personal.push((2, personal.clone()));
    batch.keys.push(key_entry("once"));
    batch.origins.push((3, "192.0.2.1 seven".into()));
    assert!(writer.commit_at(store.ledger.head().unwrap(), &[&batch]).unwrap());

    assert_eq!(store.records()[2].draft.verdict.as_deref(), Some(long.as_str()));
    assert_eq!(store.ledger.personal(&personal.digest()).unwrap(), Some(personal));
    assert_eq!(store.ledger.keys(&[key_entry("once").key]).unwrap(), [Some(key_entry("once"))]);
    assert_eq!(store.ledger.origins(1, 3).unwrap(), [(3, "192.0.2.1 seven".to_owned())]);
}

fn several_are_written_together_or_not_at_all(store: &Store) {
    let mut writer = warm(store);
    let end = store.ledger.head().unwrap();
    let mut first = seal(end, [draft("quest/anna", 1)]);
    first.keys.push(key_entry("first"));
    first.origins.push((2, "192.0.2.1 one".into()));
    let middle = &first.records[0];
    let middle = Head { position: middle.position, hash: middle.hash };
    let mut second = seal(middle, [draft("quest/anna", 2), draft("quest/bert", 1)]);
    second.keys.push(key_entry("second"));
    second.origins.push((4, "192.0.2.1 two".into()));
    let refusals = Batch::default();
    let used = || store.ledger.keys(&["first", "second"].map(|key| key_entry(key).key)).unwrap();

    let taken = seal(middle, [draft("contest/spring", 1)]);
    let outcome = writer.commit_at(end, &[&first, &taken]);
    assert!(matches!(outcome, Err(LedgerError::Damaged(_))), "{outcome:?}");
    assert_eq!((store.records().len(), used()), (1, vec![None, None]));

    assert!(writer.commit_at(end, &[&first, &refusals, &second]).unwrap());
    let written: Vec<_> = store.records().into_iter().skip(1).collect();
    let expected: Vec<_> =
        first.records.iter().chain(&second.records).map(|record| (**record).clone()).collect();
    assert_eq!(written, expected);
    assert_eq!(used(), [Some(key_entry("first")), Some(key_entry("second"))]);
    let origins = [(2, "192.0.2.1 one".to_owned()), (4, "192.0.2.1 two".to_owned())];
    assert_eq!(store.ledger.origins(1, 4).unwrap(), origins);
}

fn of_what_was_overtaken_nothing_is_written(store: &Store) {
    let mut writer = warm(store);
    let end = store.ledger.head().unwrap();
    let mut batch = seal(end, [draft("quest/anna", 1)]);
    batch.keys.push(key_entry("once"));
    append(store.again().writer().unwrap().as_mut(), [draft("quest/bert", 1)]);
    let before = store.records();

    assert!(!writer.commit_at(end, &[&batch]).unwrap());
    assert_eq!(store.records(), before);
    assert_eq!(store.ledger.keys(&[key_entry("once").key]).unwrap(), [None]);
    let again = seal(store.ledger.head().unwrap(), [draft("quest/anna", 1)]);
    assert!(writer.commit_at(store.ledger.head().unwrap(), &[&again]).unwrap());
    assert_eq!(store.records().len(), 3);
}

fn what_is_not_chained_to_the_end_is_refused(store: &Store) {
    let mut writer = warm(store);
    let elsewhere = Head { position: 1, hash: Digest::of(b"another history") };
    let batch = seal(elsewhere, [draft("quest/anna", 1)]);
    let error = writer.commit_at(store.ledger.head().unwrap(), &[&batch]).unwrap_err().to_string();
    assert_eq!(error, "record 2 is not chained to the one before it");
    assert!(!writer.commit_at(elsewhere, &[&batch]).unwrap(), "the chain ends elsewhere");
    assert_eq!(store.records().len(), 1);
}

fn what_is_there_already_is_refused_whole(store: &Store) {
    let mut writer = warm(store);
    let end = store.ledger.head().unwrap();
    let twice = seal(end, [draft("quest/anna", 1), draft("contest/spring", 1)]);
    let outcome = writer.commit_at(end, &[&twice]);
    assert!(matches!(outcome, Err(LedgerError::Damaged(_))), "{outcome:?}");
    assert_eq!(store.records().len(), 1);
    assert!(writer.commit_at(end, &[&seal(end, [draft("quest/anna", 1)])]).unwrap(), "it goes on");
}

fn of_those_who_race_each_is_written_once(store: &Store) {
    let race = |number: u64| {
        let ledger = store.again();
        let mut writer = ledger.writer().unwrap();
        for version in 1..=BATCHES {
            let drafts = || [draft(&format!("quest/hunter-{number}"), version)];
            let mut end = ledger.head().unwrap();
            while !writer.commit_at(end, &[&seal(end, drafts())]).unwrap() {
                end = ledger.head().unwrap();
            }
        }
    };
    thread::scope(|scope| (0..3).for_each(|number| drop(scope.spawn(move || race(number)))));
    let positions: Vec<u64> = store.records().iter().map(|record| record.position).collect();
    assert_eq!(positions, (1..=3 * BATCHES).collect::<Vec<u64>>());
    assert_eq!(verify(store.ledger.as_ref(), &mut |_| {}).unwrap().problems, Vec::<String>::new());
}

/// A writer that has just written something.
fn warm(store: &Store) -> Box<dyn Writer> {
    let mut writer = store.ledger.writer().unwrap();
    append(writer.as_mut(), [draft("contest/spring", 1)]);
    writer
}
