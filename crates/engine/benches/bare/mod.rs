//! The bare group-commit loop: writes rows of the ledger's tables, one transaction and one flush per batch,
//! without decisions, hashes or caches.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use assize_ledger::{PostgresLedger, SqliteLedger};
use postgres::NoTls;
use tokio::sync::oneshot;

/// Sizes of what the clerk writes for a wrong answer.
const BODY: usize = 262;
const VERDICT: usize = 1_015;
const BATCH: usize = 1_024;

type Done = oneshot::Sender<()>;

/// A handle to the loop.
pub(crate) struct Bare {
    queue: SyncSender<Done>,
}

impl Bare {
    /// A loop over a new SQLite ledger, with full durability.
    pub(crate) fn sqlite(path: &Path) -> Self {
        drop(SqliteLedger::open(path).unwrap());
        let mut connection = rusqlite::Connection::open(path).unwrap();
        connection.pragma_update(None, "synchronous", "full").unwrap();
        let body = "b".repeat(BODY);
        let verdict = "v".repeat(VERDICT);
        Self::start(move |count, position| {
            let transaction =
                connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
            let insert = "INSERT INTO records (position, stream, version, edition, kind, at, actor, batch, hash, body) \
                          VALUES (?1, printf('contest/contest-%04d', ?1 % 16), ?1, 1, 'AnswerJudged', \
                          1800000000000, 'admin:organiser', ?2, ?3, ?4)";
            let mut insert = transaction.prepare_cached(insert).unwrap();
            let mut insert_verdict =
                transaction.prepare_cached("INSERT INTO verdicts (position, text) VALUES (?1, ?2)").unwrap();
            for row in position..position + count {
                insert.execute((row, [7_u8; 16], [7_u8; 32], &body)).unwrap();
                insert_verdict.execute((row, &verdict)).unwrap();
            }
            drop((insert, insert_verdict));
            transaction.commit().unwrap();
        })
    }

    /// A loop over a new PostgreSQL ledger.
    pub(crate) fn postgres(url: &str) -> Self {
        drop(PostgresLedger::open(url).unwrap());
        let mut client = postgres::Client::connect(url, NoTls).unwrap();
        let insert = "INSERT INTO assize.records (position, stream, version, edition, kind, at, actor, batch, hash, \
                      body, verdict) SELECT p, 'contest/contest-000' || p % 16, p, 1, 'AnswerJudged', 1800000000000, \
                      'admin:organiser', h, h, b, v \
                      FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[]) AS t(p, h, b, v)";
        let insert = client.prepare(insert).unwrap();
        Self::start(move |count, position| {
            let positions: Vec<i64> = (position..position + count).collect();
            let hashes = vec![vec![7_u8; 32]; positions.len()];
            let bodies = vec!["b".repeat(BODY); positions.len()];
            let verdicts = vec!["v".repeat(VERDICT); positions.len()];
            let mut transaction = client.transaction().unwrap();
            transaction.execute(&insert, &[&positions, &hashes, &bodies, &verdicts]).unwrap();
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
        let work = move || {
            let mut position = 1;
            while let Ok(first) = waiting.recv() {
                let mut batch = vec![first];
                batch.extend(waiting.try_iter().take(BATCH - 1));
                let count = i64::try_from(batch.len()).unwrap();
                write(count, position);
                position += count;
                batch.into_iter().for_each(|done| done.send(()).unwrap());
            }
        };
        std::thread::Builder::new().name("bare".into()).spawn(work).unwrap();
        Self { queue }
    }
}
