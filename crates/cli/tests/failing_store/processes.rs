//! One of three processes over one PostgreSQL is killed: its clients turn to the others and lose nothing.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use assize_ledger::PostgresLedger;
use assize_testbed::client::Client;
use assize_testbed::contest::eventually;
use assize_testbed::postgres::Cluster;
use assize_testbed::server::Server;

use crate::common::{Evidence, Sent, Team, all_is_well, assize, hunt_at, open_hunt};
use crate::is_unavailable;

const CLIENTS: u64 = 9;

/// Somebody who knows all three servers and uses one of them as long as it answers.
struct Wanderer {
    team: Team,
    clients: Vec<Client>,
    at: usize,
    number: u64,
}

impl Wanderer {
    /// Submits one answer after the other until it is over. What gets no answer is sent to the next server, under
    /// the same key.
    fn submit(mut self, judged: &AtomicU64, over: &AtomicBool) -> (Vec<Sent>, usize) {
        let (mut sent, mut moved): (Vec<Sent>, usize) = (Vec::new(), 0);
        while !over.load(Ordering::Relaxed) {
            let mut next = Sent::guess(&self.team, self.number * 1_000_000 + sent.len() as u64);
            while next.receipt.is_none() {
                match next.deliver(&self.clients[self.at]) {
                    Ok((status, answer)) if !is_unavailable(status, &answer) => {
                        judged.fetch_add(1, Ordering::Relaxed);
                    }
                    Ok(_) | Err(_) => {
                        self.at = (self.at + 1) % self.clients.len();
                        moved += 1;
                    }
                }
            }
            sent.push(next);
        }
        (sent, moved)
    }
}

#[test]
fn clients_of_a_killed_process_go_on_at_another_and_all_agree() {
    let cluster = Cluster::start(true);
    let address = cluster.database();
    let mut servers: Vec<Server> =
        (0..3).map(|_| Server::start(assize(), &["--postgres", &address])).collect();
    let contest = open_hunt(&servers[0]);
    let token = contest.admin.token.clone();
    let wanderers: Vec<Wanderer> = (0..CLIENTS)
        .map(|number| Wanderer {
            team: Team::register(&contest, &format!("team-{number}")),
            clients: servers.iter().map(|server| server.client("")).collect(),
            at: number as usize % servers.len(),
            number: number + 1,
        })
        .collect();
    let (judged, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let told: Vec<(Vec<Sent>, usize)> = thread::scope(|scope| {
        let (judged, over) = (&judged, &over);
        let submit = |each: Wanderer| scope.spawn(move || each.submit(judged, over));
        let submitting: Vec<_> = wanderers.into_iter().map(submit).collect();
        let more = |than: u64| eventually("more is judged", || judged.load(Ordering::Relaxed) > than);
        more(90);
        servers.remove(0).kill();
        more(judged.load(Ordering::Relaxed) + 90);
        over.store(true, Ordering::Relaxed);
        submitting.into_iter().map(|each| each.join().unwrap()).collect()
    });
    assert!(told.iter().filter(|(_, moved)| *moved > 0).count() >= 3, "three were connected to it");
    let sent: Vec<Sent> = told.into_iter().flat_map(|(sent, _)| sent).collect();
    let ledger = PostgresLedger::open(&address).unwrap();
    let served_at: Vec<_> = servers.iter().map(|server| hunt_at(server, &token)).collect();
    all_is_well(&mut Evidence::default(), &ledger, &sent, &served_at);
    servers.into_iter().for_each(Server::stop);
}
