//! Blobs: long texts are stored once and read as if they were inline.

use assize_kernel::Draft;
use assize_ledger::verify;

use crate::stage::{Store, append, draft};

contract! { [sqlite postgres] {
    a_long_text_comes_back_byte_for_byte
    equal_long_texts_are_kept_once
    people_can_read_them_with_sql
} }

fn a_long_text_comes_back_byte_for_byte(store: &Store) {
    let texts = [4095, 4096, 4097, 100_000].map(|length| format!("\"{}é\"", "x".repeat(length - 4)));
    let drafts = texts.iter().zip(1..).map(|(text, version)| Draft {
        body: text.clone(),
        verdict: Some(text.replace('x', "y").into()),
        ..draft("summary/essay", version)
    });
    let mut writer = store.ledger.writer().unwrap();
    let written = append(writer.as_mut(), drafts);
    assert_eq!(
        written.iter().map(|record| record.draft.body.len()).collect::<Vec<_>>(),
        [4095, 4096, 4097, 100_000]
    );
    assert_eq!(store.records(), written);
    assert_eq!(store.count("SELECT count(*) FROM blobs"), 4);
    assert_eq!(
        store.count("SELECT count(*) FROM records WHERE body IS NULL AND verdict_blob IS NOT NULL"),
        2
    );
    assert!(verify(store.ledger.as_ref(), &mut |_| {}).unwrap().problems.is_empty());
}

fn equal_long_texts_are_kept_once(store: &Store) {
    let long = "z".repeat(5_000);
    let same = |version| Draft {
        body: long.clone(),
        verdict: Some(long.clone().into()),
        ..draft("summary/essay", version)
    };
    let mut writer = store.ledger.writer().unwrap();
    let mut written = append(writer.as_mut(), [same(1), same(2)]);
    written.extend(append(writer.as_mut(), [same(3)]));
    assert_eq!(store.records(), written);
    assert_eq!(store.count("SELECT count(*) FROM blobs"), 1);
}

fn people_can_read_them_with_sql(store: &Store) {
    let long = "z".repeat(5_000);
    let mut writer = store.ledger.writer().unwrap();
    append(writer.as_mut(), [Draft { body: long, ..draft("summary/essay", 1) }]);
    let query = "SELECT count(*) FROM readable WHERE length(body) = 5000 AND verdict = '{\"points\":1}'
        AND at = '2026-11-15T09:30:00.250Z' AND length(hash) = 64 AND stream = 'summary/essay'";
    assert_eq!(store.count(query), 1);
}
