//! Throughput of the clerk: durable judged submissions per second, next to a bare group-commit loop.
//!
//! `cargo bench --bench clerk`. Needs PostgreSQL for its second half. The bare loop takes rows of the same
//! size from the same number of waiting clients and writes them in one transaction with one flush, and does
//! nothing else.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a benchmark stops where it cannot go on, and prints"
)]

mod bare;
mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use assize_engine::{Clerk, ClerkSettings, Petition};
use assize_kernel::{Actor, AnyCommand, SmolStr, StreamId};
use assize_ledger::{Ledger, PostgresLedger, SqliteLedger};
use assize_testbed::postgres::Cluster;
use bare::Bare;
use common::{TASKS, TEAMS, answer, contest, courts, opening, organiser, task_name, team_name};
use tokio::runtime::Runtime;

/// The allocator of the `assize` executable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CLIENTS: [usize; 3] = [16, 64, 256];
/// The two alternate, so that a slow phase of the machine or its disk affects both.
const TURNS: usize = 8;
const TURN: Duration = Duration::from_millis(500);
/// Number of concurrent contests.
const CONTESTS: usize = 16;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let directory = tempfile::tempdir().unwrap();
    println!("{:12} {:>8} {:>14} {:>14} {:>8}", "store", "clients", "bare /s", "clerk /s", "share");
    for clients in chosen() {
        let at = |name: &str| directory.path().join(format!("{name}-{clients}.db"));
        let ledger = Arc::new(SqliteLedger::open(&at("clerk")).unwrap());
        compare(&runtime, "SQLite", clients, Bare::sqlite(&at("bare")), ledger);
    }
    let cluster = Cluster::start(true);
    for clients in chosen() {
        let ledger = Arc::new(PostgresLedger::open(&cluster.database()).unwrap());
        compare(&runtime, "PostgreSQL", clients, Bare::postgres(&cluster.database()), ledger);
    }
}

/// All client counts, or only the one in `CLIENTS`, for profiling.
fn chosen() -> Vec<usize> {
    let one = std::env::var("CLIENTS").ok();
    one.map_or_else(|| CLIENTS.to_vec(), |one| vec![one.parse().unwrap()])
}

/// Runs the bare loop and the clerk alternately, each on its own store.
fn compare(runtime: &Runtime, store: &str, clients: usize, bare: Bare, ledger: Arc<dyn Ledger>) {
    let settings = ClerkSettings { runtime: Some(runtime.handle().clone()), ..ClerkSettings::default() };
    let (clerk, thread) = Clerk::start(courts(), ledger, settings).unwrap();
    let bare = Arc::new(bare);
    let names = Arc::new(Names::new());
    let (written, judged) = runtime.block_on(async move {
        for stream in &names.contests {
            for command in opening() {
                submit(&clerk, &names, stream, Box::new(command)).await;
            }
        }
        let write = move |_, _| {
            let bare = bare.clone();
            async move { bare.write().await }
        };
        let judge = move |client: usize, round: usize| {
            let clerk = clerk.clone();
            let names = names.clone();
            async move {
                let turn = client + round * 31;
                let team = names.teams[client % TEAMS].clone();
                let task = names.tasks[turn / CONTESTS % TASKS].clone();
                let command = answer(team, task, round, false);
                submit(&clerk, &names, &names.contests[turn % CONTESTS], command).await;
            }
        };
        let mut written = 0.0;
        let mut judged = 0.0;
        for turn in 0..TURNS {
            written += race(clients, turn, write.clone()).await;
            judged += race(clients, turn, judge.clone()).await;
        }
        (written / TURNS as f64, judged / TURNS as f64)
    });
    thread.close();
    println!("{store:12} {clients:>8} {written:>14.0} {judged:>14.0} {:>7.0} %", 100.0 * judged / written);
}

/// Names that clients know beforehand.
struct Names {
    contests: Vec<StreamId>,
    teams: Vec<SmolStr>,
    tasks: Vec<SmolStr>,
    actor: Actor,
}

impl Names {
    fn new() -> Self {
        Self {
            contests: (0..CONTESTS).map(contest).collect(),
            teams: (0..TEAMS).map(team_name).collect(),
            tasks: (0..TASKS).map(task_name).collect(),
            actor: organiser(),
        }
    }
}

async fn submit(clerk: &Clerk, names: &Names, stream: &StreamId, command: AnyCommand) {
    let petition = Petition::new(stream.clone(), command, names.actor.clone(), clerk.now());
    clerk.submit(petition).await.unwrap();
}

/// Runs clients that each wait for their reply before the next request; returns the total per second.
async fn race<F: Future<Output = ()> + 'static>(
    clients: usize,
    turn: usize,
    work: impl Fn(usize, usize) -> F + Clone + 'static,
) -> f64 {
    let done = Arc::new(AtomicU64::new(0));
    let started = Instant::now();
    let local = tokio::task::LocalSet::new();
    for client in 0..clients {
        let done = done.clone();
        let work = work.clone();
        local.spawn_local(async move {
            // Every turn uses other answers, so that none is a repetition.
            let mut round = turn * 1_000_000;
            while started.elapsed() < TURN {
                work(client, round).await;
                round += 1;
                done.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    local.await;
    done.load(Ordering::Relaxed) as f64 / started.elapsed().as_secs_f64()
}
