//! A PostgreSQL that comes back with another history than the servers have seen.

use std::process::Command;

use assize_ledger::{Ledger, PostgresLedger, verify};
use assize_testbed::contest::{Contest, eventually, right_answer, wrong_answer};
use assize_testbed::ear::EventListener;
use assize_testbed::postgres::Cluster;
use assize_testbed::server::Server;
use serde_json::Value;

use crate::common::assize;

/// A contest with a running task and two teams, on a server.
struct Hunt {
    contest: Contest,
    ants: String,
    bees: String,
}

impl Hunt {
    fn open(server: &Server) -> Self {
        let contest = Contest::open(server, &server.admin_token(), "spring");
        let [ants, bees] = ["ants", "bees"].map(|team| contest.register(team));
        contest.run_task("t1", 600.0, 10.0);
        Self { contest, ants, bees }
    }

    fn submit(&self, server: &Server, token: &str, answer: &Value) -> (u16, Value) {
        let path = self.contest.path("/tasks/t1/submissions");
        server.client(token).post(&path, answer, None).unwrap()
    }

    /// Submits an answer that is judged; returns the number of wrong attempts that count.
    fn wrong_attempts(&self, server: &Server, token: &str, answer: &Value) -> u64 {
        let (status, judged) = self.submit(server, token, answer);
        assert_eq!(status, 200, "{judged}");
        judged["verdict"]["detail"]["wrong_attempts"].as_u64().unwrap_or_else(|| panic!("{judged}"))
    }

    /// The teams with points on the board that a server shows.
    fn scored(&self, server: &Server) -> Vec<String> {
        let (_, rows) = Contest::at(server, &self.contest.admin.token, "spring").board(None);
        let scored = rows.into_iter().filter(|row| row["points"].as_f64() > Some(0.0));
        scored.map(|row| row["participant"].as_str().unwrap().to_owned()).collect()
    }
}

fn is_ready(server: &Server) -> bool {
    server.client("").send("GET", "/readyz", &[], None).unwrap().status == 200
}

/// The ledger is whole, every verdict is what a replay gives, and another server starts on it.
fn all_is_whole(address: &str) {
    let ledger = PostgresLedger::open(address).unwrap();
    assert_eq!(verify(&ledger, &mut |_| {}).unwrap().problems, Vec::<String>::new());
    let replayed = Command::new(assize()).args(["replay", "--json", "--postgres", address]).output().unwrap();
    assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stderr));
    let found: Value = serde_json::from_slice(&replayed.stdout).unwrap();
    assert_eq!(found["different"], 0, "{found}");
    Server::start(assize(), &["--postgres", address]).stop();
}

#[test]
fn a_standby_that_had_not_received_everything_takes_over_and_judging_goes_on_from_it() {
    let cluster = Cluster::start(true);
    let address = cluster.database();
    let one = Server::start(assize(), &["--postgres", &address]);
    let two = Server::start(assize(), &["--postgres", &address]);
    let hunt = Hunt::open(&one);
    assert_eq!(hunt.wrong_attempts(&one, &hunt.ants, &wrong_answer(1)), 1);
    let standby = cluster.standby();
    standby.wait_until_equal();
    standby.stop();

    // The standby never hears of these.
    assert_eq!(hunt.wrong_attempts(&one, &hunt.ants, &wrong_answer(2)), 2);
    assert_eq!(hunt.wrong_attempts(&two, &hunt.ants, &wrong_answer(3)), 3);
    assert_eq!(hunt.submit(&two, &hunt.bees, &right_answer()).0, 200);
    let late = hunt.contest.register("late");
    for server in [&one, &two] {
        eventually("everybody sees the bees", || hunt.scored(server) == ["bees"]);
    }
    let lost = PostgresLedger::open(&address).unwrap().head().unwrap();
    let topics = ["contest/spring", "board/contest/spring"];
    let mut listeners =
        [&one, &two].map(|server| EventListener::open(server.url(), &topics, None, "").unwrap());
    for listener in &mut listeners {
        assert_eq!(listener.wait_for("hello").id, Some(lost.position));
    }
    standby.take_over();

    let kept = PostgresLedger::open(&address).unwrap().head().unwrap();
    assert!(kept.position < lost.position);
    for (server, listener) in [&one, &two].into_iter().zip(&mut listeners) {
        assert_eq!(listener.wait_for("reset").id, Some(kept.position), "{}", server.log());
        eventually("the lost points are gone", || hunt.scored(server).is_empty());
        eventually("it is ready", || is_ready(server));
        for head in [lost, kept] {
            assert!(server.log().contains(&head.hash.to_string()), "{}", server.log());
        }
        assert_eq!(hunt.submit(server, &late, &wrong_answer(1)).0, 401, "a token that was lost");
    }
    // The lost attempts cost nothing.
    assert_eq!(hunt.wrong_attempts(&one, &hunt.ants, &wrong_answer(4)), 2);
    assert_eq!(hunt.wrong_attempts(&two, &hunt.ants, &wrong_answer(5)), 3);
    assert_eq!(hunt.submit(&two, &hunt.bees, &right_answer()).0, 200);
    for (server, listener) in [&one, &two].into_iter().zip(&mut listeners) {
        eventually("everybody sees the bees again", || hunt.scored(server) == ["bees"]);
        let first = listener.wait_for("AnswerJudged");
        assert_eq!(first.id, Some(kept.position + 1), "every record once, in order");
        // Ids from before mean something else now.
        let mut again = EventListener::open(server.url(), &topics, Some(kept.position), "").unwrap();
        assert_eq!(again.next().map(|event| event.event), Some("reset".to_owned()));
    }
    one.stop();
    two.stop();
    all_is_whole(&address);
}

