//! Personal texts: outside the hash chain, so that erasing them leaves it intact.

use assize_kernel::{Actor, Digest, Moment, Role};
use assize_ledger::{erase, verify};

use crate::stage::Store;

contract! { [memory sqlite postgres] {
    a_personal_text_is_found_by_its_digest
    personal_texts_come_in_the_order_of_their_records
    what_was_erased_is_gone_and_the_chain_is_whole
    erasing_nobody_records_nothing
} }

fn admin() -> Actor {
    Actor::new(Role::Admin, "organiser")
}

fn a_personal_text_is_found_by_its_digest(store: &Store) {
    let told = store.tell("anna", "my mother's maiden name\0, with a nought byte");
    assert_eq!(store.ledger.personal(&told.digest()).unwrap(), Some(told));
    assert_eq!(store.ledger.personal(&Digest::of(b"nothing")).unwrap(), None);
}

fn personal_texts_come_in_the_order_of_their_records(store: &Store) {
    let first = store.tell("anna", "one");
    store.fill("contest/spring", 3);
    let second = store.tell("bert", "two");
    let third = store.tell("anna", "three");
    let all = [(1, first), (5, second), (6, third)];
    assert_eq!(store.ledger.personal_of(1, 6).unwrap(), all);
    assert_eq!(store.ledger.personal_of(2, 5).unwrap(), all[1..2]);
    assert_eq!(store.ledger.personal_of(7, u64::MAX).unwrap(), []);
}

fn what_was_erased_is_gone_and_the_chain_is_whole(store: &Store) {
    let gone = [store.tell("anna", "one"), store.tell("anna", "three")];
    let stays = store.tell("bert", "two");
    assert_eq!(
        erase(store.ledger.as_ref(), "anna", Moment::from_millis(1_794_735_000_300), &admin()).unwrap().texts,
        2
    );

    let ledger = store.again();
    for text in &gone {
        assert_eq!(ledger.personal(&text.digest()).unwrap(), None);
    }
    assert_eq!(ledger.personal_of(1, 9).unwrap(), [(3, stays)]);
    let last = store.records().pop().unwrap();
    assert_eq!((last.position, last.draft.version, last.draft.edition), (4, 1, 0));
    assert_eq!((last.draft.stream.as_str(), &*last.draft.kind), ("assize/personal", "PersonalDataErased"));
    let (one, three) = (gone[0].digest(), gone[1].digest());
    let body =
        format!("{{\"PersonalDataErased\":{{\"subject\":\"anna\",\"digests\":[\"{one}\",\"{three}\"]}}}}");
    assert_eq!(last.draft.body, body);
    assert_eq!(
        (last.draft.at, last.draft.actor.as_str()),
        (Moment::from_millis(1_794_735_000_300), "admin:organiser")
    );
    assert_eq!(verify(ledger.as_ref(), &mut |_| {}).unwrap().problems, Vec::<String>::new());

    store.tell("anna", "once more");
    assert_eq!(
        erase(ledger.as_ref(), "anna", Moment::from_millis(1_794_735_000_301), &admin()).unwrap().texts,
        1
    );
    assert_eq!(store.records().pop().unwrap().draft.version, 2);
}

fn erasing_nobody_records_nothing(store: &Store) {
    store.tell("anna", "one");
    assert_eq!(
        erase(store.ledger.as_ref(), "ann", Moment::from_millis(1_794_735_000_300), &admin()).unwrap().texts,
        0
    );
    assert_eq!(store.ledger.head().unwrap().position, 1);
}

#[test]
fn an_erased_text_is_in_none_of_the_bytes_of_a_sqlite_file() {
    let store = Store::sqlite();
    let secret = "the quick brown fox told me so";
    store.tell("anna", secret);
    store.tell("bert", "something else entirely");
    let holds = |secret: &str| {
        let files = std::fs::read_dir(store.file().parent().unwrap()).unwrap();
        let contents = files.map(|file| std::fs::read(file.unwrap().path()).unwrap());
        contents.into_iter().any(|bytes| bytes.windows(secret.len()).any(|part| part == secret.as_bytes()))
    };
    assert!(holds(secret));
    assert_eq!(
        erase(store.ledger.as_ref(), "anna", Moment::from_millis(1_794_735_000_300), &admin()).unwrap().texts,
        1
    );
    assert!(!holds(secret));
    assert!(holds("something else entirely"));
}
