//! Reading records from PostgreSQL, page by page.

use ::postgres::Row;
use ::postgres::fallible_iterator::FallibleIterator;
use ::postgres::types::{FromSql, ToSql};
use assize_kernel::{Digest, Head, Moment, RecordRef};

use super::connect::Connection;
use super::faults::explain;
use crate::cursor::ScanCursor;
use crate::{Depth, EachRecord, LedgerError};

/// The page size of a scan; the client buffers a whole page.
const PAGE: u64 = 2048;

macro_rules! select {
    ($verdict:literal, $which:literal) => {
        concat!(
            "SELECT position, stream, version, edition, kind, at, actor, batch, hash, ",
            "coalesce(body, (SELECT text FROM assize.blobs WHERE digest = body_blob)), ",
            $verdict,
            " FROM assize.records WHERE ",
            $which,
            " LIMIT $2"
        )
    };
}

const NO_VERDICT: &str = select!("NULL::text", "position > $1 ORDER BY position");
const WITH_VERDICT: &str = select!(
    "coalesce(verdict, (SELECT text FROM assize.blobs WHERE digest = verdict_blob))",
    "position > $1 ORDER BY position"
);
const STREAM_NO_VERDICT: &str = select!("NULL::text", "stream = $3 AND version > $1 ORDER BY version");
const STREAM_WITH_VERDICT: &str = select!(
    "coalesce(verdict, (SELECT text FROM assize.blobs WHERE digest = verdict_blob))",
    "stream = $3 AND version > $1 ORDER BY version"
);

/// Reads the next page of a scan. Can be called again after an error: no record is passed on twice.
pub(super) fn page(
    cursor: &mut ScanCursor<'_>,
    connection: &mut Connection,
    place: &str,
    each: &mut EachRecord<'_>,
) -> Result<(), LedgerError> {
    let limit = integer(cursor.begin(PAGE));
    let after = integer(cursor.scan.after);
    let facts = cursor.scan.depth == Depth::Facts;
    let mut params: Vec<&(dyn ToSql + Sync)> = vec![&after, &limit];
    let stream = cursor.scan.stream;
    let sql = match &stream {
        None if facts => NO_VERDICT,
        None => WITH_VERDICT,
        Some(stream) => {
            params.push(stream);
            if facts { STREAM_NO_VERDICT } else { STREAM_WITH_VERDICT }
        }
    };
    let lost = |error| explain(place, &error);
    let statement = connection.prepared(sql).map_err(lost)?;
    let mut rows = connection.client.query_raw(&statement, params).map_err(lost)?;
    while let Some(row) = rows.next().map_err(lost)? {
        let record = record(&row)?;
        let record = if facts { record.without_evidence() } else { record };
        if cursor.hand_out(record, each).is_break() {
            return Ok(());
        }
    }
    cursor.end();
    Ok(())
}

/// The end of the chain.
pub(super) fn head(connection: &mut Connection) -> Result<Head, ::postgres::Error> {
    let statement = connection.prepared("SELECT position, hash FROM assize.head")?;
    let row = connection.client.query_one(&statement, &[])?;
    Ok(Head { position: natural(row.try_get(0)?), hash: digest(row.try_get(1)?) })
}

/// The number of records in a stream.
pub(super) fn version(connection: &mut Connection, stream: &str) -> Result<u64, ::postgres::Error> {
    let sql = "SELECT coalesce(max(version), 0) FROM assize.records WHERE stream = $1";
    let statement = connection.prepared(sql)?;
    connection.client.query_one(&statement, &[&stream])?.try_get(0).map(natural)
}

/// The known origins of records.
pub(super) fn origins(
    connection: &mut Connection,
    first: u64,
    last: u64,
) -> Result<Vec<(u64, String)>, ::postgres::Error> {
    let statement = connection.prepared(
        "SELECT position, origin FROM assize.records
         WHERE position BETWEEN $1 AND $2 AND origin IS NOT NULL ORDER BY position",
    )?;
    let rows = connection.client.query(&statement, &[&integer(first), &integer(last)])?;
    rows.iter().map(|row| Ok((natural(row.try_get(0)?), row.try_get(1)?))).collect()
}

/// PostgreSQL has signed integers only; no ledger comes near their maximum.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The inverse of [`integer`].
pub(super) fn natural(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// The digest in a column; the zero digest, which nothing hashes to, when it is malformed.
pub(super) fn digest(bytes: &[u8]) -> Digest {
    bytes.try_into().map_or(Digest::ZERO, Digest)
}

fn record(row: &Row) -> Result<RecordRef<'_>, LedgerError> {
    let position = natural(column(row, 0, 0)?);
    let wrong = |what: &str| LedgerError::Damaged(format!("record {position} {what}"));
    let edition: i64 = column(row, 3, position)?;
    let batch: &[u8] = column(row, 7, position)?;
    Ok(RecordRef {
        position,
        stream: column(row, 1, position)?,
        version: natural(column(row, 2, position)?),
        edition: u32::try_from(edition).map_err(|_| wrong("has a wrong edition"))?,
        kind: column(row, 4, position)?,
        at: Moment::from_millis(column(row, 5, position)?),
        actor: column(row, 6, position)?,
        batch: batch.try_into().map_err(|_| wrong("has a wrong batch id"))?,
        hash: digest(column(row, 8, position)?),
        body: column(row, 9, position).map_err(|_| wrong("has lost its body"))?,
        verdict: column(row, 10, position)?,
    })
}

fn column<'a, T: FromSql<'a>>(row: &'a Row, index: usize, position: u64) -> Result<T, LedgerError> {
    row.try_get(index).map_err(|error| LedgerError::Damaged(format!("record {position}: {error}")))
}
