//! Webhooks in a SQLite file.

use assize_kernel::Moment;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::SqliteLedger;
use super::faults::odd;
use super::rows::{integer, natural};
use crate::{
    DeadLetter, LedgerError, Webhook, WebhookChange, WebhookLease, WebhookProgress, WebhookSecret,
    WebhookStore,
};

macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT id, url, topics, label, secret, added, paused, position, attempts, due, last_success, \
             last_error_at, last_error, \
             (SELECT count(*) FROM webhook_dead WHERE webhook = webhooks.id) FROM webhooks ",
            $which
        )
    };
}

impl SqliteLedger {
    /// Runs a transaction that may be lost in a power cut, which only causes a repeated delivery.
    fn note<T>(&self, mut work: impl FnMut(&Connection) -> rusqlite::Result<T>) -> Result<T, LedgerError> {
        self.notes.with(|connection| {
            let mut noted = || -> rusqlite::Result<T> {
                connection.execute_batch("BEGIN IMMEDIATE")?;
                let outcome = work(connection)?;
                connection.execute_batch("COMMIT")?;
                Ok(outcome)
            };
            noted().map_err(|error| {
                if !connection.is_autocommit() {
                    // If this fails too, the connection is closed, which ends the transaction.
                    let _ = connection.execute_batch("ROLLBACK");
                }
                self.file.explain(&error)
            })
        })
    }
}

impl WebhookStore for SqliteLedger {
    fn webhooks(&self, offset: u64, limit: u64) -> Result<Vec<Webhook>, LedgerError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(select!("ORDER BY ordinal LIMIT ?2 OFFSET ?1"))?;
            statement.query_map([integer(offset), integer(limit)], webhook_row)?.collect()
        })
    }

    fn webhook(&self, id: &str) -> Result<Option<Webhook>, LedgerError> {
        self.read(|connection| webhook(connection, id))
    }

    fn hold_webhook(&self, id: &str, hold: &WebhookLease) -> Result<Option<Webhook>, LedgerError> {
        let now = hold.now.as_millis();
        let until = (hold.now + hold.lease).as_millis();
        self.note(|connection| {
            let held = connection.execute(
                "UPDATE webhooks SET holder = ?2, held_until = ?4 WHERE id = ?1 AND NOT paused
                 AND (holder IS NULL OR holder = ?2 OR held_until < ?3)",
                params![id, hold.holder, now, until],
            )?;
            if held == 0 { Ok(None) } else { webhook(connection, id) }
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
        let error = last_error.as_ref();
        self.note(|connection| {
            let moved = connection.execute(
                "UPDATE webhooks SET position = ?3, attempts = ?4, due = ?5, last_success = ?6,
                 last_error_at = ?7, last_error = ?8 WHERE id = ?1 AND holder = ?2",
                params![
                    id,
                    holder,
                    integer(*position),
                    attempts,
                    due.as_millis(),
                    last_success.map(Moment::as_millis),
                    error.map(|(at, _)| at.as_millis()),
                    error.map(|(_, what)| what),
                ],
            )?;
            if let (1, Some(dead)) = (moved, dead) {
                bury(connection, dead)?;
            }
            Ok(moved == 1)
        })
    }

    fn release_webhook(&self, id: &str, holder: &str) -> Result<(), LedgerError> {
        let sql = "UPDATE webhooks SET holder = NULL WHERE id = ?1 AND holder = ?2";
        self.note(|connection| connection.execute(sql, [id, holder]).map(drop))
    }

    fn dead_letters(&self, webhook: &str, offset: u64, limit: u64) -> Result<Vec<DeadLetter>, LedgerError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT webhook, position, attempts, at, error FROM webhook_dead WHERE webhook = ?1
                 ORDER BY position LIMIT ?3 OFFSET ?2",
            )?;
            statement.query_map(params![webhook, integer(offset), integer(limit)], dead_row)?.collect()
        })
    }

    fn dead_letter(&self, webhook: &str, position: u64) -> Result<Option<DeadLetter>, LedgerError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT webhook, position, attempts, at, error FROM webhook_dead
                 WHERE webhook = ?1 AND position = ?2",
            )?;
            statement.query_row(params![webhook, integer(position)], dead_row).optional()
        })
    }

    fn bury_letter(&self, dead: &DeadLetter) -> Result<(), LedgerError> {
        self.note(|connection| bury(connection, dead))
    }

    fn raise_letter(&self, webhook: &str, position: u64) -> Result<(), LedgerError> {
        let sql = "DELETE FROM webhook_dead WHERE webhook = ?1 AND position = ?2";
        self.note(|connection| connection.execute(sql, params![webhook, integer(position)]).map(drop))
    }
}

