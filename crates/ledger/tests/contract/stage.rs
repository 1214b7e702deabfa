//! Fixtures: the stores under test, and short functions to write and read.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use assize_kernel::{Digest, Draft, Head, Moment, Personal, Record};
use assize_ledger::{
    Batch, Depth, KeyEntry, Ledger, MemoryLedger, PostgresLedger, Scan, ScopedKey, SqliteLedger, Writer,
};
use assize_testbed::postgres::Cluster;
use tempfile::TempDir;

/// Runs each of the functions as a test of its own for each of the stores: `sqlite::a_dropped_turn_leaves_nothing`.
macro_rules! contract {
    ([$($store:ident)*] $tests:tt) => { $(contract! { @ $store $tests })* };
    (@ $store:ident { $($test:ident)* }) => {
        mod $store {
            $(#[test]
            fn $test() {
                super::$test(&crate::stage::Store::$store());
            })*
        }
    };
}

/// A new, empty ledger somewhere.
pub(crate) struct Store {
    pub(crate) ledger: Arc<dyn Ledger>,
    place: Place,
}

enum Place {
    Memory,
    Sqlite(TempDir),
    Postgres(String),
}

impl Store {
    pub(crate) fn memory() -> Self {
        Self { ledger: Arc::new(MemoryLedger::new()), place: Place::Memory }
    }

    pub(crate) fn sqlite() -> Self {
        let directory = TempDir::new().unwrap();
        let ledger = Arc::new(SqliteLedger::open(&directory.path().join("ledger.db")).unwrap());
        Self { ledger, place: Place::Sqlite(directory) }
    }

    pub(crate) fn postgres() -> Self {
        let address = Cluster::shared().database();
        let ledger = Arc::new(PostgresLedger::open(&address).unwrap());
        Self { ledger, place: Place::Postgres(address) }
    }

    /// The same ledger, as another process would open it.
    pub(crate) fn again(&self) -> Arc<dyn Ledger> {
        match &self.place {
            Place::Memory => Arc::clone(&self.ledger),
            Place::Sqlite(_) => Arc::new(SqliteLedger::open_existing(&self.file()).unwrap()),
            Place::Postgres(address) => Arc::new(PostgresLedger::open(address).unwrap()),
        }
    }

    /// The file of a SQLite ledger.
    pub(crate) fn file(&self) -> PathBuf {
        let Place::Sqlite(directory) = &self.place else { panic!("not a file") };
        directory.path().join("ledger.db")
    }

    /// Whether the head is stored in a table of its own.
    pub(crate) fn has_head(&self) -> bool {
        matches!(self.place, Place::Postgres(_))
    }

    /// How to open it in another process: a file or an address.
    pub(crate) fn address(&self) -> String {
        match &self.place {
            Place::Postgres(address) => address.clone(),
            _ => self.file().display().to_string(),
        }
    }

    /// Runs SQL directly on the database.
    pub(crate) fn sql(&self, statement: &str) {
        match &self.place {
            Place::Memory => panic!("memory has no SQL"),
            Place::Sqlite(_) => {
                rusqlite::Connection::open(self.file()).unwrap().execute_batch(statement).unwrap()
            }
            Place::Postgres(address) => in_schema(address).batch_execute(statement).unwrap(),
        }
    }

    /// Changes the verdict of a record directly in the database.
    pub(crate) fn set_verdict(&self, position: u64, verdict: &str) {
        let set = match &self.place {
            Place::Postgres(_) => "UPDATE records SET verdict",
            _ => "UPDATE verdicts SET text",
        };
        self.sql(&format!("{set} = '{verdict}' WHERE position = {position}"));
    }

    /// Queries a number directly from the database.
    pub(crate) fn count(&self, query: &str) -> i64 {
        match &self.place {
            Place::Memory => panic!("memory has no SQL"),
            Place::Sqlite(_) => {
                let connection = rusqlite::Connection::open(self.file()).unwrap();
                connection.query_row(query, [], |row| row.get(0)).unwrap()
            }
            Place::Postgres(address) => in_schema(address).query_one(query, &[]).unwrap().get(0),
        }
    }

    /// Appends `count` records to a stream, in one batch.
    pub(crate) fn fill(&self, stream: &str, count: u64) -> Vec<Record> {
        fill(self.ledger.as_ref(), stream, count)
    }

