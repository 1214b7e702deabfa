//! Inserting a batch into PostgreSQL in as few round trips as possible.

use ::postgres::Error;
use assize_kernel::{Digest, Head, Personal, Record};

use super::connect::Connection;
use super::rows::integer;
use super::{access, side_tables, webhooks};
use crate::blobs::{StoredText, keep_both, stay_inline};
use crate::{Batch, KeyEntry};

/// Moves the head, inserts records and keys and notifies the other processes, in one statement. It waits for
/// the lock on the head; when the chain does not end where the batch was sealed, or the epoch was raised, it does
/// and returns nothing.
const ADD: &str = "WITH
    moved AS (
        UPDATE assize.head SET position = $21, hash = $22
        WHERE position = $23 AND hash = $24 AND epoch = $26 RETURNING position
    ),
    added AS (
        INSERT INTO assize.records (position, stream, version, edition, kind, at, actor, batch, hash,
            body_blob, verdict_blob, body, verdict, origin)
        SELECT given.* FROM moved, unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[],
            $6::bigint[], $7::text[], $8::bytea[], $9::bytea[], $10::bytea[], $11::bytea[], $12::text[],
            $13::text[], $14::text[]) AS given
    ),
    keyed AS (
        INSERT INTO assize.keys (scope, key, request, at, first, last)
        SELECT DISTINCT ON (scope, key) scope, key, request, at, first, last
        FROM moved, unnest($15::text[], $16::text[], $17::bytea[], $18::bigint[], $19::bigint[], $20::bigint[])
            WITH ORDINALITY AS given (scope, key, request, at, first, last, ordinal)
        ORDER BY scope, key, ordinal DESC
        ON CONFLICT (scope, key) DO UPDATE SET request = excluded.request, at = excluded.at,
            first = excluded.first, last = excluded.last
    )
    SELECT pg_notify('assize', $25) FROM moved";

/// A batch with the end of the chain before and after it.
#[derive(Clone, Copy)]
pub(super) struct ChainedBatch<'a> {
    pub(super) batch: &'a Batch,
    /// The end of the chain before the batch, and after it.
    pub(super) from: Head,
    pub(super) to: Head,
    /// The epoch in which the end of the chain was read.
    pub(super) epoch: i64,
    /// The payload of the notification, by which a process knows its own.
    pub(super) sender: &'a str,
}

/// Whether a batch has only records and keys, which one statement writes.
pub(super) fn is_plain(batch: &Batch) -> bool {
    let Batch { records, personal, keys: _, erase, origins: _, access, webhooks } = batch;
    let beside = personal.len() + erase.len() + access.len() + webhooks.len();
    beside == 0 && records.iter().all(|record| stay_inline(record))
}

/// Writes the batch if the chain ends where it was sealed; returns whether it did. Outside a transaction it
/// is committed at once.
pub(super) fn add(connection: &mut Connection, link: ChainedBatch<'_>) -> Result<bool, Error> {
    let batch = link.batch;
    let kept: Vec<(StoredText<'_>, StoredText<'_>)> =
        batch.records.iter().map(|record| keep_both(record)).collect();
    add_blobs(connection, &kept)?;
    add_personal(connection, &batch.personal)?;
    let added = add_records(connection, link, &kept)?;
    access::change(connection, &batch.access)?;
    batch.webhooks.iter().try_for_each(|change| webhooks::change(connection, change))?;
    side_tables::erase(connection, &batch.erase)?;
    Ok(added)
}