/// Applies a change by an admin within the transaction of the batch.
pub(super) fn change(connection: &Connection, change: &WebhookChange) -> rusqlite::Result<()> {
    match change {
        WebhookChange::Add(webhook) => add(connection, webhook)?,
        WebhookChange::Pause(id) => {
            let sql = "UPDATE webhooks SET paused = 1, holder = NULL WHERE id = ?1";
            connection.execute(sql, [id])?;
        }
        WebhookChange::Resume(id) => {
            let sql = "UPDATE webhooks SET paused = 0, holder = NULL, attempts = 0, due = 0 WHERE id = ?1";
            connection.execute(sql, [id])?;
        }
        WebhookChange::Remove(id) => {
            connection.execute("DELETE FROM webhook_dead WHERE webhook = ?1", [id])?;
            connection.execute("DELETE FROM webhooks WHERE id = ?1", [id])?;
        }
    }
    Ok(())
}

fn add(connection: &Connection, webhook: &Webhook) -> rusqlite::Result<()> {
    let WebhookProgress { position, attempts, due, last_success, last_error } = &webhook.progress;
    let error = last_error.as_ref();
    connection.execute(
        "INSERT INTO webhooks (id, url, topics, label, secret, added, paused, position, attempts, due,
         last_success, last_error_at, last_error) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        params![
            webhook.id,
            webhook.url,
            assize_kernel::to_json(&webhook.topics),
            webhook.label,
            webhook.secret.0,
            webhook.added.as_millis(),
            webhook.paused,
            integer(*position),
            attempts,
            due.as_millis(),
            last_success.map(Moment::as_millis),
            error.map(|(at, _)| at.as_millis()),
            error.map(|(_, what)| what),
        ],
    )?;
    Ok(())
}

fn bury(connection: &Connection, dead: &DeadLetter) -> rusqlite::Result<()> {
    let DeadLetter { webhook, position, attempts, at, error } = dead;
    connection.execute(
        "INSERT OR REPLACE INTO webhook_dead (webhook, position, attempts, at, error)
         SELECT id, ?2, ?3, ?4, ?5 FROM webhooks WHERE id = ?1",
        params![webhook, integer(*position), attempts, at.as_millis(), error],
    )?;
    Ok(())
}

fn webhook(connection: &Connection, id: &str) -> rusqlite::Result<Option<Webhook>> {
    connection.prepare_cached(select!("WHERE id = ?1"))?.query_row([id], webhook_row).optional()
}

fn webhook_row(row: &Row<'_>) -> rusqlite::Result<Webhook> {
    let moment = |column: usize| -> rusqlite::Result<Option<Moment>> {
        Ok(row.get::<_, Option<i64>>(column)?.map(Moment::from_millis))
    };
    let topics: String = row.get(2)?;
    let topics = serde_json::from_str(&topics).map_err(|_| odd(2, "a webhook has topics that are none"))?;
    let progress = WebhookProgress {
        position: natural(row, 7)?,
        attempts: row.get(8)?,
        due: Moment::from_millis(row.get(9)?),
        last_success: moment(10)?,
        last_error: moment(11)?.zip(row.get(12)?),
    };
    Ok(Webhook {
        id: row.get(0)?,
        url: row.get(1)?,
        topics,
        label: row.get(3)?,
        secret: WebhookSecret(row.get(4)?),
        added: Moment::from_millis(row.get(5)?),
        paused: row.get(6)?,
        progress,
        dead: natural(row, 13)?,
    })
}

fn dead_row(row: &Row<'_>) -> rusqlite::Result<DeadLetter> {
    Ok(DeadLetter {
        webhook: row.get(0)?,
        position: natural(row, 1)?,
        attempts: row.get(2)?,
        at: Moment::from_millis(row.get(3)?),
        error: row.get(4)?,
    })
}
