//! Webhooks in a PostgreSQL database.

use ::postgres::{Error, Row};
use assize_kernel::Moment;

use super::PostgresLedger;
use super::connect::Connection;
use super::rows::{integer, natural};
use crate::{
    DeadLetter, LedgerError, Webhook, WebhookChange, WebhookLease, WebhookProgress, WebhookSecret,
    WebhookStore,
};

macro_rules! columns {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            " id, url, topics, label, secret, added, paused, position, attempts, due, last_success, \
             last_error_at, last_error, \
             (SELECT count(*) FROM assize.webhook_dead AS dead WHERE dead.webhook = webhooks.id) ",
            $after
        )
    };
}

/// Leases go by the database's clock, which all processes share.
const HOLD: &str = columns!(
    "UPDATE assize.webhooks AS webhooks SET holder = $2, held_until = clock.now + $3
     FROM (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now) AS clock
     WHERE id = $1 AND NOT paused AND (holder IS NULL OR holder = $2 OR held_until < clock.now)
     RETURNING",
    ""
);

/// One statement, so that a delivery that is given up is also a dead letter.
const ADVANCE: &str = "WITH moved AS (
        UPDATE assize.webhooks SET position = $3, attempts = $4, due = $5, last_success = $6,
            last_error_at = $7, last_error = $8 WHERE id = $1 AND holder = $2 RETURNING id
    ),
    buried AS (
        INSERT INTO assize.webhook_dead (webhook, position, attempts, at, error)
        SELECT moved.id, $9, $10, $11, $12 FROM moved WHERE $9::bigint IS NOT NULL
        ON CONFLICT (webhook, position) DO UPDATE SET attempts = excluded.attempts, at = excluded.at,
            error = excluded.error
    )
    SELECT count(*) FROM moved";

impl WebhookStore for PostgresLedger {
    fn webhooks(&self, offset: u64, limit: u64) -> Result<Vec<Webhook>, LedgerError> {
        self.read(|connection| {
            let sql =
                columns!("SELECT", "FROM assize.webhooks AS webhooks ORDER BY ordinal LIMIT $2 OFFSET $1");
            let statement = connection.prepared(sql)?;
            let rows = connection.client.query(&statement, &[&integer(offset), &integer(limit)])?;
            rows.iter().map(webhook_row).collect()
        })
    }

    fn webhook(&self, id: &str) -> Result<Option<Webhook>, LedgerError> {
        self.read(|connection| {
            let sql = columns!("SELECT", "FROM assize.webhooks AS webhooks WHERE id = $1");
            let statement = connection.prepared(sql)?;
            let row = connection.client.query_opt(&statement, &[&id])?;
            row.as_ref().map(webhook_row).transpose()
        })
    }

    fn hold_webhook(&self, id: &str, hold: &WebhookLease) -> Result<Option<Webhook>, LedgerError> {
        self.read(|connection| {
            let statement = connection.prepared(HOLD)?;
            let row = connection.client.query_opt(&statement, &[&id, &hold.holder, &hold.lease.0])?;
            row.as_ref().map(webhook_row).transpose()
        })
    }

    fn advance_webhook(
        &self,
        id: &str,
        holder: &str,
        progress: &WebhookProgress,
        dead: Option<&DeadLetter>,
    ) -> Result<bool, LedgerError> {
        let WebhookProgress { position, attempts, due, last_success, last_error } = progress;
        let due = due.as_millis();
        let success = last_success.map(Moment::as_millis);
        let (error_at, error) = last_error.as_ref().map(|(at, what)| (at.as_millis(), what.as_str())).unzip();
        let (dead_position, dead_attempts) =
            dead.map(|dead| (integer(dead.position), i64::from(dead.attempts))).unzip();
        let (dead_at, dead_error) = dead.map(|dead| (dead.at.as_millis(), dead.error.as_str())).unzip();
        let position = integer(*position);
        let attempts = i64::from(*attempts);
        self.read(|connection| {
            let statement = connection.prepared(ADVANCE)?;
            let moved = connection.client.query_one(
                &statement,
                &[
                    &id,
                    &holder,
                    &position,
                    &attempts,
                    &due,
                    &success,
                    &error_at,
                    &error,
                    &dead_position,
                    &dead_attempts,
                    &dead_at,
                    &dead_error,
                ],
            )?;
            Ok(moved.try_get::<_, i64>(0)? == 1)
        })
    }

    fn release_webhook(&self, id: &str, holder: &str) -> Result<(), LedgerError> {
        let sql = "UPDATE assize.webhooks SET holder = NULL WHERE id = $1 AND holder = $2";
        self.read(|connection| connection.client.execute(sql, &[&id, &holder]).map(drop))
    }

    fn dead_letters(&self, webhook: &str, offset: u64, limit: u64) -> Result<Vec<DeadLetter>, LedgerError> {
        let sql = "SELECT webhook, position, attempts, at, error FROM assize.webhook_dead WHERE webhook = $1
             ORDER BY position LIMIT $3 OFFSET $2";
        self.read(|connection| {
            let rows = connection.client.query(sql, &[&webhook, &integer(offset), &integer(limit)])?;
            rows.iter().map(dead_row).collect()
        })
    }

