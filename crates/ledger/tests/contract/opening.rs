//! Opening: all data is found again, and files that are no ledger are refused with a helpful message.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread;

use assize_ledger::{Ledger, LedgerError, PostgresLedger, SqliteLedger};
use assize_testbed::postgres::Cluster;
use tempfile::TempDir;

use crate::stage::{Store, fill, records};

contract! { [sqlite postgres] {
    a_ledger_opened_again_holds_everything
} }

fn a_ledger_opened_again_holds_everything(store: &Store) {
    let mut written = store.fill("contest/spring", 5);
    let again = store.again();
    assert_eq!(records(again.as_ref()), written);
    written.extend(fill(again.as_ref(), "contest/spring", 2));
    assert_eq!(store.records(), written, "the one opened first sees what the other appended");
    assert_eq!(again.head().unwrap(), store.ledger.head().unwrap());
}

fn refusal(path: &Path) -> String {
    match SqliteLedger::open(path) {
        Err(LedgerError::Unusable(message)) => message,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("opened {}", path.display()),
    }
}

#[test]
fn what_is_no_ledger_is_refused_and_left_as_it_is() {
    let directory = TempDir::new().unwrap();
    let text = directory.path().join("notes.txt");
    std::fs::write(&text, "buy milk, ".repeat(200)).unwrap();
    assert_eq!(refusal(&text), format!("`{}` is not a ledger; name another file", text.display()));
    assert_eq!(std::fs::read_to_string(&text).unwrap(), "buy milk, ".repeat(200));

    let foreign = directory.path().join("photos.db");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE photos (name TEXT)").unwrap();
    let before = std::fs::read(&foreign).unwrap();
    assert_eq!(refusal(&foreign), format!("`{}` is not a ledger; name another file", foreign.display()));
    assert_eq!(std::fs::read(&foreign).unwrap(), before);
}

#[test]
fn a_file_that_was_a_database_and_cannot_be_read_may_be_damaged() {
    let store = Store::sqlite();
    store.fill("contest/spring", 50);
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("cut.db");
    store.ledger.backup(&path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let told = |bytes: &[u8], words: &str| {
        std::fs::write(&path, bytes).unwrap();
        let file = path.display();
        let advice = "restore a backup, or name another file";
        let expected = format!("`{file}` cannot be read and may be damaged: {words}; {advice}");
        assert_eq!(refusal(&path), expected);
    };
    told(&whole[..90], "database disk image is malformed");
    let mut overwritten = whole.clone();
    overwritten[..16].fill(0);
    told(&overwritten, "file is not a database");
    let mut overwritten = whole.clone();
    overwritten[100..400].fill(0xff);
    told(&overwritten, "database disk image is malformed");
}

#[test]
fn a_ledger_is_readable_by_its_owner_alone() {
    let directory = TempDir::new().unwrap();
    let ledger = SqliteLedger::open(&directory.path().join("ledger.db")).unwrap();
    let _writer = ledger.writer().unwrap();
    fill(&ledger, "contest/spring", 1);
    ledger.backup(&directory.path().join("copy.db")).unwrap();
    Store::memory().ledger.backup(&directory.path().join("other.db")).unwrap();
    let files = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap());
    let modes: Vec<(String, u32)> = files
        .map(|file| {
            let mode = file.metadata().unwrap().permissions().mode() & 0o777;
            (file.file_name().into_string().unwrap(), mode)
        })
        .collect();
    assert!(modes.len() >= 5, "the ledger, two files of SQLite beside it and two backups: {modes:?}");
    assert!(modes.iter().all(|(_, mode)| *mode == 0o600), "{modes:?}");
}

#[test]
fn a_place_where_no_file_can_be_is_refused() {
    let directory = TempDir::new().unwrap();
    let place = directory.path();
    assert_eq!(refusal(place), format!("`{}` is a directory; name a file in it", place.display()));
    let nowhere = place.join("none").join("ledger.db");
    let message = refusal(&nowhere);
    assert!(message.starts_with(&format!("cannot open `{}`", nowhere.display())), "{message}");
    assert!(message.ends_with("its directory must exist and be writable"), "{message}");
}

