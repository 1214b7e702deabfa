//! Origins of records: outside the hash chain, erased with the person.

use assize_kernel::{Actor, Moment, Role};
use assize_ledger::{ErasedData, erase, export, import, verify};

use crate::stage::Store;

contract! { [memory sqlite postgres] {
    an_origin_is_found_with_its_record
    the_origins_of_whoever_is_erased_are_gone_and_the_chain_is_whole
    an_origin_is_in_no_export
    a_stream_knows_how_long_it_is
} }

fn an_origin_is_found_with_its_record(store: &Store) {
    store.fill("contest/spring", 3);
    let first = store.fill_from("contest/spring", "192.0.2.7 r-1");
    store.fill("contest/spring", 2);
    let second = store.fill_from("quest/anna", "192.0.2.8 r-2");
    let all = [(first, "192.0.2.7 r-1".to_owned()), (second, "192.0.2.8 r-2".to_owned())];
    let ledger = store.again();
    assert_eq!(ledger.origins(1, second).unwrap(), all);
    assert_eq!(ledger.origins(first + 1, second).unwrap(), all[1..]);
    assert_eq!(ledger.origins(first + 1, second - 1).unwrap(), []);
}

fn the_origins_of_whoever_is_erased_are_gone_and_the_chain_is_whole(store: &Store) {
    // Every record of the stage is made by `participant:team_01`.
    store.fill_from("contest/spring", "192.0.2.7");
    store.fill_from("contest/spring", "192.0.2.8");
    let stays = store.fill_from("contest/autumn", "192.0.2.9");
    let admin = Actor::new(Role::Admin, "organiser");
    let erasing = |subject: &str| erase(&*store.ledger, subject, Moment::from_millis(77), &admin).unwrap();
    assert_eq!(erasing("contest/spring/team_02"), ErasedData::default());
    assert_eq!(erasing("contest/spring/team_01"), ErasedData { texts: 0, origins: 2 });
    assert_eq!(erasing("contest/spring/team_01"), ErasedData::default(), "once is enough");
    let ledger = store.again();
    assert_eq!(ledger.origins(1, 9).unwrap(), [(stays, "192.0.2.9".to_owned())]);
    assert_eq!(ledger.head().unwrap().position, 4, "that it was done is recorded, once");
    assert_eq!(verify(&*ledger, &mut |_| {}).unwrap().problems, Vec::<String>::new());
}

fn an_origin_is_in_no_export(store: &Store) {
    store.fill_from("contest/spring", "192.0.2.7");
    let mut lines = Vec::new();
    export(&*store.ledger, &mut lines, &mut |_| {}).unwrap();
    assert!(!String::from_utf8(lines.clone()).unwrap().contains("192.0.2.7"));
    let copy = Store::memory();
    let head = import(&*copy.ledger, &mut lines.as_slice(), &mut |_| {}).unwrap();
    assert_eq!(head, store.ledger.head().unwrap());
    assert_eq!(copy.ledger.origins(1, 9).unwrap(), []);
}

fn a_stream_knows_how_long_it_is(store: &Store) {
    assert_eq!(store.ledger.version("contest/spring").unwrap(), 0);
    store.fill("contest/spring", 3);
    store.fill("contest/spring-2", 1);
    assert_eq!(store.again().version("contest/spring").unwrap(), 3);
}
