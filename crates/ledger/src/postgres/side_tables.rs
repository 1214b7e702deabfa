//! The tables of a PostgreSQL ledger beside its records: personal texts, idempotency keys, snapshots.

use ::postgres::{Error, Row};
use assize_kernel::{Digest, Moment, Personal};

use super::connect::Connection;
use super::rows::{digest, integer, natural};
use crate::{KeyEntry, ScopedKey, Snapshot, StreamActor};

pub(super) fn personal(connection: &mut Connection, digest: &Digest) -> Result<Option<Personal>, Error> {
    let statement =
        connection.prepared("SELECT position, subject, salt, text FROM assize.personal WHERE digest = $1")?;
    let row = connection.client.query_opt(&statement, &[&digest.0.as_slice()])?;
    row.map(|row| Ok(personal_row(&row)?.1)).transpose()
}

pub(super) fn personal_of(
    connection: &mut Connection,
    first: u64,
    last: u64,
) -> Result<Vec<(u64, Personal)>, Error> {
    let statement = connection.prepared(
        "SELECT position, subject, salt, text FROM assize.personal WHERE position BETWEEN $1 AND $2
         ORDER BY position, ordinal",
    )?;
    let rows = connection.client.query(&statement, &[&integer(first), &integer(last)])?;
    rows.iter().map(personal_row).collect()
}

pub(super) fn personal_digests(connection: &mut Connection, subject: &str) -> Result<Vec<Digest>, Error> {
    let statement = connection
        .prepared("SELECT digest FROM assize.personal WHERE subject = $1 ORDER BY position, ordinal")?;
    let rows = connection.client.query(&statement, &[&subject])?;
    rows.iter().map(|row| row.try_get(0).map(digest)).collect()
}

/// Deletes the personal texts and origins of these subjects.
pub(super) fn erase(connection: &mut Connection, subjects: &[String]) -> Result<(), Error> {
    if subjects.is_empty() {
        return Ok(());
    }
    connection.client.execute("DELETE FROM assize.personal WHERE subject = ANY($1)", &[&subjects])?;
    for StreamActor { stream, actor } in subjects.iter().filter_map(|subject| StreamActor::of(subject)) {
        let sql = "UPDATE assize.records SET origin = NULL
             WHERE stream = $1 AND actor = $2 AND origin IS NOT NULL";
        connection.client.execute(sql, &[&stream, &actor])?;
    }
    Ok(())
}

pub(super) fn origins_of(connection: &mut Connection, actor: &StreamActor<'_>) -> Result<u64, Error> {
    let sql = "SELECT count(*) FROM assize.records WHERE stream = $1 AND actor = $2 AND origin IS NOT NULL";
    connection.client.query_one(sql, &[&actor.stream, &actor.actor])?.try_get(0).map(natural)
}

/// The entries of these idempotency keys, in their order.
pub(super) fn keys(connection: &mut Connection, keys: &[ScopedKey]) -> Result<Vec<Option<KeyEntry>>, Error> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let statement = connection.prepared(
        "SELECT found.request, found.at, found.first, found.last
         FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (scope, key, ordinal)
         LEFT JOIN assize.keys AS found ON found.scope = asked.scope AND found.key = asked.key
         ORDER BY asked.ordinal",
    )?;
    let scopes: Vec<&str> = keys.iter().map(|key| key.scope.as_str()).collect();
    let names: Vec<&str> = keys.iter().map(|key| key.key.as_str()).collect();
    let rows = connection.client.query(&statement, &[&scopes, &names])?;
    keys.iter().zip(&rows).map(|(key, row)| key_row(key.clone(), row, 0)).collect()
}

pub(super) fn all_keys(connection: &mut Connection) -> Result<Vec<KeyEntry>, Error> {
    let sql = "SELECT scope, key, request, at, first, last FROM assize.keys";
    let rows = connection.client.query(sql, &[])?;
    let entries =
        rows.iter().map(|row| key_row(ScopedKey { scope: row.try_get(0)?, key: row.try_get(1)? }, row, 2));
    entries.filter_map(Result::transpose).collect()
}

