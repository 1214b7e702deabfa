//! Benchmark of the whole server over loopback: durable judged submissions and board reads, against an empty endpoint.
//!
//! `cargo bench -p assize --bench http`. Takes two to three minutes and needs PostgreSQL for a part of it. The
//! server is the real program in a process of its own; the clients share the machine with it, as they would in a
//! rehearsal on one laptop. The loads take short turns, round after round. Each rate is printed with its median ratio
//! to the empty endpoint at the same number of connections, and with the processor time of the server per request.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a benchmark stops where it cannot go on, and prints"
)]

mod clients;
mod stage;

use assize_testbed::postgres::Cluster;
use clients::Load;
use stage::{Stage, processor_time};

const CONNECTIONS: [usize; 4] = [1, 16, 64, 256];
/// The length of a turn. Loads and numbers of connections alternate, so that a slow moment of the machine or its disk
/// affects all of them.
const TURN: f64 = 0.4;
const ROUNDS: usize = 15;

/// The loads: name, and the target at 64 connections as a ratio to the empty endpoint.
const EMPTY: (&str, Option<f64>) = ("an endpoint that does nothing", None);
const BOARD: (&str, Option<f64>) = ("board reads", Some(0.70));
const SQLITE: (&str, Option<f64>) = ("submissions, SQLite", Some(0.35));
const POSTGRES: (&str, Option<f64>) = ("submissions, PostgreSQL", Some(0.20));

fn main() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("bench.db");
    let cluster = Cluster::start(true);
    let sqlite = Stage::set(&["--data", file.to_str().unwrap()]);
    let postgres = Stage::set(&["--postgres", &cluster.database()]);
    let loads = [
        (EMPTY, &sqlite, Load::Empty),
        (BOARD, &sqlite, Load::Board),
        (SQLITE, &sqlite, Load::Submissions),
        (POSTGRES, &postgres, Load::Submissions),
    ];
    let mut measured: Vec<_> =
        chosen().into_iter().map(|connections| (connections, loads.map(|_| Measured::default()))).collect();
    for _ in 0..ROUNDS {
        for (connections, measured) in &mut measured {
            for ((_, stage, load), measured) in loads.iter().zip(measured) {
                measured.take(stage, *load, *connections);
            }
        }
    }
    println!(
        "{:26} {:>11} {:>10} {:>7} {:>6} {:>12}",
        "", "connections", "/s", "share", "goal", "server CPU"
    );
    for (connections, measured) in &measured {
        for ((about, ..), load) in loads.iter().zip(measured) {
            line(*about, *connections, load, &measured[0]);
        }
    }
}

/// All numbers of connections, or the one that `CONNECTIONS` names, for a profiler.
fn chosen() -> Vec<usize> {
    let one = std::env::var("CONNECTIONS").ok();
    one.map_or_else(|| CONNECTIONS.to_vec(), |one| vec![one.parse().unwrap()])
}

/// The measurements of one load.
#[derive(Default)]
struct Measured {
    requests: u64,
    seconds: f64,
    /// The rate of each turn.
    rates: Vec<f64>,
    /// Processor time of the server.
    spent: f64,
}

impl Measured {
    fn take(&mut self, stage: &Stage, load: Load, connections: usize) {
        // Warm-up of connections, caches and disk.
        stage.run(load, connections, 0.1);
        let before = processor_time(stage.server.id());
        let (requests, seconds) = stage.run(load, connections, TURN);
        self.spent += processor_time(stage.server.id()) - before;
        self.requests += requests;
        self.seconds += seconds;
        self.rates.push(requests as f64 / seconds);
    }

    fn rate(&self) -> f64 {
        self.requests as f64 / self.seconds
    }

    /// The median over the rounds of the ratio to another load.
    fn share_of(&self, other: &Self) -> f64 {
        let mut shares: Vec<f64> =
            self.rates.iter().zip(&other.rates).map(|(ours, theirs)| ours / theirs).collect();
        shares.sort_by(f64::total_cmp);
        shares[shares.len() / 2]
    }
}

fn line((what, goal): (&str, Option<f64>), connections: usize, measured: &Measured, empty: &Measured) {
    let goal = goal.filter(|_| connections == 64).map(|goal| format!("{:.0} %", goal * 100.0));
    println!(
        "{what:30} {connections:>7} {:>10.0} {:>5.0} % {:>6} {:>9.1} µs",
        measured.rate(),
        100.0 * measured.share_of(empty),
        goal.unwrap_or_default(),
        measured.spent * 1e6 / measured.requests as f64,
    );
}
