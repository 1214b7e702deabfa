//! Export and import: the same ledger elsewhere, or nothing.

use assize_kernel::{Digest, Head};
use assize_ledger::{Ledger, LedgerError, export, import, verify};

use crate::stage::{Store, append, draft, records};

contract! { [memory sqlite postgres] {
    an_exported_ledger_is_the_same_in_every_other_store
    an_empty_ledger_can_be_exported
    a_truncated_export_is_refused
    a_changed_line_is_named
    a_ledger_that_is_not_empty_is_left_alone
} }

fn exported(ledger: &dyn Ledger) -> String {
    let mut out = Vec::new();
    export(ledger, &mut out, &mut |_| {}).unwrap();
    String::from_utf8(out).unwrap()
}

fn read_in(ledger: &dyn Ledger, text: &str) -> Result<Head, LedgerError> {
    import(ledger, &mut text.as_bytes(), &mut |_| {})
}

/// Five records, one with a long body and one with a personal text.
fn example(store: &Store) -> String {
    store.fill("contest/spring", 2);
    let long = assize_kernel::Draft { body: "\"long\" ".repeat(1_000), ..draft("summary/essay", 1) };
    append(store.ledger.writer().unwrap().as_mut(), [long]);
    store.tell("anna", "a \"secret\"\n");
    store.fill("contest/spring", 1);
    exported(store.ledger.as_ref())
}

fn an_exported_ledger_is_the_same_in_every_other_store(store: &Store) {
    let text = example(store);
    assert_eq!(text.lines().next(), Some("{\"assize_ledger\":1}"));
    assert_eq!(text.lines().count(), 1 + 5 + 1 + 1);
    for other in [Store::memory(), Store::sqlite(), Store::postgres()] {
        let head = read_in(other.ledger.as_ref(), &text).unwrap();
        assert_eq!(head, store.ledger.head().unwrap());
        assert_eq!(other.records(), store.records());
        assert_eq!(other.ledger.personal_of(1, 9).unwrap(), store.ledger.personal_of(1, 9).unwrap());
        assert_eq!(exported(other.again().as_ref()), text);
        assert!(verify(other.ledger.as_ref(), &mut |_| {}).unwrap().problems.is_empty());
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(40))]

    #[test]
    fn whatever_was_written_survives_export_and_import(
        texts in proptest::collection::vec((".*", proptest::option::of(".*"), ".*"), 0..20),
    ) {
        let (here, there) = (Store::memory(), Store::sqlite());
        let drafts = texts.into_iter().zip(1..).map(|((body, verdict, actor), version)| {
            assize_kernel::Draft { body, verdict: verdict.map(Into::into), actor, ..draft("contest/spring", version) }
        });
        let written = append(here.ledger.writer().unwrap().as_mut(), drafts);
        read_in(there.ledger.as_ref(), &exported(here.ledger.as_ref())).unwrap();
        proptest::prop_assert_eq!(there.records(), written);
    }
}

fn an_empty_ledger_can_be_exported(store: &Store) {
    let text = exported(store.ledger.as_ref());
    assert_eq!(
        text.lines().last(),
        Some(&*format!("{{\"end\":{{\"position\":0,\"hash\":\"{}\"}}}}", Digest::ZERO))
    );
    assert_eq!(read_in(store.ledger.as_ref(), &text).unwrap(), Head::START);
}

fn a_truncated_export_is_refused(store: &Store) {
    let source = Store::memory();
    source.fill("contest/spring", 2_500);
    let text = exported(source.ledger.as_ref());
    for kept in [0, 1, 2, 1_500, 2_501] {
        let part: String = text.split_inclusive('\n').take(kept).collect();
        let error = read_in(store.ledger.as_ref(), &part).unwrap_err().to_string();
        assert_eq!(error, format!("line {} of the export: it ends here, before its last line", kept + 1));
        assert_eq!(store.ledger.head().unwrap(), Head::START);
        assert_eq!(records(store.again().as_ref()), []);
    }
    let half = &text[..text.len() - 20];
    assert!(
        read_in(store.ledger.as_ref(), half).unwrap_err().to_string().starts_with("line 2502 of the export")
    );
    assert_eq!(read_in(store.ledger.as_ref(), &text).unwrap().position, 2_500);
}

fn a_changed_line_is_named(store: &Store) {
    let text = example(&Store::memory());
    let refused = |from: &str, to: &str, line: usize, why: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let error = read_in(store.ledger.as_ref(), &changed).unwrap_err();
        assert!(matches!(error, LedgerError::Damaged(_)));
        let error = error.to_string();
        assert!(error.starts_with(&format!("line {line} of the export: ")), "{error}");
        assert!(error.contains(why), "{error}");
        assert_eq!(records(store.again().as_ref()), []);
    };
    refused("{\"assize_ledger\":1}", "{\"assize_ledger\":2}", 1, "format 2");
    refused("{\"assize_ledger\":1}\n", "", 1, "must begin");
    refused("größer 2", "kleiner 2", 3, "record 2 does not match its hash");
    refused("\"position\":3", "\"position\":4", 4, "record 4 follows 2");
    refused("a \\\"secret\\\"", "a lie", 6, "does not match its digest in record 4");
    refused("\"edition\":3", "\"edition\":3,\"extra\":0", 2, "unknown field `extra`");
    refused("{\"end\":{\"position\":5", "{\"end\":{\"position\":6", 8, "does not fit");
    refused("\"subject\"", "\"object\"", 6, "unknown field `object`");
}

fn a_ledger_that_is_not_empty_is_left_alone(store: &Store) {
    let text = example(&Store::memory());
    let before = store.fill("quest/anna", 1);
    let error = read_in(store.ledger.as_ref(), &text).unwrap_err();
    assert!(error.to_string().ends_with("is not empty; import into a new ledger"), "{error}");
    assert_eq!(store.records(), before);
}