    /// Appends one record with a personal text to `quest/anna`.
    pub(crate) fn tell(&self, subject: &str, text: &str) -> Personal {
        let personal = Personal {
            subject: subject.into(),
            salt: Digest::of(text.as_bytes()).0[..16].try_into().unwrap(),
            text: text.into(),
        };
        let version = last_version(self.ledger.as_ref(), "quest/anna") + 1;
        let body = format!("{{\"text\":\"{}\"}}", personal.digest());
        let mut writer = self.ledger.writer().unwrap();
        let turn = writer.lock().unwrap();
        let record = turn.head().seal([5; 16], Draft { body, ..draft("quest/anna", version) });
        let position = record.position;
        let personal_texts = vec![(position, personal.clone())];
        turn.commit(&Batch { records: vec![record.into()], personal: personal_texts, ..Batch::default() })
            .unwrap();
        personal
    }

    /// Appends one record with an origin to a stream; returns its position.
    pub(crate) fn fill_from(&self, stream: &str, origin: &str) -> u64 {
        let version = self.ledger.version(stream).unwrap() + 1;
        let mut writer = self.ledger.writer().unwrap();
        let turn = writer.lock().unwrap();
        let batch = seal(turn.head(), [draft(stream, version)]);
        let position = batch.records[0].position;
        turn.commit(&Batch { origins: vec![(position, origin.into())], ..batch }).unwrap();
        position
    }

    /// All records.
    pub(crate) fn records(&self) -> Vec<Record> {
        records(self.ledger.as_ref())
    }
}

/// A draft with plausible content.
pub(crate) fn draft(stream: &str, version: u64) -> Draft {
    Draft {
        stream: stream.parse().unwrap(),
        version,
        edition: 3,
        kind: "AnswerJudged".into(),
        at: Moment::from_millis(1_794_735_000_250),
        actor: "participant:team_01".into(),
        body: format!("{{\"answer\":\"größer {version}\"}}"),
        verdict: (!version.is_multiple_of(3)).then(|| format!("{{\"points\":{version}}}").into()),
    }
}

/// Drafts sealed one after the other on a head.
pub(crate) fn seal(mut head: Head, drafts: impl IntoIterator<Item = Draft>) -> Batch {
    let records = drafts.into_iter().map(|draft| head.seal([7; 16], draft).into()).collect();
    Batch { records, ..Batch::default() }
}

/// Appends drafts in one batch.
pub(crate) fn append(writer: &mut dyn Writer, drafts: impl IntoIterator<Item = Draft>) -> Vec<Record> {
    let turn = writer.lock().unwrap();
    let batch = seal(turn.head(), drafts);
    turn.commit(&batch).unwrap();
    batch.records.iter().map(|record| (**record).clone()).collect()
}

/// Appends `count` records to a stream, in one batch.
pub(crate) fn fill(ledger: &dyn Ledger, stream: &str, count: u64) -> Vec<Record> {
    let last = last_version(ledger, stream);
    let mut writer = ledger.writer().unwrap();
    append(writer.as_mut(), (last + 1..=last + count).map(|version| draft(stream, version)))
}

/// The records that a scan reads.
pub(crate) fn scanned(ledger: &dyn Ledger, scan: Scan<'_>) -> Vec<Record> {
    let mut records = Vec::new();
    let each = &mut |record: assize_kernel::RecordRef<'_>| {
        records.push(record.to_record().unwrap());
        ControlFlow::Continue(())
    };
    ledger.scan(scan, each).unwrap();
    records
}

/// All records of a ledger.
pub(crate) fn records(ledger: &dyn Ledger) -> Vec<Record> {
    scanned(ledger, Scan::all(0, Depth::Whole))
}

fn last_version(ledger: &dyn Ledger, stream: &str) -> u64 {
    scanned(ledger, Scan::stream(stream, 0, Depth::Facts)).last().map_or(0, |record| record.draft.version)
}

fn in_schema(address: &str) -> postgres::Client {
    let mut client = postgres::Client::connect(address, postgres::NoTls).unwrap();
    client.batch_execute("SET search_path = assize").unwrap();
    client
}

/// The entry of a request under this key, whose response is the third record.
pub(crate) fn key_entry(key: &str) -> KeyEntry {
    KeyEntry {
        key: ScopedKey { scope: "app:shop POST /submissions".into(), key: key.into() },
        request: Digest::of(b"request"),
        at: Moment::from_millis(5),
        first: 3,
        last: 3,
    }
}
