//! Writing a batch to PostgreSQL in as few round trips as there can be.

use ::postgres::Error;
use assize_kernel::{Digest, Head, Personal, Record};

use super::connect::Connection;
use super::rows::integer;
use super::{access, side, webhooks};
use crate::blobs::{Kept, keep_both};
use crate::{Batch, KeyEntry};

/// Records, keys, the new head and the call to the others, in one statement.
const ADD: &str = "WITH
    added AS (
        INSERT INTO assize.records (position, stream, version, edition, kind, at, actor, batch, hash,
            body_blob, verdict_blob, body, verdict, origin)
        SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[],
            $7::text[], $8::bytea[], $9::bytea[], $10::bytea[], $11::bytea[], $12::text[], $13::text[],
            $14::text[])
    ),
    keyed AS (
        INSERT INTO assize.keys (scope, key, request, at, first, last)
        SELECT DISTINCT ON (scope, key) scope, key, request, at, first, last
        FROM unnest($15::text[], $16::text[], $17::bytea[], $18::bigint[], $19::bigint[], $20::bigint[])
            WITH ORDINALITY AS given (scope, key, request, at, first, last, ordinal)
        ORDER BY scope, key, ordinal DESC
        ON CONFLICT (scope, key) DO UPDATE SET request = excluded.request, at = excluded.at,
            first = excluded.first, last = excluded.last
    ),
    moved AS (UPDATE assize.head SET position = $21, hash = $22)
    SELECT pg_notify('assize', $23)";

/// Writes the batch, without committing it. `sender` lets a process know its own calls.
pub(super) fn add(connection: &mut Connection, batch: &Batch, head: Head, sender: &str) -> Result<(), Error> {
    let kept: Vec<(Kept<'_>, Kept<'_>)> = batch.records.iter().map(|record| keep_both(record)).collect();
    add_blobs(connection, &kept)?;
    add_personal(connection, &batch.personal)?;
    add_records(connection, batch, &kept, head, sender)?;
    access::change(connection, &batch.access)?;
    batch.webhooks.iter().try_for_each(|change| webhooks::change(connection, change))?;
    side::erase(connection, &batch.erase)
}

fn add_records(
    connection: &mut Connection,
    batch: &Batch,
    kept: &[(Kept<'_>, Kept<'_>)],
    head: Head,
    sender: &str,
) -> Result<(), Error> {
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
    connection.client.execute(
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
            &integer(head.position),
            &head.hash.0.as_slice(),
            &sender,
        ],
    )?;
    Ok(())
}

fn add_blobs(connection: &mut Connection, kept: &[(Kept<'_>, Kept<'_>)]) -> Result<(), Error> {
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

fn blob<'a>(kept: &'a Kept<'_>) -> Option<&'a [u8]> {
    kept.blob.as_ref().map(|(digest, _)| digest.0.as_slice())
}

/// Idempotency keys, column by column.
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
