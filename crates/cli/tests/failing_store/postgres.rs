//! A stopped PostgreSQL, and connections cut during a commit.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use assize_ledger::PostgresLedger;
use assize_testbed::client::Client;
use assize_testbed::contest::{eventually, within};
use assize_testbed::postgres::Cluster;
use assize_testbed::proxy::{Cut, CuttingProxy};
use assize_testbed::server::Server;

use crate::common::{Evidence, Sent, Team, all_is_well, assize, hunt_at, open_hunt, send_again};
use crate::is_unavailable;

const CLIENTS: u64 = 8;

/// How one client fares.
#[derive(Default)]
struct Fortune {
    judged: AtomicU64,
    unavailable: AtomicU64,
}

/// Submits one answer after the other, each until it is judged, and asks again for earlier verdicts now and
/// then. The last answer may be without a verdict when it is over.
fn insist(client: &Client, team: &Team, number: u64, fortune: &Fortune, over: &AtomicBool) -> Vec<Sent> {
    let mut sent: Vec<Sent> = Vec::new();
    while !over.load(Ordering::Relaxed) {
        sent.push(Sent::guess(team, number * 1_000_000 + sent.len() as u64));
        while sent.last().unwrap().receipt.is_none() && !over.load(Ordering::Relaxed) {
            let (status, answer) = sent.last_mut().unwrap().deliver(client).unwrap();
            if is_unavailable(status, &answer) {
                fortune.unavailable.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(20));
            } else {
                fortune.judged.fetch_add(1, Ordering::Relaxed);
            }
        }
        let (status, answer) = sent[0].deliver(client).unwrap();
        is_unavailable(status, &answer);
    }
    sent
}

#[test]
fn a_database_that_stops_costs_nobody_anything_and_the_server_goes_on_by_itself() {
    let cluster = Cluster::start(true);
    let address = cluster.database();
    let server = Server::start(assize(), &["--postgres", &address]);
    let contest = open_hunt(&server);
    let over = AtomicBool::new(false);
    let fortunes: Vec<Fortune> = (0..CLIENTS).map(|_| Fortune::default()).collect();
    let all = |more: &dyn Fn(&Fortune) -> bool| fortunes.iter().all(more);
    let mut sent: Vec<Sent> = thread::scope(|scope| {
        // Dropped when an assertion fails, too: the clients would otherwise run for ever.
        let _stop = StopClients(&over);
        let (over, server) = (&over, &server);
        let start = |(number, fortune)| {
            let team = Team::register(&contest, &format!("team-{number}"));
            scope.spawn(move || insist(&server.client(""), &team, number, fortune, over))
        };
        let clients: Vec<_> = (1..=CLIENTS).zip(&fortunes).map(start).collect();
        eventually("everybody is judged", || all(&|each| each.judged.load(Ordering::Relaxed) > 5));
        cluster.stop();
        // Unless the clerk was committing just then: it looks for that batch first, and nobody is told anything.
        let told =
            within(Duration::from_secs(3), || all(&|each| each.unavailable.load(Ordering::Relaxed) > 0));
        assert!(told || server.log().contains("failed to look for a batch after a broken commit"));
        assert_eq!(contest.board(None).1.len() as u64, CLIENTS, "the board is shown meanwhile");
        cluster.resume();
        let before: Vec<u64> = fortunes.iter().map(|each| each.judged.load(Ordering::Relaxed)).collect();
        let again = || fortunes.iter().zip(&before).all(|(each, n)| each.judged.load(Ordering::Relaxed) > *n);
        eventually("everybody is judged again", again);
        over.store(true, Ordering::Relaxed);
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    send_again(&mut sent, &server.client(""));
    let ledger = PostgresLedger::open(&address).unwrap();
    all_is_well(&mut Evidence::default(), &ledger, &sent, &[contest]);
    server.stop();
}

/// Tells the clients to stop when it is dropped.
struct StopClients<'a>(&'a AtomicBool);

impl Drop for StopClients<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Submits once while the connection is cut at the worst moment; whether a verdict came, and whether it holds.
fn submit_through(cut: Cut) -> bool {
    let cluster = Cluster::shared();
    let direct = cluster.database();
    let proxy = CuttingProxy::before(cluster);
    let through = proxy.address(direct.rsplit('=').next().unwrap());
    let server = Server::start(assize(), &["--postgres", &through]);
    let contest = open_hunt(&server);
    let team = Team::register(&contest, "anna");
    let client = server.client("");
    let mut sent = vec![Sent::guess(&team, 1), Sent::guess(&team, 2), Sent::find(&team)];
    assert_eq!(sent[0].deliver(&client).unwrap().0, 200);
    proxy.cut(cut);
    let (status, answer) = sent[1].deliver(&client).unwrap();
    let judged = !is_unavailable(status, &answer);
    assert!(!judged || answer["verdict"]["detail"]["wrong_attempts"] == 2, "{answer}");
    send_again(&mut sent, &client);
    let ledger = PostgresLedger::open(&direct).unwrap();
    all_is_well(&mut Evidence::default(), &ledger, &sent, &[hunt_at(&server, &contest.admin.token)]);
    server.stop();
    judged
}

#[test]
fn a_connection_cut_before_the_commit_arrives_is_no_verdict_and_no_record_until_it_is_sent_again() {
    assert!(!submit_through(Cut::BeforeCommit));
}

#[test]
fn a_connection_cut_after_the_commit_costs_the_client_nothing() {
    assert!(submit_through(Cut::AfterCommit));
}
