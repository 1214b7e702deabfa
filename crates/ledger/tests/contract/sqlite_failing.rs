//! Locked SQLite files and full disks: nothing is written by half, and the writer recovers.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use assize_kernel::Draft;
use assize_ledger::{Ledger, LedgerError, SqliteLedger, verify};
use tempfile::TempDir;

use crate::stage::{append, draft, fill, seal};

/// Set in the process that finds the disk full: which ledger it appends to.
const PLACE: &str = "ASSIZE_TEST_PLACE";

#[test]
fn a_file_held_by_another_process_is_waited_for_and_then_told() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("ledger.db");
    let ledger = SqliteLedger::open_patiently(&path, Duration::from_millis(50)).unwrap();
    let mut writer = ledger.writer().unwrap();
    append(writer.as_mut(), [draft("contest/spring", 1)]);

    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = writer.lock().err().unwrap();
    assert!(matches!(error, LedgerError::Unavailable(_)), "{error:?}");
    assert_eq!(error.to_string(), format!("another process is holding the ledger `{}`", path.display()));
    assert_eq!(ledger.head().unwrap().position, 1, "reading goes on");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(append(writer.as_mut(), [draft("contest/spring", 2)])[0].position, 2);
}

#[test]
fn a_disk_that_takes_no_more_leaves_the_ledger_whole() {
    // The same test is both processes: it starts itself once more, with less room.
    if let Ok(place) = std::env::var(PLACE) {
        return append_more_than_fits(Path::new(&place));
    }
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("ledger.db");
    fill(&SqliteLedger::open(&path).unwrap(), "contest/spring", 10);
    // A limit on the size of files fails writes as a full disk does.
    let limited = "trap '' XFSZ; ulimit -f 2048; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", limited, "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "sqlite_failing::a_disk_that_takes_no_more_leaves_the_ledger_whole", "--nocapture"])
        .env(PLACE, &path)
        .output()
        .unwrap();
    let told =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("refused"), "{told}");

    let ledger = SqliteLedger::open_existing(&path).unwrap();
    let found = verify(&ledger, &mut |_| {}).unwrap();
    assert_eq!((found.problems, found.records), (Vec::new(), 11));
}

fn append_more_than_fits(place: &Path) {
    let ledger = SqliteLedger::open_existing(place).unwrap();
    let mut writer = ledger.writer().unwrap();
    let large = |version| Draft { body: "x".repeat(4_000), ..draft("quest/anna", version) };
    let turn = writer.lock().unwrap();
    let batch = seal(turn.head(), (1..=3_000).map(large));
    let error = turn.commit(&batch).unwrap_err();
    assert!(matches!(error, LedgerError::Unavailable(_)), "{error:?}");
    println!("refused: {error}");
    assert_eq!(ledger.head().unwrap().position, 10);
    assert_eq!(append(writer.as_mut(), [draft("quest/anna", 1)])[0].position, 11, "what fits is taken");
}
