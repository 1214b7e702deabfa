//! One server on a SQLite file, killed again and again while answers pour in, and while it starts.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

use assize_ledger::SqliteLedger;
use assize_testbed::contest::eventually;
use assize_testbed::server::{Process, Server};
use tempfile::TempDir;

use crate::common::{Evidence, Sent, all_is_well, assize, send_again};
use crate::dice::Dice;
use crate::rounds;
use crate::storm::{Arena, Weather};

/// A directory with a ledger in it.
struct Place {
    _directory: TempDir,
    file: PathBuf,
}

impl Place {
    fn new() -> Self {
        let directory = TempDir::new().unwrap();
        Self { file: directory.path().join("assize.db"), _directory: directory }
    }

    fn serve(&self) -> Server {
        Server::start(assize(), &["--data", self.file.to_str().unwrap()])
    }

    /// Everything that was sent is there, and what is served follows from it.
    fn holds(&self, sent: &[Sent], evidence: &mut Evidence, arena: &Arena, server: &Server) {
        let ledger = SqliteLedger::open_existing(&self.file).unwrap();
        all_is_well(evidence, &ledger, sent, &[arena.contest(server)]);
    }
}

/// Lets answers pour in and kills the server in the middle of it; everything that was sent, in any order.
fn kill_in_the_storm(server: Server, arena: &Arena, round: u64, dice: &mut Dice) -> Vec<Sent> {
    let weather = Weather::default();
    let mut connections = arena.connections(&[&server], round, dice);
    thread::scope(|scope| {
        let raging: Vec<_> =
            connections.iter_mut().map(|each| scope.spawn(|| each.submit(&weather))).collect();
        eventually("something is acknowledged", || weather.acknowledged.load(Ordering::Relaxed) > 0);
        dice.wait(30..300);
        server.kill();
        raging.into_iter().flat_map(|each| each.join().unwrap()).collect()
    })
}

#[test]
fn whatever_was_acknowledged_before_a_kill_is_there_once() {
    let mut dice = Dice::throw("whatever_was_acknowledged_before_a_kill_is_there_once");
    let place = Place::new();
    let mut server = place.serve();
    let arena = Arena::open(&server);
    let (mut sent, mut evidence) = (Vec::new(), Evidence::default());
    for round in 0..rounds(20) {
        let began = Instant::now();
        let before = sent.len();
        sent.extend(kill_in_the_storm(server, &arena, round, &mut dice));
        server = place.serve();
        let client = server.client("");
        let repeated = send_again(&mut sent, &client);
        place.holds(&sent, &mut evidence, &arena, &server);
        let took = began.elapsed();
        println!("round {round}: {} answers, {repeated}; {took:?}", sent.len() - before);
    }
    server.stop();
}

#[test]
fn a_kill_while_it_starts_changes_nothing() {
    let mut dice = Dice::throw("a_kill_while_it_starts_changes_nothing");
    let place = Place::new();
    let server = place.serve();
    let arena = Arena::open(&server);
    let mut sent = kill_in_the_storm(server, &arena, 0, &mut dice);
    let began = Instant::now();
    let server = place.serve();
    let whole_start = u64::try_from(began.elapsed().as_millis()).unwrap().max(2);
    send_again(&mut sent, &server.client(""));
    server.kill();
    for _ in 0..10 {
        let mut command = Command::new(assize());
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(&place.file);
        let mut starting = Process::spawn(command);
        dice.wait(0..whole_start);
        starting.kill();
    }
    let server = place.serve();
    place.holds(&sent, &mut Evidence::default(), &arena, &server);
    server.stop();
}
