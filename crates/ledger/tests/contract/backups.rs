//! Backups: a new SQLite file with everything, made while the ledger is in use.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use assize_ledger::{
    AccessChange, Batch, CredentialStore, KeyEntry, Ledger, LedgerError, ScopedKey, SqliteLedger, verify,
};
use tempfile::TempDir;

use crate::access::{code, token, user};
use crate::stage::{Store, append, draft, records};

contract! { [memory sqlite postgres] {
    a_backup_holds_everything
    a_backup_made_while_others_append_is_whole
    a_file_that_exists_is_not_overwritten
    a_backup_that_fails_leaves_nothing
} }

fn a_backup_holds_everything(store: &Store) {
    store.fill("contest/spring", 1_200);
    let told = store.tell("anna", "one");
    let long = assize_kernel::Draft { body: "x".repeat(9_000), ..draft("summary/essay", 1) };
    append(store.ledger.writer().unwrap().as_mut(), [long]);
    let token = token("secret");
    let key = ScopedKey { scope: "anna".into(), key: "k".into() };
    let entry = KeyEntry { key: key.clone(), request: token.hash, at: token.issued, first: 1, last: 2 };
    let mut writer = store.ledger.writer().unwrap();
    writer
        .lock()
        .unwrap()
        .commit(&Batch {
            keys: vec![entry.clone()],
            access: vec![
                AccessChange::Token(token.clone()),
                AccessChange::User(user("anna")),
                AccessChange::Code(code("once")),
            ],
            ..Batch::default()
        })
        .unwrap();
    let came_from = store.fill_from("quest/bert", "192.0.2.7");

    let directory = TempDir::new().unwrap();
    let file = directory.path().join("copy.db");
    let head = store.ledger.backup(&file).unwrap();
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "one file and nothing beside it");
    let copy = SqliteLedger::open_existing(&file).unwrap();
    assert_eq!((copy.head().unwrap(), head), (head, store.ledger.head().unwrap()));
    assert_eq!(records(&copy), store.records());
    assert_eq!(copy.personal(&told.digest()).unwrap(), Some(told));
    assert_eq!(copy.token(&token.hash).unwrap(), Some(token));
    assert_eq!(copy.user("anna").unwrap(), Some(user("anna")));
    assert_eq!(copy.code(&code("once").hash).unwrap(), Some(code("once")));
    assert_eq!(copy.origins(1, head.position).unwrap(), [(came_from, "192.0.2.7".to_owned())]);
    assert_eq!(copy.keys(&[key]).unwrap(), [Some(entry)]);
}

fn a_backup_made_while_others_append_is_whole(store: &Store) {
    store.fill("contest/spring", 500);
    let directory = TempDir::new().unwrap();
    let mut copies = Vec::new();
    let (enough, (begun, has_begun)) = (AtomicBool::new(false), mpsc::channel());
    thread::scope(|scope| {
        let enough = &enough;
        scope.spawn(move || {
            let mut writer = store.ledger.writer().unwrap();
            for version in (1..=5_000).take_while(|_| !enough.load(Ordering::Relaxed)) {
                append(writer.as_mut(), [draft("quest/anna", version)]);
                let _ = begun.send(());
            }
        });
        has_begun.recv().unwrap();
        for name in ["one.db", "two.db", "three.db"] {
            let file = directory.path().join(name);
            copies.push((store.ledger.backup(&file).unwrap(), file));
        }
        enough.store(true, Ordering::Relaxed);
    });
    for (head, file) in copies {
        let copy = SqliteLedger::open_existing(&file).unwrap();
        assert_eq!(copy.head().unwrap(), head);
        let found = verify(&copy, &mut |_| {}).unwrap();
        assert_eq!((found.records, found.problems), (head.position, Vec::new()));
        assert!(head.position > 500, "what stood before the backup began is in it");
    }
    assert_eq!(verify(store.ledger.as_ref(), &mut |_| {}).unwrap().problems, Vec::<String>::new());
}

fn a_file_that_exists_is_not_overwritten(store: &Store) {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("copy.db");
    std::fs::write(&file, "precious").unwrap();
    let error = store.ledger.backup(&file).unwrap_err();
    assert_eq!(error.to_string(), format!("`{}` exists; name a new file", file.display()));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
}

fn a_backup_that_fails_leaves_nothing(store: &Store) {
    store.fill("contest/spring", 3);
    let directory = TempDir::new().unwrap();
    let error = store.ledger.backup(&directory.path().join("none").join("copy.db")).unwrap_err();
    assert!(matches!(error, LedgerError::Unusable(_)), "{error:?}");
    assert!(error.to_string().ends_with("its directory must exist and be writable"), "{error}");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}
