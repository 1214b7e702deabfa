//! The whole server over loopback: durable judged submissions and board reads, beside an endpoint that does nothing.
//!
//! `cargo bench -p assize --bench http`. Takes about a minute and a half and needs PostgreSQL for a part of it. The
//! server is the real program in a process of its own; the clients share the machine with it, as they would in a
//! rehearsal on one laptop. Beside each rate stands what share of the empty endpoint's rate it is, at the same number
//! of connections in the same run, and how much processor time the server spent on a request.

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

/// What is measured: its name, and the goal at 64 connections as a share of the empty endpoint's rate.
const BOARD: (&str, Option<f64>) = ("board reads", Some(0.70));
const SQLITE: (&str, Option<f64>) = ("submissions, SQLite", Some(0.35));
const POSTGRES: (&str, Option<f64>) = ("submissions, PostgreSQL", Some(0.20));

fn main() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("bench.db");
    let cluster = Cluster::start(true);
    let sqlite = Stage::set(&["--data", file.to_str().unwrap()]);
    let postgres = Stage::set(&["--postgres", &cluster.database()]);
    println!(
        "{:26} {:>11} {:>10} {:>7} {:>6} {:>12}",
        "", "connections", "/s", "share", "goal", "server CPU"
    );
    for connections in CONNECTIONS {
        let empty = measure(&sqlite, Load::Empty, connections);
        line(("an endpoint that does nothing", None), connections, empty, empty.0);
        line(BOARD, connections, measure(&sqlite, Load::Board, connections), empty.0);
        line(SQLITE, connections, measure(&sqlite, Load::Submissions, connections), empty.0);
        line(POSTGRES, connections, measure(&postgres, Load::Submissions, connections), empty.0);
    }
}

/// Requests a second, and microseconds of the server's processor time for each.
fn measure(stage: &Stage, load: Load, connections: usize) -> (f64, f64) {
    // Those before have warmed up connections, caches and the disk of their own.
    stage.run(load, connections, 0.3);
    let before = processor_time(stage.server.id());
    let (requests, seconds) = stage.run(load, connections, 3.0);
    let spent = processor_time(stage.server.id()) - before;
    (requests as f64 / seconds, spent * 1e6 / requests as f64)
}

fn line((what, goal): (&str, Option<f64>), connections: usize, (rate, cpu): (f64, f64), empty: f64) {
    let goal = goal.filter(|_| connections == 64).map(|goal| format!("{:.0} %", goal * 100.0));
    println!(
        "{what:30} {connections:>7} {rate:>10.0} {:>5.0} % {:>6} {cpu:>9.1} µs",
        100.0 * rate / empty,
        goal.unwrap_or_default()
    );
}
