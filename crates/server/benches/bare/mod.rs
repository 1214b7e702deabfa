//! The bare group-commit loop: rows from a queue, one transaction and one flush a batch, nothing decided or hashed.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use postgres::NoTls;
use tokio::sync::oneshot;

/// As long as what the clerk writes for a wrong answer.
const BODY: usize = 190;
const VERDICT: usize = 1_020;
const BATCH: usize = 1_024;

type Done = oneshot::Sender<()>;

/// Hands rows to the loop.
pub(crate) struct Bare {
    queue: SyncSender<Done>,
}

impl Bare {
    /// Over a SQLite file of its own, with the settings that make an answer durable.
    pub(crate) fn sqlite(path: &Path) -> Self {
        let mut connection = rusqlite::Connection::open(path).unwrap();
        connection.pragma_update(None, "journal_mode", "wal").unwrap();
        connection.pragma_update(None, "synchronous", "full").unwrap();
        let table = "create table rows (position integer primary key, stream text not null, version integer not null, \
                     body text not null, verdict text, unique (stream, version)) strict";
        connection.execute(table, []).unwrap();
        Self::start(move |count, position| {
            let transaction =
                connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
            let mut insert = transaction.prepare_cached("insert into rows values (?, ?, ?, ?, ?)").unwrap();
            for row in position..position + count {
                insert
                    .execute((row, "contest/contest-0000", row, "b".repeat(BODY), "v".repeat(VERDICT)))
                    .unwrap();
            }
            drop(insert);
            transaction.commit().unwrap();
        })
    }

    /// Over a PostgreSQL database of its own.
    pub(crate) fn postgres(url: &str) -> Self {
        let mut client = postgres::Client::connect(url, NoTls).unwrap();
        let table = "create table rows (position bigint primary key, stream text not null, version bigint not null, \
                     body text not null, verdict text, unique (stream, version))";
        client.batch_execute(table).unwrap();
        let insert = "insert into rows select p, 'contest/contest-0000', p, b, v \
                      from unnest($1::bigint[], $2::text[], $3::text[]) as t(p, b, v)";
        let insert = client.prepare(insert).unwrap();
        Self::start(move |count, position| {
            let positions: Vec<i64> = (position..position + count).collect();
            let bodies = vec!["b".repeat(BODY); positions.len()];
            let verdicts = vec!["v".repeat(VERDICT); positions.len()];
            let mut transaction = client.transaction().unwrap();
            transaction.execute(&insert, &[&positions, &bodies, &verdicts]).unwrap();
            transaction.commit().unwrap();
        })
    }

    /// Writes one row; returns when it is on disk.
    pub(crate) async fn write(&self) {
        let (done, written) = oneshot::channel();
        self.queue.send(done).unwrap();
        written.await.unwrap();
    }

    fn start(mut write: impl FnMut(i64, i64) + Send + 'static) -> Self {
        let (queue, waiting): (SyncSender<Done>, Receiver<Done>) = sync_channel(16_384);
        std::thread::spawn(move || {
            let mut position = 1;
            while let Ok(first) = waiting.recv() {
                let mut batch = vec![first];
                batch.extend(waiting.try_iter().take(BATCH - 1));
                let count = i64::try_from(batch.len()).unwrap();
                write(count, position);
                position += count;
                batch.into_iter().for_each(|done| done.send(()).unwrap());
            }
        });
        Self { queue }
    }
}