/// Returns whether the chain ended where the batch was sealed.
fn add_records(
    connection: &mut Connection,
    ChainedBatch { batch, from, to, epoch, sender }: ChainedBatch<'_>,
    kept: &[(StoredText<'_>, StoredText<'_>)],
) -> Result<bool, Error> {
    let statement = connection.prepared(ADD)?;
    let records = batch.records.as_slice();
    let of_keys = KeyColumns::new(&batch.keys);
    let names = |name: fn(&Record) -> &str| records.iter().map(|record| name(record)).collect::<Vec<&str>>();
    let numbers =
        |number: fn(&Record) -> i64| records.iter().map(|record| number(record)).collect::<Vec<i64>>();
    let bytes =
        |bytes: fn(&Record) -> &[u8]| records.iter().map(|record| bytes(record)).collect::<Vec<&[u8]>>();
    let body_blobs: Vec<Option<&[u8]>> = kept.iter().map(|(body, _)| blob(body)).collect();
    let verdict_blobs: Vec<Option<&[u8]>> = kept.iter().map(|(_, verdict)| blob(verdict)).collect();
    let bodies: Vec<Option<&str>> = kept.iter().map(|(body, _)| body.inline).collect();
    let verdicts: Vec<Option<&str>> = kept.iter().map(|(_, verdict)| verdict.inline).collect();
    let origins: Vec<Option<&str>> = batch.records_with_origins().map(|(_, origin)| origin).collect();
    let notified = connection.client.execute(
        &statement,
        &[
            &numbers(|record| integer(record.position)),
            &names(|record| record.draft.stream.as_str()),
            &numbers(|record| integer(record.draft.version)),
            &numbers(|record| i64::from(record.draft.edition)),
            &names(|record| &record.draft.kind),
            &numbers(|record| record.draft.at.as_millis()),
            &names(|record| &record.draft.actor),
            &bytes(|record| &record.batch),
            &bytes(|record| &record.hash.0),
            &body_blobs,
            &verdict_blobs,
            &bodies,
            &verdicts,
            &origins,
            &of_keys.scopes,
            &of_keys.keys,
            &of_keys.requests,
            &of_keys.times,
            &of_keys.firsts,
            &of_keys.lasts,
            &integer(to.position),
            &to.hash.0.as_slice(),
            &integer(from.position),
            &from.hash.0.as_slice(),
            &sender,
            &epoch,
        ],
    )?;
    Ok(notified > 0)
}

fn add_blobs(connection: &mut Connection, kept: &[(StoredText<'_>, StoredText<'_>)]) -> Result<(), Error> {
    let all =
        || kept.iter().flat_map(|(body, verdict)| [body, verdict]).filter_map(|kept| kept.blob.as_ref());
    if all().next().is_none() {
        return Ok(());
    }
    let statement = connection.prepared(
        "INSERT INTO assize.blobs (digest, text) SELECT * FROM unnest($1::bytea[], $2::text[])
         ON CONFLICT (digest) DO NOTHING",
    )?;
    let digests: Vec<&[u8]> = all().map(|(digest, _)| digest.0.as_slice()).collect();
    let texts: Vec<&str> = all().map(|(_, text)| *text).collect();
    connection.client.execute(&statement, &[&digests, &texts])?;
    Ok(())
}

fn add_personal(connection: &mut Connection, personal: &[(u64, Personal)]) -> Result<(), Error> {
    if personal.is_empty() {
        return Ok(());
    }
    let statement = connection.prepared(
        "INSERT INTO assize.personal (digest, position, subject, salt, text)
         SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::text[], $4::bytea[], $5::bytea[])",
    )?;
    let digests: Vec<Digest> = personal.iter().map(|(_, personal)| personal.digest()).collect();
    let digests: Vec<&[u8]> = digests.iter().map(|digest| digest.0.as_slice()).collect();
    let positions: Vec<i64> = personal.iter().map(|(position, _)| integer(*position)).collect();
    let subjects: Vec<&str> = personal.iter().map(|(_, personal)| personal.subject.as_str()).collect();
    let salts: Vec<&[u8]> = personal.iter().map(|(_, personal)| personal.salt.as_slice()).collect();
    let texts: Vec<&[u8]> = personal.iter().map(|(_, personal)| personal.text.as_bytes()).collect();
    connection.client.execute(&statement, &[&digests, &positions, &subjects, &salts, &texts])?;
    Ok(())
}

fn blob<'a>(kept: &'a StoredText<'_>) -> Option<&'a [u8]> {
    kept.blob.as_ref().map(|(digest, _)| digest.0.as_slice())
}

/// Idempotency keys by column, as `unnest` takes them.
struct KeyColumns<'a> {
    scopes: Vec<&'a str>,
    keys: Vec<&'a str>,
    requests: Vec<&'a [u8]>,
    times: Vec<i64>,
    firsts: Vec<i64>,
    lasts: Vec<i64>,
}

impl<'a> KeyColumns<'a> {
    fn new(entries: &'a [KeyEntry]) -> Self {
        Self {
            scopes: entries.iter().map(|entry| entry.key.scope.as_str()).collect(),
            keys: entries.iter().map(|entry| entry.key.key.as_str()).collect(),
            requests: entries.iter().map(|entry| entry.request.0.as_slice()).collect(),
            times: entries.iter().map(|entry| entry.at.as_millis()).collect(),
            firsts: entries.iter().map(|entry| integer(entry.first)).collect(),
            lasts: entries.iter().map(|entry| integer(entry.last)).collect(),
        }
    }
}
