//! The clerk alone: durable judged submissions a second, beside the bare group-commit loop of the same store.
//!
//! `cargo bench --bench clerk`. Needs PostgreSQL for its second half. The bare loop takes rows of the same size from
//! the same number of waiting clients and writes them in one transaction with one flush, and does nothing else.

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

use assize_kernel::{Actor, AnyCommand, SmolStr, StreamId};
use assize_ledger::{Ledger, PostgresLedger, SqliteLedger};
use assize_server::{Clerk, Petition, Settings};
use assize_testbed::postgres::Cluster;
use bare::Bare;
use common::{TASKS, TEAMS, answer, contest, courts, opening, organiser, task_name, team_name};
use tokio::runtime::Runtime;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CLIENTS: [usize; 3] = [16, 64, 256];
/// The two take turns, so that a slow moment of the machine or its disk falls on both.
const TURNS: usize = 8;
const TURN: Duration = Duration::from_millis(500);
/// How many contests run at once.
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

/// All numbers of clients, or the one that `CLIENTS` names, for a profiler.
fn chosen() -> Vec<usize> {
    let one = std::env::var("CLIENTS").ok();
    one.map_or_else(|| CLIENTS.to_vec(), |one| vec![one.parse().unwrap()])
}

/// The bare loop and the clerk in turn, on stores of their own.
fn compare(runtime: &Runtime, store: &str, clients: usize, bare: Bare, ledger: Arc<dyn Ledger>) {
    let settings = Settings { runtime: Some(runtime.handle().clone()), ..Settings::default() };
    let (clerk, thread) = Clerk::start(courts(), ledger, settings).unwrap();
    let (bare, names) = (Arc::new(bare), Arc::new(Names::new()));
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
            let (clerk, names) = (clerk.clone(), names.clone());
            async move {
                let turn = client + round * 31;
                let (team, task) =
                    (names.teams[client % TEAMS].clone(), names.tasks[turn / CONTESTS % TASKS].clone());
                let command = answer(team, task, round, false);
                submit(&clerk, &names, &names.contests[turn % CONTESTS], command).await;
            }
        };
        let (mut written, mut judged) = (0.0, 0.0);
        for turn in 0..TURNS {
            written += race(clients, turn, write.clone()).await;
            judged += race(clients, turn, judge.clone()).await;
        }
        (written / TURNS as f64, judged / TURNS as f64)
    });
    thread.close();
    println!("{store:12} {clients:>8} {written:>14.0} {judged:>14.0} {:>7.0} %", 100.0 * judged / written);
}

/// What clients would know beforehand.
struct Names {
    contests: Vec<StreamId>,
    teams: Vec<SmolStr>,
    tasks: Vec<SmolStr>,
    actor: Actor,
}

impl Names {
    fn new() -> Self {
        let contests = (0..CONTESTS).map(contest).collect();
        let (teams, tasks) = ((0..TEAMS).map(team_name).collect(), (0..TASKS).map(task_name).collect());
        Self { contests, teams, tasks, actor: organiser() }
    }
}

async fn submit(clerk: &Clerk, names: &Names, stream: &StreamId, command: AnyCommand) {
    let (stream, actor, at) = (stream.clone(), names.actor.clone(), clerk.now());
    let petition = Petition::new(stream, command, actor, at);
    clerk.hear(petition).await.unwrap();
}

/// Clients that each wait for their answer before they go on: how many were done a second by all of them.
async fn race<F: Future<Output = ()> + 'static>(
    clients: usize,
    turn: usize,
    work: impl Fn(usize, usize) -> F + Clone + 'static,
) -> f64 {
    let done = Arc::new(AtomicU64::new(0));
    let started = Instant::now();
    let local = tokio::task::LocalSet::new();
    for client in 0..clients {
        let (done, work) = (done.clone(), work.clone());
        local.spawn_local(async move {
            // Every turn begins with other answers, so that none repeats another's.
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
