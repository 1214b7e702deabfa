//! SQLite files moved, deleted or replaced while they are open: nothing is acknowledged that would be lost.

use std::fs;
use std::path::{Path, PathBuf};

use assize_kernel::{Digest, Head, Record};
use assize_ledger::{Ledger, LedgerError, Snapshot, SqliteLedger, Writer};
use tempfile::TempDir;

use crate::stage::{append, draft, fill, records, seal};

/// An open ledger in a directory of its own, with three records.
struct Stage {
    directory: TempDir,
    ledger: SqliteLedger,
    writer: Box<dyn Writer>,
    written: Vec<Record>,
}

impl Stage {
    fn set() -> Self {
        let directory = TempDir::new().unwrap();
        let ledger = SqliteLedger::open(&directory.path().join("ledger.db")).unwrap();
        let written = fill(&ledger, "contest/spring", 2);
        let mut stage = Self { writer: ledger.writer().unwrap(), ledger, written, directory };
        stage.append();
        stage
    }

    fn path(&self, file: &str) -> PathBuf {
        self.directory.path().join(file)
    }

    fn append(&mut self) {
        let version = self.written.len() as u64 + 1;
        self.written.extend(append(self.writer.as_mut(), [draft("contest/spring", version)]));
    }

    /// Tries to append and to save a snapshot; both must say the same.
    #[track_caller]
    fn is_refused(&mut self, message: &str) {
        let appended = self.writer.lock().and_then(|locked| {
            let batch = seal(locked.head(), [draft("contest/spring", 9)]);
            locked.commit(&batch)
        });
        let saved = self.writer.save_snapshots(&[probe()]);
        for outcome in [appended, saved] {
            let error = outcome.unwrap_err();
            assert!(matches!(error, LedgerError::Unavailable(_)), "{error:?}");
            assert_eq!(error.to_string(), message);
        }
    }

    /// Closes the ledger; returns what it held.
    fn close(self) -> (TempDir, Vec<Record>) {
        (self.directory, self.written)
    }
}

fn probe() -> Snapshot {
    Snapshot {
        name: "assize/pulse".into(),
        position: 0,
        hash: Digest([0; 32]),
        version: 0,
        edition: String::new(),
        body: String::new(),
    }
}

fn moved(file: &Path) -> String {
    let file = file.display();
    format!(
        "the ledger file `{file}` was moved or deleted while it was open; put it back and it goes on by itself, or \
         stop the server and restore a backup"
    )
}

#[test]
fn a_moved_file_takes_nothing_until_it_is_back() {
    let mut stage = Stage::set();
    let place = stage.path("ledger.db");
    let away = stage.path("away.db");
    fs::rename(&place, &away).unwrap();
    stage.is_refused(&moved(&place));
    stage.is_refused(&moved(&place));
    assert!(!place.exists(), "nothing is made in its place");
    fs::rename(&away, &place).unwrap();
    stage.append();
    assert_eq!(records(&stage.ledger), stage.written);
    let (directory, written) = stage.close();
    assert_eq!(records(&SqliteLedger::open(&directory.path().join("ledger.db")).unwrap()), written);
}

#[test]
fn a_moved_file_holds_everything_where_it_is_now() {
    let mut stage = Stage::set();
    let away = stage.path("away.db");
    let place = stage.path("ledger.db");
    fs::rename(&place, &away).unwrap();
    stage.is_refused(&moved(&place));
    // As after a kill: what is beside the old place is not taken along.
    let copy = stage.path("copy.db");
    fs::copy(&away, &copy).unwrap();
    assert_eq!(records(&SqliteLedger::open(&copy).unwrap()), stage.written);
}

#[test]
fn a_file_that_was_moved_holds_everything_when_the_ledger_is_closed() {
    let stage = Stage::set();
    let away = stage.path("away.db");
    fs::rename(stage.path("ledger.db"), &away).unwrap();
    // Nobody appends or asks before that.
    let (_directory, written) = stage.close();
    assert_eq!(records(&SqliteLedger::open(&away).unwrap()), written);
}

#[test]
fn a_deleted_file_takes_nothing() {
    let mut stage = Stage::set();
    let place = stage.path("ledger.db");
    fs::remove_file(&place).unwrap();
    stage.is_refused(&moved(&place));
    let error = stage.ledger.writer().err().unwrap();
    assert!(matches!(error, LedgerError::Unavailable(_)), "{error:?}");
    assert_eq!(error.to_string(), moved(&place));
    assert!(!place.exists(), "nothing is made in its place");
}

#[test]
fn a_replaced_file_takes_nothing_and_the_new_one_is_left_as_it_is() {
    let mut stage = Stage::set();
    let place = stage.path("ledger.db");
    let new = stage.path("new.db");
    let other = fill(&SqliteLedger::open(&new).unwrap(), "quest/anna", 1);
    fs::rename(&new, &place).unwrap();
    let file = place.display();
    stage.is_refused(&format!(
        "the ledger file `{file}` was replaced by another while it was open; put the first one back and it goes on \
         by itself, or restart the server with the new one"
    ));
    let error = stage.ledger.backup(&stage.path("copy.db")).unwrap_err();
    assert!(matches!(error, LedgerError::Unavailable(_)), "{error:?}");
    let (directory, _) = stage.close();
    let opened = SqliteLedger::open(&directory.path().join("ledger.db")).unwrap();
    assert_eq!(records(&opened), other);
    assert_ne!(opened.head().unwrap(), Head::START);
}

#[test]
fn a_path_that_cannot_be_followed_is_told_with_its_cause() {
    let mut stage = Stage::set();
    let place = stage.path("ledger.db");
    fs::rename(&place, stage.path("away.db")).unwrap();
    std::os::unix::fs::symlink("ledger.db", &place).unwrap();
    let file = place.display();
    let cause = "Too many levels of symbolic links (os error 40)";
    stage.is_refused(&format!("the ledger `{file}` cannot be read or written: {cause}"));
}

#[test]
fn a_deleted_file_beside_it_is_noticed_and_nothing_is_lost_when_the_ledger_is_closed() {
    for suffix in ["-wal", "-shm"] {
        let mut stage = Stage::set();
        let beside = stage.path(&format!("ledger.db{suffix}"));
        fs::remove_file(&beside).unwrap();
        let file = beside.display();
        stage.is_refused(&format!(
            "the file `{file}`, a part of the open ledger, was moved or deleted; restart the server, which saves \
             what is in it"
        ));
        let (directory, written) = stage.close();
        assert_eq!(records(&SqliteLedger::open(&directory.path().join("ledger.db")).unwrap()), written);
    }
}
