//! Reading records from SQLite, page by page and without copying.

use assize_kernel::{Digest, Head, Moment, RecordRef};
use rusqlite::{Connection, Row, Rows, params};

use super::faults::odd;
use super::open::LedgerFile;
use crate::cursor::ScanCursor;
use crate::{Depth, EachRecord, LedgerError};

/// The page size of a scan; a running statement prevents checkpoints of the write-ahead log.
const PAGE: u64 = 8192;

macro_rules! select {
    ($evidence:literal, $from:literal, $which:literal) => {
        concat!(
            "SELECT records.position, stream, version, kind, at, ",
            "coalesce(body, (SELECT text FROM blobs WHERE digest = body_blob))",
            $evidence,
            " FROM ",
            $from,
            " WHERE ",
            $which,
            " LIMIT ?2"
        )
    };
}

macro_rules! select_facts {
    ($which:literal) => {
        select!("", "records", $which)
    };
}

macro_rules! select_whole {
    ($which:literal) => {
        select!(
            ", edition, actor, batch, hash, \
             coalesce(verdicts.text, (SELECT text FROM blobs WHERE digest = verdict_blob))",
            "records LEFT JOIN verdicts ON verdicts.position = records.position",
            $which
        )
    };
}

const FACTS: &str = select_facts!("records.position > ?1 ORDER BY records.position");
const WHOLE: &str = select_whole!("records.position > ?1 ORDER BY records.position");
const FACTS_OF_STREAM: &str = select_facts!("stream = ?3 AND version > ?1 ORDER BY version");
const WHOLE_OF_STREAM: &str = select_whole!("stream = ?3 AND version > ?1 ORDER BY version");

/// Reads the next page of a scan. Can be called again after an error: no record is passed on twice.
pub(super) fn page(
    cursor: &mut ScanCursor<'_>,
    connection: &Connection,
    file: &LedgerFile,
    each: &mut EachRecord<'_>,
) -> Result<(), LedgerError> {
    read(cursor, connection, each).map_err(|error| match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, what) => LedgerError::Damaged(what.to_string()),
        error => file.explain(&error),
    })
}

fn read(
    cursor: &mut ScanCursor<'_>,
    connection: &Connection,
    each: &mut EachRecord<'_>,
) -> rusqlite::Result<()> {
    let limit = integer(cursor.begin(PAGE));
    let after = integer(cursor.scan.after);
    let facts = cursor.scan.depth == Depth::Facts;
    if let Some(stream) = cursor.scan.stream {
        let sql = if facts { FACTS_OF_STREAM } else { WHOLE_OF_STREAM };
        let mut statement = connection.prepare_cached(sql)?;
        hand_out(cursor, statement.query(params![after, limit, stream])?, each)
    } else {
        let sql = if facts { FACTS } else { WHOLE };
        let mut statement = connection.prepare_cached(sql)?;
        hand_out(cursor, statement.query(params![after, limit])?, each)
    }
}

fn hand_out(
    cursor: &mut ScanCursor<'_>,
    mut rows: Rows<'_>,
    each: &mut EachRecord<'_>,
) -> rusqlite::Result<()> {
    let facts_only = cursor.scan.depth == Depth::Facts;
    while let Some(row) = rows.next()? {
        let record = if facts_only { facts(row)? } else { whole(row)? };
        if cursor.hand_out(record, each).is_break() {
            return Ok(());
        }
    }
    cursor.end();
    Ok(())
}

/// The end of the chain.
pub(super) fn head(connection: &Connection) -> rusqlite::Result<Head> {
    let sql = "SELECT position, hash FROM records ORDER BY position DESC LIMIT 1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    let Some(row) = rows.next()? else { return Ok(Head::START) };
    Ok(Head { position: natural(row, 0)?, hash: Digest(row.get(1)?) })
}

/// The number of records in a stream.
pub(super) fn version(connection: &Connection, stream: &str) -> rusqlite::Result<u64> {
    let sql = "SELECT coalesce(max(version), 0) FROM records WHERE stream = ?1";
    connection.prepare_cached(sql)?.query_row([stream], |row| natural(row, 0))
}

/// The known origins of records.
pub(super) fn origins(
    connection: &Connection,
    first: u64,
    last: u64,
) -> rusqlite::Result<Vec<(u64, String)>> {
    let sql = "SELECT position, origin FROM records
         WHERE position BETWEEN ?1 AND ?2 AND origin IS NOT NULL ORDER BY position";
    let mut statement = connection.prepare_cached(sql)?;
    let rows =
        statement.query_map([integer(first), integer(last)], |row| Ok((natural(row, 0)?, row.get(1)?)))?;
    rows.collect()
}

/// SQLite has signed integers only; no ledger comes near their maximum.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The inverse of [`integer`]; an error for a negative number.
pub(super) fn natural(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| odd(column, "a number is negative"))
}

fn facts<'a>(row: &'a Row<'_>) -> rusqlite::Result<RecordRef<'a>> {
    let position = natural(row, 0)?;
    let version = natural(row, 2).map_err(|_| wrong(position, 2, "has a wrong number"))?;
    let body = text(row, position, 5).map_err(|_| wrong(position, 5, "has lost its body"))?;
    let at = Moment::from_millis(row.get(4)?);
    Ok(RecordRef::facts(position, text(row, position, 1)?, version, text(row, position, 3)?, at, body))
}

fn whole<'a>(row: &'a Row<'_>) -> rusqlite::Result<RecordRef<'a>> {
    let facts = facts(row)?;
    let wrong = |column: usize, what: &str| wrong(facts.position, column, what);
    let edition = natural(row, 6).ok().and_then(|edition| u32::try_from(edition).ok());
    Ok(RecordRef {
        edition: edition.ok_or_else(|| wrong(6, "has a wrong edition"))?,
        actor: text(row, facts.position, 7)?,
        batch: row.get(8).map_err(|_| wrong(8, "has a wrong batch id"))?,
        hash: Digest(row.get(9).map_err(|_| wrong(9, "has a wrong hash"))?),
        verdict: row.get_ref(10)?.as_str_or_null().map_err(|_| wrong(10, "has a verdict that is no text"))?,
        ..facts
    })
}

fn text<'a>(row: &'a Row<'_>, position: u64, column: usize) -> rusqlite::Result<&'a str> {
    row.get_ref(column)?.as_str().map_err(|_| wrong(position, column, "has no text where one must be"))
}

fn wrong(position: u64, column: usize, what: &str) -> rusqlite::Error {
    odd(column, &format!("record {position} {what}"))
}
