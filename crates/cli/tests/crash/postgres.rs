//! Two servers over one PostgreSQL: one is killed, the other goes on, takes the retries, and both agree again.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

use assize_ledger::PostgresLedger;
use assize_testbed::contest::eventually;
use assize_testbed::postgres::Cluster;
use assize_testbed::server::Server;

use crate::common::{Evidence, Sent, all_is_well, assize, send_again};
use crate::dice::Dice;
use crate::rounds;
use crate::storm::{Arena, Connection, Weather};

/// Kills the first of two servers in the middle of a storm over both. Whoever was connected to it turns to the
/// other one, where the storm goes on meanwhile.
fn kill_one(victim: Server, other: &Server, arena: &Arena, round: u64, dice: &mut Dice) -> Vec<Sent> {
    let weather = Weather::default();
    let mut connections = arena.connections(&[&victim, other], round, dice);
    thread::scope(|scope| {
        let rage = |connection: &mut Connection| {
            let mut sent = connection.submit(&weather);
            send_again(&mut sent, &other.client(""));
            sent
        };
        let raging: Vec<_> = connections.iter_mut().map(|each| scope.spawn(move || rage(each))).collect();
        eventually("something is acknowledged", || weather.acknowledged.load(Ordering::Relaxed) > 0);
        dice.wait(30..300);
        victim.kill();
        let then = weather.acknowledged.load(Ordering::Relaxed);
        eventually("the other goes on", || weather.acknowledged.load(Ordering::Relaxed) > then + 50);
        weather.over.store(true, Ordering::Relaxed);
        raging.into_iter().flat_map(|each| each.join().unwrap()).collect()
    })
}

#[test]
fn one_of_two_servers_is_killed_and_nothing_is_lost_or_twice() {
    let mut dice = Dice::throw("one_of_two_servers_is_killed_and_nothing_is_lost_or_twice");
    let cluster = Cluster::start(true);
    let address = cluster.database();
    let serve = || Server::start(assize(), &["--postgres", &address]);
    let mut servers = [serve(), serve()];
    let arena = Arena::open(&servers[0]);
    let ledger = PostgresLedger::open(&address).unwrap();
    let (mut sent, mut evidence) = (Vec::new(), Evidence::default());
    for round in 0..rounds(20).div_ceil(4) {
        let began = Instant::now();
        if dice.within(0..2) == 0 {
            servers.reverse();
        }
        let [victim, other] = servers;
        sent.extend(kill_one(victim, &other, &arena, round, &mut dice));
        servers = [other, serve()];
        let served_at = servers.each_ref().map(|server| arena.contest(server));
        all_is_well(&mut evidence, &ledger, &sent, &served_at);
        println!("round {round}: {} answers; {:?}", sent.len(), began.elapsed());
    }
    servers.into_iter().for_each(Server::stop);
}