#[test]
fn a_restored_database_that_has_grown_again_is_another_history() {
    let cluster = Cluster::start(true);
    let address = cluster.database();
    let server = Server::start(assize(), &["--postgres", &address]);
    let hunt = Hunt::open(&server);
    let backup = cluster.backup();
    assert_eq!(hunt.wrong_attempts(&server, &hunt.ants, &wrong_answer(1)), 1);
    assert_eq!(hunt.submit(&server, &hunt.bees, &right_answer()).0, 200);
    let lost = PostgresLedger::open(&address).unwrap().head().unwrap();

    // The server stands still until the restored ledger is longer than the one it knows.
    signal(&server, "-STOP");
    cluster.restore(&backup);
    let head = || PostgresLedger::open(&address).unwrap().head().unwrap();
    while head().position <= lost.position {
        let token = Command::new(assize()).args(["token", "--postgres", &address]).output().unwrap();
        assert!(token.status.success(), "{}", String::from_utf8_lossy(&token.stderr));
    }
    signal(&server, "-CONT");
    eventually("the lost points are gone", || hunt.scored(&server).is_empty());
    eventually("it is ready", || is_ready(&server));
    assert_eq!(hunt.wrong_attempts(&server, &hunt.ants, &wrong_answer(2)), 1);
    assert_eq!(hunt.submit(&server, &hunt.bees, &right_answer()).0, 200);
    assert_eq!(hunt.scored(&server), ["bees"]);
    let told: Vec<String> =
        server.log().lines().filter(|line| line.contains("another history")).map(str::to_owned).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    server.stop();
    all_is_whole(&address);
}

#[test]
fn a_repeated_answer_waits_until_its_record_is_replicated() {
    let cluster = Cluster::start(true);
    let address = cluster.database();
    let server = Server::start(assize(), &["--postgres", &address]);
    let hunt = Hunt::open(&server);
    let path = hunt.contest.path("/tasks/t1/submissions");
    let submit =
        |server: &Server| server.client(&hunt.ants).post(&path, &wrong_answer(1), Some("k1")).unwrap();
    assert_eq!(submit(&server).0, 200);
    // From here on no commit is complete, as if the only standby were gone; the record may be on no other machine.
    cluster.wait_for_standby(true);
    let repeated = std::thread::scope(|scope| {
        let repeating = scope.spawn(|| submit(&server));
        std::thread::sleep(std::time::Duration::from_secs(2));
        assert!(!repeating.is_finished(), "it was acknowledged without a standby");
        cluster.wait_for_standby(false);
        repeating.join().unwrap()
    });
    assert_eq!((repeated.0, &repeated.1["repeated"]), (200, &true.into()), "{}", repeated.1);
    server.stop();
    all_is_whole(&address);
}

fn signal(server: &Server, signal: &str) {
    let done = Command::new("kill").args([signal, &server.id().to_string()]).status();
    assert!(done.is_ok_and(|status| status.success()), "it cannot be told to stand still or go on");
}
