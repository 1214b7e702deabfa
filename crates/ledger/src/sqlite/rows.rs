//! Reading records out of SQLite without copying them.

use std::path::Path;

use assize_kernel::{Digest, Head, Moment, RecordRef};
use rusqlite::{Connection, Row, Rows, params};

use super::faults::{explain, odd};
use crate::cursor::Cursor;
use crate::{Depth, EachRecord, LedgerError};

/// A reader holds the log of the file as long as its statement runs, so none runs for longer than this many rows.
const PAGE: u64 = 8192;

macro_rules! select {
    ($verdict:literal, $which:literal) => {
        concat!(
            "SELECT position, stream, version, edition, kind, at, actor, batch, hash, ",
            "coalesce(body, (SELECT text FROM blobs WHERE digest = body_blob)), ",
            $verdict,
            " FROM records WHERE ",
            $which,
            " LIMIT ?2"
        )
    };
}

const NO_VERDICT: &str = select!("NULL", "position > ?1 ORDER BY position");
const WITH_VERDICT: &str = select!(
    "coalesce(verdict, (SELECT text FROM blobs WHERE digest = verdict_blob))",
    "position > ?1 ORDER BY position"
);
const STREAM_NO_VERDICT: &str = select!("NULL", "stream = ?3 AND version > ?1 ORDER BY version");
const STREAM_WITH_VERDICT: &str = select!(
    "coalesce(verdict, (SELECT text FROM blobs WHERE digest = verdict_blob))",
    "stream = ?3 AND version > ?1 ORDER BY version"
);

/// Hands out the next records. Can be called again after an error: nothing is handed out twice.
pub(super) fn page(
    cursor: &mut Cursor<'_>,
    connection: &Connection,
    path: &Path,
    each: &mut EachRecord<'_>,
) -> Result<(), LedgerError> {
    read(cursor, connection, each).map_err(|error| match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, what) => LedgerError::Damaged(what.to_string()),
        error => explain(path, error),
    })
}

fn read(cursor: &mut Cursor<'_>, connection: &Connection, each: &mut EachRecord<'_>) -> rusqlite::Result<()> {
    let limit = integer(cursor.begin(PAGE));
    let after = integer(cursor.scan.after);
    let facts = cursor.scan.depth == Depth::Facts;
    if let Some(stream) = cursor.scan.stream {
        let sql = if facts { STREAM_NO_VERDICT } else { STREAM_WITH_VERDICT };
        let mut statement = connection.prepare_cached(sql)?;
        hand_out(cursor, statement.query(params![after, limit, stream])?, each)
    } else {
        let sql = if facts { NO_VERDICT } else { WITH_VERDICT };
        let mut statement = connection.prepare_cached(sql)?;
        hand_out(cursor, statement.query(params![after, limit])?, each)
    }
}

fn hand_out(cursor: &mut Cursor<'_>, mut rows: Rows<'_>, each: &mut EachRecord<'_>) -> rusqlite::Result<()> {
    while let Some(row) = rows.next()? {
        if cursor.hand_out(record(row)?, each).is_break() {
            return Ok(());
        }
    }
    cursor.end();
    Ok(())
}

/// Where the chain ends.
pub(super) fn head(connection: &Connection) -> rusqlite::Result<Head> {
    let sql = "SELECT position, hash FROM records ORDER BY position DESC LIMIT 1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    let Some(row) = rows.next()? else { return Ok(Head::START) };
    Ok(Head { position: natural(row, 0)?, hash: Digest(row.get(1)?) })
}

/// SQLite counts in signed numbers; no ledger comes near the end of them.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number that cannot be negative.
pub(super) fn natural(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| odd(column, "a number is negative"))
}

fn record<'a>(row: &'a Row<'_>) -> rusqlite::Result<RecordRef<'a>> {
    let position = natural(row, 0)?;
    let wrong = |column: usize, what: &str| odd(column, &format!("record {position} {what}"));
    let text = |column: usize| {
        let value = row.get_ref(column)?;
        value.as_str().map_err(|_| wrong(column, "has no text where one must be"))
    };
    let number = |column: usize| natural(row, column).map_err(|_| wrong(column, "has a wrong number"));
    Ok(RecordRef {
        position,
        stream: text(1)?,
        version: number(2)?,
        edition: u32::try_from(number(3)?).map_err(|_| wrong(3, "has a wrong edition"))?,
        kind: text(4)?,
        at: Moment::from_millis(row.get(5)?),
        actor: text(6)?,
        batch: row.get(7).map_err(|_| wrong(7, "has a wrong batch id"))?,
        hash: Digest(row.get(8).map_err(|_| wrong(8, "has a wrong hash"))?),
        body: text(9).map_err(|_| wrong(9, "has lost its body"))?,
        verdict: row.get_ref(10)?.as_str_or_null().map_err(|_| wrong(10, "has a verdict that is no text"))?,
    })
}