    fn dead_letter(&self, webhook: &str, position: u64) -> Result<Option<DeadLetter>, LedgerError> {
        let sql = "SELECT webhook, position, attempts, at, error FROM assize.webhook_dead
             WHERE webhook = $1 AND position = $2";
        self.read(|connection| {
            let row = connection.client.query_opt(sql, &[&webhook, &integer(position)])?;
            row.as_ref().map(dead_row).transpose()
        })
    }

    fn bury_letter(&self, dead: &DeadLetter) -> Result<(), LedgerError> {
        let DeadLetter { webhook, position, attempts, at, error } = dead;
        let sql = "INSERT INTO assize.webhook_dead (webhook, position, attempts, at, error)
             SELECT id, $2, $3, $4, $5 FROM assize.webhooks WHERE id = $1
             ON CONFLICT (webhook, position) DO UPDATE SET attempts = excluded.attempts, at = excluded.at,
             error = excluded.error";
        let position = integer(*position);
        let attempts = i64::from(*attempts);
        self.read(|connection| {
            let client = &mut connection.client;
            client.execute(sql, &[webhook, &position, &attempts, &at.as_millis(), error]).map(drop)
        })
    }

    fn raise_letter(&self, webhook: &str, position: u64) -> Result<(), LedgerError> {
        let sql = "DELETE FROM assize.webhook_dead WHERE webhook = $1 AND position = $2";
        self.read(|connection| connection.client.execute(sql, &[&webhook, &integer(position)]).map(drop))
    }
}

/// Applies a change by an admin within the transaction of the batch.
pub(super) fn change(connection: &mut Connection, change: &WebhookChange) -> Result<(), Error> {
    let client = &mut connection.client;
    match change {
        WebhookChange::Add(webhook) => add(connection, webhook)?,
        WebhookChange::Pause(id) => {
            let sql = "UPDATE assize.webhooks SET paused = true, holder = NULL WHERE id = $1";
            client.execute(sql, &[id])?;
        }
        WebhookChange::Resume(id) => {
            let sql = "UPDATE assize.webhooks SET paused = false, holder = NULL, attempts = 0, due = 0
                 WHERE id = $1";
            client.execute(sql, &[id])?;
        }
        WebhookChange::Remove(id) => {
            client.execute("DELETE FROM assize.webhook_dead WHERE webhook = $1", &[id])?;
            client.execute("DELETE FROM assize.webhooks WHERE id = $1", &[id])?;
        }
    }
    Ok(())
}

fn add(connection: &mut Connection, webhook: &Webhook) -> Result<(), Error> {
    let progress = &webhook.progress;
    let (error_at, error) =
        progress.last_error.as_ref().map(|(at, what)| (at.as_millis(), what.as_str())).unzip();
    connection.client.execute(
        "INSERT INTO assize.webhooks (id, url, topics, label, secret, added, paused, position, attempts, due,
         last_success, last_error_at, last_error)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        &[
            &webhook.id,
            &webhook.url,
            &assize_kernel::to_json(&webhook.topics),
            &webhook.label,
            &webhook.secret.0,
            &webhook.added.as_millis(),
            &webhook.paused,
            &integer(progress.position),
            &i64::from(progress.attempts),
            &progress.due.as_millis(),
            &progress.last_success.map(Moment::as_millis),
            &error_at,
            &error,
        ],
    )?;
    Ok(())
}

fn webhook_row(row: &Row) -> Result<Webhook, Error> {
    let moment = |column: usize| -> Result<Option<Moment>, Error> {
        Ok(row.try_get::<_, Option<i64>>(column)?.map(Moment::from_millis))
    };
    let topics: &str = row.try_get(2)?;
    let progress = WebhookProgress {
        position: natural(row.try_get(7)?),
        attempts: u32::try_from(row.try_get::<_, i64>(8)?).unwrap_or(u32::MAX),
        due: Moment::from_millis(row.try_get(9)?),
        last_success: moment(10)?,
        last_error: moment(11)?.zip(row.try_get(12)?),
    };
    Ok(Webhook {
        id: row.try_get(0)?,
        url: row.try_get(1)?,
        // A webhook with malformed topics delivers nothing.
        topics: serde_json::from_str(topics).unwrap_or_default(),
        label: row.try_get(3)?,
        secret: WebhookSecret(row.try_get(4)?),
        added: Moment::from_millis(row.try_get(5)?),
        paused: row.try_get(6)?,
        progress,
        dead: natural(row.try_get(13)?),
    })
}

fn dead_row(row: &Row) -> Result<DeadLetter, Error> {
    Ok(DeadLetter {
        webhook: row.try_get(0)?,
        position: natural(row.try_get(1)?),
        attempts: u32::try_from(row.try_get::<_, i64>(2)?).unwrap_or(u32::MAX),
        at: Moment::from_millis(row.try_get(3)?),
        error: row.try_get(4)?,
    })
}