pub(super) fn forget_keys(connection: &mut Connection, before: Moment) -> Result<(), Error> {
    connection.client.execute("DELETE FROM assize.keys WHERE at < $1", &[&before.as_millis()])?;
    Ok(())
}

/// A snapshot with the digest stored beside it, which is not checked yet.
pub(super) fn snapshot(
    connection: &mut Connection,
    name: &str,
) -> Result<Option<(Snapshot, Vec<u8>)>, Error> {
    let statement = connection.prepared(
        "SELECT position, hash, version, edition, body, digest FROM assize.snapshots WHERE name = $1",
    )?;
    let row = connection.client.query_opt(&statement, &[&name])?;
    let snapshot = |row: Row| {
        let snapshot = Snapshot {
            name: name.to_owned(),
            position: natural(row.try_get(0)?),
            hash: digest(row.try_get(1)?),
            version: natural(row.try_get(2)?),
            edition: row.try_get(3)?,
            body: row.try_get(4)?,
        };
        Ok((snapshot, row.try_get(5)?))
    };
    row.map(snapshot).transpose()
}

pub(super) fn snapshot_names(connection: &mut Connection) -> Result<Vec<String>, Error> {
    let statement = connection.prepared("SELECT name FROM assize.snapshots ORDER BY name")?;
    connection.client.query(&statement, &[])?.iter().map(|row| row.try_get(0)).collect()
}

pub(super) fn save_snapshots(connection: &mut Connection, snapshots: &[Snapshot]) -> Result<(), Error> {
    let statement = connection.prepared(
        "INSERT INTO assize.snapshots (name, position, hash, version, edition, body, digest)
         SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bigint[], $5::text[], $6::text[],
            $7::bytea[])
         ON CONFLICT (name) DO UPDATE SET position = excluded.position, hash = excluded.hash,
         version = excluded.version, edition = excluded.edition, body = excluded.body,
         digest = excluded.digest",
    )?;
    // One statement may not update a row twice: the last snapshot of a name counts.
    let last: std::collections::BTreeMap<&str, &Snapshot> =
        snapshots.iter().map(|snapshot| (snapshot.name.as_str(), snapshot)).collect();
    let names: Vec<&str> = last.keys().copied().collect();
    let positions: Vec<i64> = last.values().map(|each| integer(each.position)).collect();
    let hashes: Vec<&[u8]> = last.values().map(|each| each.hash.0.as_slice()).collect();
    let versions: Vec<i64> = last.values().map(|each| integer(each.version)).collect();
    let editions: Vec<&str> = last.values().map(|each| each.edition.as_str()).collect();
    let bodies: Vec<&str> = last.values().map(|each| each.body.as_str()).collect();
    let digests: Vec<Digest> = last.values().map(|each| each.digest()).collect();
    let digests: Vec<&[u8]> = digests.iter().map(|digest| digest.0.as_slice()).collect();
    let client = &mut connection.client;
    client.execute(&statement, &[&names, &positions, &hashes, &versions, &editions, &bodies, &digests])?;
    Ok(())
}

pub(super) fn clock(connection: &mut Connection) -> Result<Moment, Error> {
    let statement =
        connection.prepared("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")?;
    connection.client.query_one(&statement, &[])?.try_get(0).map(Moment::from_millis)
}

fn personal_row(row: &Row) -> Result<(u64, Personal), Error> {
    let salt: &[u8] = row.try_get(2)?;
    let text: &[u8] = row.try_get(3)?;
    let personal = Personal {
        subject: row.try_get(1)?,
        // A salt or text that was tampered with does not match its digest; verification reports it.
        salt: salt.try_into().unwrap_or_default(),
        text: String::from_utf8_lossy(text).into_owned(),
    };
    Ok((natural(row.try_get(0)?), personal))
}

fn key_row(key: ScopedKey, row: &Row, from: usize) -> Result<Option<KeyEntry>, Error> {
    let Some(request) = row.try_get::<_, Option<&[u8]>>(from)? else { return Ok(None) };
    Ok(Some(KeyEntry {
        key,
        request: digest(request),
        at: Moment::from_millis(row.try_get(from + 1)?),
        first: natural(row.try_get(from + 2)?),
        last: natural(row.try_get(from + 3)?),
    }))
}