#[test]
fn a_file_that_may_not_be_written_is_refused() {
    let store = Store::sqlite();
    store.fill("contest/spring", 1);
    let copy = TempDir::new().unwrap();
    let path = copy.path().join("ledger.db");
    store.ledger.backup(&path).unwrap();
    for (place, mode) in [(path.as_path(), 0o444), (copy.path(), 0o555)] {
        std::fs::set_permissions(place, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    let root_may = std::fs::File::create(copy.path().join("other")).is_ok();
    if !root_may {
        let message = refusal(&path);
        assert!(message.contains(&path.display().to_string()) && message.contains("writ"), "{message}");
    }
    std::fs::set_permissions(copy.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(path.exists());
}

#[test]
fn a_file_with_two_names_is_refused() {
    let store = Store::sqlite();
    store.fill("contest/spring", 2);
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("ledger.db");
    store.ledger.backup(&path).unwrap();
    let second = directory.path().join("second.db");
    std::fs::hard_link(&path, &second).unwrap();
    for place in [&path, &second] {
        let file = place.display();
        let expected = format!(
            "`{file}` has 2 names (hard links), and SQLite loses data when a file is open under two of them; remove \
             the other names, or make a copy and name that"
        );
        assert_eq!(refusal(place), expected);
    }
    std::fs::remove_file(&second).unwrap();
    assert_eq!(SqliteLedger::open(&path).unwrap().head().unwrap().position, 2);
}

#[test]
fn a_file_that_must_exist_is_not_made() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("ledger.db");
    let error = SqliteLedger::open_existing(&path).err().unwrap();
    assert_eq!(error.to_string(), format!("there is no file `{}`", path.display()));
    assert!(!path.exists());
}

#[test]
fn a_ledger_that_must_be_in_a_database_is_not_made() {
    let address = Cluster::shared().database();
    let error = PostgresLedger::open_existing(&address).err().unwrap();
    assert!(matches!(error, LedgerError::Unusable(_)), "{error:?}");
    let told = error.to_string();
    assert!(told.starts_with("there is no ledger in the PostgreSQL database `test_"), "{told}");
    let mut client = ::postgres::Client::connect(&address, ::postgres::NoTls).unwrap();
    let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname = 'assize'";
    assert_eq!(client.query_one(schemas, &[]).unwrap().get::<_, i64>(0), 0);
    fill(&PostgresLedger::open(&address).unwrap(), "contest/spring", 2);
    assert_eq!(PostgresLedger::open_existing(&address).unwrap().head().unwrap().position, 2);
}

#[test]
fn a_file_of_a_newer_program_is_refused() {
    let store = Store::sqlite();
    store.sql("PRAGMA user_version = 99");
    let error = SqliteLedger::open(&store.file()).err().unwrap();
    assert!(matches!(error, LedgerError::Newer { found: 99, known: 5, .. }), "{error:?}");
}

#[test]
fn a_database_of_a_newer_program_is_refused() {
    let store = Store::postgres();
    store.sql("UPDATE schema_version SET version = 99");
    let error = PostgresLedger::open(&store.address()).err().unwrap();
    assert!(matches!(error, LedgerError::Newer { found: 99, known: 4, .. }), "{error:?}");
}

#[test]
fn a_new_file_can_be_opened_by_many_at_once() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("ledger.db");
    thread::scope(|scope| {
        for number in 0..4 {
            let path = &path;
            scope.spawn(move || fill(&SqliteLedger::open(path).unwrap(), &format!("quest/h-{number}"), 2));
        }
    });
    assert_eq!(SqliteLedger::open(&path).unwrap().head().unwrap().position, 8);
}

#[test]
fn a_new_database_can_be_opened_by_many_at_once() {
    let address = Cluster::shared().database();
    thread::scope(|scope| {
        for number in 0..4 {
            let address = &address;
            scope.spawn(move || {
                fill(&PostgresLedger::open(address).unwrap(), &format!("quest/h-{number}"), 2)
            });
        }
    });
    assert_eq!(PostgresLedger::open(&address).unwrap().head().unwrap().position, 8);
}

#[test]
fn an_address_that_leads_nowhere_is_told_without_its_password() {
    let unusable = |address: &str| match PostgresLedger::open(address) {
        Err(LedgerError::Unusable(message)) => message,
        other => panic!("{:?}", other.err()),
    };
    assert!(unusable("not an address").starts_with("the address of the database is not understood"));
    let missing = Cluster::shared().address("missing");
    assert!(unusable(&missing).contains("database \"missing\" does not exist"));

    let directory = TempDir::new().unwrap();
    let silent = format!("host={} user=u password=hunter2 dbname=d", directory.path().display());
    let error = PostgresLedger::open(&silent).err().unwrap();
    assert!(matches!(error, LedgerError::Unavailable(_)), "{error:?}");
    assert!(error.to_string().starts_with("cannot reach the PostgreSQL database `d` on `"), "{error}");
    assert!(!error.to_string().contains("hunter2"), "{error}");
}
