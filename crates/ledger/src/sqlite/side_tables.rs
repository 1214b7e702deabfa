//! The tables of a SQLite ledger beside its records: personal texts, idempotency keys, snapshots.

use assize_kernel::{Digest, Moment, Personal};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::rows::{integer, natural};
use crate::{KeyEntry, ScopedKey, Snapshot, StreamActor};

pub(super) fn personal(connection: &Connection, digest: &Digest) -> rusqlite::Result<Option<Personal>> {
    let mut statement =
        connection.prepare_cached("SELECT position, subject, salt, text FROM personal WHERE digest = ?1")?;
    statement.query_row([&digest.0], |row| Ok(personal_row(row)?.1)).optional()
}

pub(super) fn personal_of(
    connection: &Connection,
    first: u64,
    last: u64,
) -> rusqlite::Result<Vec<(u64, Personal)>> {
    let mut statement = connection.prepare_cached(
        "SELECT position, subject, salt, text FROM personal WHERE position BETWEEN ?1 AND ?2
         ORDER BY position, rowid",
    )?;
    statement.query_map([integer(first), integer(last)], personal_row)?.collect()
}

pub(super) fn personal_digests(connection: &Connection, subject: &str) -> rusqlite::Result<Vec<Digest>> {
    let mut statement = connection
        .prepare_cached("SELECT digest FROM personal WHERE subject = ?1 ORDER BY position, rowid")?;
    statement.query_map([subject], |row| row.get(0).map(Digest))?.collect()
}

pub(super) fn add_personal(connection: &Connection, personal: &[(u64, Personal)]) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO personal (digest, position, subject, salt, text) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for (position, personal) in personal {
        let Personal { subject, salt, text } = personal;
        statement.execute(params![personal.digest().0, integer(*position), subject, salt, text])?;
    }
    Ok(())
}

/// Deletes the personal texts and origins of these subjects.
pub(super) fn erase(connection: &Connection, subjects: &[String]) -> rusqlite::Result<()> {
    for subject in subjects {
        connection.prepare_cached("DELETE FROM personal WHERE subject = ?1")?.execute([subject])?;
        if let Some(StreamActor { stream, actor }) = StreamActor::of(subject) {
            let sql = "UPDATE records SET origin = NULL
                 WHERE stream = ?1 AND actor = ?2 AND origin IS NOT NULL";
            connection.prepare_cached(sql)?.execute(params![stream, actor])?;
        }
    }
    Ok(())
}

pub(super) fn origins_of(connection: &Connection, actor: &StreamActor<'_>) -> rusqlite::Result<u64> {
    let sql = "SELECT count(*) FROM records WHERE stream = ?1 AND actor = ?2 AND origin IS NOT NULL";
    connection.query_row(sql, params![actor.stream, actor.actor], |row| natural(row, 0))
}

pub(super) fn key(connection: &Connection, key: &ScopedKey) -> rusqlite::Result<Option<KeyEntry>> {
    let mut statement = connection
        .prepare_cached("SELECT request, at, first, last FROM keys WHERE scope = ?1 AND key = ?2")?;
    let entry = |row: &Row<'_>| {
        Ok(KeyEntry {
            key: key.clone(),
            request: Digest(row.get(0)?),
            at: Moment::from_millis(row.get(1)?),
            first: natural(row, 2)?,
            last: natural(row, 3)?,
        })
    };
    statement.query_row([&key.scope, &key.key], entry).optional()
}

pub(super) fn add_keys(connection: &Connection, keys: &[KeyEntry]) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO keys (scope, key, request, at, first, last) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for entry in keys {
        let KeyEntry { key, request, at, first, last } = entry;
        let first = integer(*first);
        let last = integer(*last);
        statement.execute(params![key.scope, key.key, request.0, at.as_millis(), first, last])?;
    }
    Ok(())
}

pub(super) fn forget_keys(connection: &Connection, before: Moment) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM keys WHERE at < ?1", [before.as_millis()])?;
    Ok(())
}

/// A snapshot with the digest stored beside it, which is not checked yet.
pub(super) fn snapshot(connection: &Connection, name: &str) -> rusqlite::Result<Option<(Snapshot, Vec<u8>)>> {
    let mut statement = connection.prepare_cached(
        "SELECT position, hash, version, edition, body, digest FROM snapshots WHERE name = ?1",
    )?;
    let snapshot = |row: &Row<'_>| {
        let snapshot = Snapshot {
            name: name.to_owned(),
            position: natural(row, 0)?,
            hash: Digest(row.get(1)?),
            version: natural(row, 2)?,
            edition: row.get(3)?,
            body: String::from_utf8_lossy(row.get_ref(4)?.as_bytes()?).into_owned(),
        };
        Ok((snapshot, row.get(5)?))
    };
    statement.query_row([name], snapshot).optional()
}

pub(super) fn snapshot_names(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare_cached("SELECT name FROM snapshots ORDER BY name")?;
    statement.query_map([], |row| row.get(0))?.collect()
}

pub(super) fn save_snapshots(connection: &Connection, snapshots: &[Snapshot]) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO snapshots (name, position, hash, version, edition, body, digest)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for snapshot in snapshots {
        let digest = snapshot.digest();
        let Snapshot { name, position, hash, version, edition, body } = snapshot;
        let position = integer(*position);
        let version = integer(*version);
        statement.execute(params![name, position, hash.0, version, edition, body, digest.0])?;
    }
    Ok(())
}

fn personal_row(row: &Row<'_>) -> rusqlite::Result<(u64, Personal)> {
    Ok((natural(row, 0)?, Personal { subject: row.get(1)?, salt: row.get(2)?, text: row.get(3)? }))
}
