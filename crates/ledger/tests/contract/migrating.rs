//! Schema migrations: a ledger of an older program keeps all its data.

use assize_kernel::{Digest, Head, Moment, Record};
use assize_ledger::{AccessToken, Ledger, PostgresLedger, SqliteLedger, verify};
use assize_testbed::postgres::Cluster;
use tempfile::TempDir;

use crate::stage::{draft, fill, records};

/// Records as the first version wrote them.
fn history() -> Vec<Record> {
    let mut head = Head::START;
    (1..=5).map(|version| head.seal([7; 16], draft("contest/spring", version))).collect()
}

fn hash() -> Digest {
    Digest::of(b"an old secret")
}

/// What must be found once it is up to date.
fn check(ledger: &dyn Ledger) {
    assert_eq!(records(ledger), history());
    let token = AccessToken {
        hash: hash(),
        actor: "admin:organiser".into(),
        scope: String::new(),
        label: String::new(),
        issued: Moment::from_millis(1),
        issued_by: String::new(),
        expires: Some(Moment::from_millis(9)),
        revoked: None,
    };
    assert_eq!(ledger.token(&token.hash).unwrap().as_ref(), Some(&token));
    assert_eq!(ledger.token_called(&token.id()).unwrap(), Some(token));
    assert_eq!((ledger.users().unwrap(), ledger.origins(1, 9).unwrap()), (Vec::new(), Vec::new()));
    fill(ledger, "contest/spring", 2);
    let found = verify(ledger, &mut |_| {}).unwrap();
    assert_eq!((found.records, found.problems), (7, Vec::new()));
}

#[test]
fn a_file_of_version_1_is_brought_up_to_date() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("ledger.db");
    let old = rusqlite::Connection::open(&file).unwrap();
    old.execute_batch(include_str!("../../src/sqlite/schema_1.sql")).unwrap();
    old.execute_batch("PRAGMA application_id = 0x4153535a; PRAGMA user_version = 1").unwrap();
    for record in history() {
        let draft = record.draft;
        old.execute(
            "INSERT INTO records (position, stream, version, edition, kind, at, actor, batch, hash, body, verdict)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            rusqlite::params![
                record.position.cast_signed(),
                draft.stream.as_str(),
                draft.version.cast_signed(),
                draft.edition,
                draft.kind,
                draft.at.as_millis(),
                draft.actor,
                record.batch,
                record.hash.0,
                draft.body,
                draft.verdict.as_deref()
            ],
        )
        .unwrap();
    }
    old.execute("INSERT INTO tokens VALUES (?1, 'admin:organiser', '', 1, 9)", [hash().0]).unwrap();
    drop(old);
    check(&SqliteLedger::open(&file).unwrap());
    let version = rusqlite::Connection::open(&file).unwrap();
    let version: i64 = version.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(version, 5);
}

#[test]
fn a_database_of_version_1_is_brought_up_to_date() {
    let address = Cluster::shared().database();
    let mut old = postgres::Client::connect(&address, postgres::NoTls).unwrap();
    old.batch_execute(
        "CREATE SCHEMA assize; CREATE TABLE assize.schema_version (version bigint NOT NULL);
         INSERT INTO assize.schema_version VALUES (1)",
    )
    .unwrap();
    old.batch_execute(include_str!("../../src/postgres/schema_1.sql")).unwrap();
    for record in history() {
        let draft = record.draft;
        old.execute(
            "INSERT INTO assize.records (position, stream, version, edition, kind, at, actor, batch, hash, body,
             verdict) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            &[
                &record.position.cast_signed(),
                &draft.stream.as_str(),
                &draft.version.cast_signed(),
                &i64::from(draft.edition),
                &&*draft.kind,
                &draft.at.as_millis(),
                &draft.actor,
                &record.batch.as_slice(),
                &record.hash.0.as_slice(),
                &draft.body,
                &draft.verdict.as_deref(),
            ],
        )
        .unwrap();
        old.execute(
            "UPDATE assize.head SET position = $1, hash = $2",
            &[&record.position.cast_signed(), &record.hash.0.as_slice()],
        )
        .unwrap();
    }
    let token = "INSERT INTO assize.tokens VALUES ($1, 'admin:organiser', '', 1, 9)";
    old.execute(token, &[&hash().0.as_slice()]).unwrap();
    check(&PostgresLedger::open_existing(&address).unwrap());
}
