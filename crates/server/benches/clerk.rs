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
const SECONDS: u64 = 4;
/// How many contests run at once.
const CONTESTS: usize = 16;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let directory = tempfile::tempdir().unwrap();
    println!("{:12} {:>8} {:>14} {:>14} {:>8}", "store", "clients", "bare /s", "clerk /s", "share");
    for clients in CLIENTS {
        let at = |name: &str| directory.path().join(format!("{name}-{clients}.db"));
        let bare = runtime.block_on(measure_bare(Bare::sqlite(&at("bare")), clients));
        let ledger: Arc<dyn Ledger> = Arc::new(SqliteLedger::open(&at("clerk")).unwrap());
        report("SQLite", clients, bare, measure_clerk(&runtime, ledger, clients));
    }
    let cluster = Cluster::start(true);
    for clients in CLIENTS {
        let bare = runtime.block_on(measure_bare(Bare::postgres(&cluster.database()), clients));
        let ledger: Arc<dyn Ledger> = Arc::new(PostgresLedger::open(&cluster.database()).unwrap());
        report("PostgreSQL", clients, bare, measure_clerk(&runtime, ledger, clients));
    }
}

fn report(store: &str, clients: usize, bare: f64, clerk: f64) {
    println!("{store:12} {clients:>8} {bare:>14.0} {clerk:>14.0} {:>7.0} %", 100.0 * clerk / bare);
}

/// Clients that each wait for their answer before they submit again, each to one task after the other.
fn measure_clerk(runtime: &Runtime, ledger: Arc<dyn Ledger>, clients: usize) -> f64 {
    let settings = Settings { runtime: Some(runtime.handle().clone()), ..Settings::default() };
    let (clerk, thread) = Clerk::start(courts(), ledger, settings).unwrap();
    let names = Arc::new(Names::new());
    let rate = runtime.block_on(async move {
        for stream in &names.contests {
            for command in opening() {
                submit(&clerk, &names, stream, Box::new(command)).await;
            }
        }
        let work = move |client: usize, round: usize| {
            let (clerk, names) = (clerk.clone(), names.clone());
            async move {
                let turn = client + round * 31;
                let (team, task) =
                    (names.teams[client % TEAMS].clone(), names.tasks[turn / CONTESTS % TASKS].clone());
                let command = answer(team, task, round, false);
                submit(&clerk, &names, &names.contests[turn % CONTESTS], command).await;
            }
        };
        race(clients, work).await
    });
    thread.close();
    rate
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

async fn measure_bare(bare: Bare, clients: usize) -> f64 {
    let bare = Arc::new(bare);
    race(clients, move |_, _| {
        let bare = bare.clone();
        async move { bare.write().await }
    })
    .await
}

async fn submit(clerk: &Clerk, names: &Names, stream: &StreamId, command: AnyCommand) {
    let (stream, actor, at) = (stream.clone(), names.actor.clone(), clerk.now());
    let petition = Petition::new(stream, command, actor, at);
    clerk.hear(petition).await.unwrap();
}

/// How many were done a second by so many clients.
async fn race<F: Future<Output = ()> + 'static>(
    clients: usize,
    work: impl Fn(usize, usize) -> F + Clone + 'static,
) -> f64 {
    let done = Arc::new(AtomicU64::new(0));
    let started = Instant::now();
    let local = tokio::task::LocalSet::new();
    for client in 0..clients {
        let (done, work) = (done.clone(), work.clone());
        local.spawn_local(async move {
            let mut round = 0;
            while started.elapsed() < Duration::from_secs(SECONDS) {
                work(client, round).await;
                round += 1;
                done.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    local.await;
    done.load(Ordering::Relaxed) as f64 / started.elapsed().as_secs_f64()
}
