//! Verification: tampering is reported with its position.

use assize_kernel::{Digest, Draft};
use assize_ledger::{VerifyReport, verify, verify_holding};

use crate::stage::{Store, append, draft};

contract! { [sqlite postgres] {
    a_sound_ledger_has_no_problems
    a_changed_record_is_named
    a_changed_verdict_is_named
    a_missing_record_is_named
    a_changed_long_text_is_named
    a_lost_long_text_is_named
    a_changed_personal_text_is_named
    a_wrong_version_is_named
    many_problems_are_counted
    an_end_that_was_cut_off_is_noticed_by_whoever_has_kept_a_hash
} }

fn verified(store: &Store) -> VerifyReport {
    verify(store.ledger.as_ref(), &mut |_| {}).unwrap()
}

fn the_only_problem(store: &Store) -> String {
    let found = verified(store);
    assert_eq!((found.problems.len(), found.further), (1, 0), "{:?}", found.problems);
    found.problems[0].clone()
}

fn a_sound_ledger_has_no_problems(store: &Store) {
    store.fill("contest/spring", 2_100);
    store.tell("anna", "one");
    let mut told = Vec::new();
    let found = verify(store.ledger.as_ref(), &mut |position| told.push(position)).unwrap();
    let head = store.ledger.head().unwrap();
    assert_eq!(found, VerifyReport { records: 2_101, head, problems: Vec::new(), further: 0 });
    assert_eq!(told, [1_000, 2_000, 2_101]);
}

fn a_changed_record_is_named(store: &Store) {
    for (position, change) in [
        "body = '{}'",
        "kind = 'AnswerForged'",
        "at = at + 1",
        "actor = 'participant:team_02'",
        "edition = 4",
        "batch = hash",
    ]
    .iter()
    .enumerate()
    {
        store.fill("contest/spring", 2);
        let position = position * 2 + 1;
        store.sql(&format!("UPDATE records SET {change} WHERE position = {position}"));
        let found = verified(store);
        let last = found.problems.last().unwrap();
        assert!(last.starts_with(&format!("record {position} ")), "{change}: {last}");
        assert_eq!(found.problems.len(), position / 2 + 1, "{change}: {:?}", found.problems);
    }
}

fn a_changed_verdict_is_named(store: &Store) {
    store.fill("contest/spring", 2);
    store.set_verdict(2, "{}");
    let problem = the_only_problem(store);
    assert!(problem.starts_with("record 2 "), "{problem}");
}

fn a_missing_record_is_named(store: &Store) {
    store.fill("contest/spring", 6);
    store.fill("quest/anna", 1);
    store.sql("DELETE FROM records WHERE position IN (3, 4)");
    let found = verified(store);
    assert_eq!((found.problems, found.records), (vec!["records 3 to 4 are missing".to_owned()], 5));
}

fn a_changed_long_text_is_named(store: &Store) {
    long_texts(store);
    store.sql("UPDATE blobs SET text = replace(text, 'a', 'b') WHERE text LIKE 'a%'");
    assert!(the_only_problem(store).starts_with("record 2 (AnswerJudged of `summary/essay`) does not match"));
}

fn a_lost_long_text_is_named(store: &Store) {
    long_texts(store);
    store.sql("DELETE FROM blobs WHERE text LIKE 'a%'");
    assert_eq!(the_only_problem(store), "record 2 cannot be read: record 2 has lost its body");
    assert_eq!(verified(store).records, 4);
}

fn long_texts(store: &Store) {
    let long = |letter: &str| Draft { body: letter.repeat(5_000), ..draft("summary/essay", 1) };
    store.fill("contest/spring", 1);
    let mut writer = store.ledger.writer().unwrap();
    append(writer.as_mut(), [long("a"), Draft { version: 2, ..long("c") }]);
    store.fill("contest/spring", 1);
}

fn a_changed_personal_text_is_named(store: &Store) {
    store.tell("anna", "one");
    store.tell("bert", "two");
    store.sql("UPDATE personal SET text = 'three' WHERE subject = 'bert'");
    assert_eq!(
        the_only_problem(store),
        "a personal text of record 2 does not match its digest: it was changed"
    );
}

fn a_wrong_version_is_named(store: &Store) {
    let mut writer = store.ledger.writer().unwrap();
    append(writer.as_mut(), [draft("contest/spring", 1), draft("contest/spring", 3)]);
    assert_eq!(the_only_problem(store), "record 2 is version 3 of `contest/spring` where 2 must be");
}

fn many_problems_are_counted(store: &Store) {
    store.fill("contest/spring", 50);
    store.sql("UPDATE records SET actor = 'admin:nobody'");
    let found = verified(store);
    assert_eq!((found.problems.len(), found.further, found.records), (20, 30, 50));
}

fn an_end_that_was_cut_off_is_noticed_by_whoever_has_kept_a_hash(store: &Store) {
    let written = store.fill("contest/spring", 4);
    let problems = |kept: Digest| verify_holding(&*store.ledger, Some(kept), &mut |_| {}).unwrap().problems;
    for kept in [Digest::ZERO, written[1].hash, written[3].hash] {
        assert_eq!(problems(kept), Vec::<String>::new());
    }
    let (last, hash) = (written[2].position, written[2].hash);
    store.sql(&format!("DELETE FROM records WHERE position > {last}"));
    if store.has_head() {
        let bytes = format!("UPDATE head SET position = {last}, hash = decode('{hash}', 'hex')");
        store.sql(&bytes);
    }
    assert_eq!(verified(store).problems, Vec::<String>::new(), "the chain by itself does not show it");
    assert_eq!(problems(hash), Vec::<String>::new());
    let kept = written[3].hash;
    let told = format!("no record has the hash {kept}: the end was cut off, or this is another ledger");
    assert_eq!(problems(kept), [told]);
}
