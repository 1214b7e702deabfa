//! A SQLite file on a full disk, and one locked by another process.

use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use assize_ledger::SqliteLedger;
use assize_testbed::contest::Contest;
use assize_testbed::server::Server;
use tempfile::TempDir;

use crate::common::{Evidence, Sent, Team, all_is_well, assize, open_hunt, send_again};
use crate::is_unavailable;

/// A server on a file of its own, with a hunt and a team.
pub(crate) struct Stage {
    pub(crate) server: Server,
    pub(crate) contest: Contest,
    pub(crate) team: Team,
    pub(crate) file: PathBuf,
    _directory: TempDir,
}

impl Stage {
    /// `before` is what the shell does before it becomes the server.
    pub(crate) fn set(before: &str, args: &[&str]) -> Self {
        let directory = TempDir::new().unwrap();
        let file = directory.path().join("assize.db");
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{before} exec \"$@\""), "sh"]).arg(assize());
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(&file).args(args);
        let server = Server::launch(command);
        let contest = open_hunt(&server);
        let team = Team::register(&contest, "anna");
        Self { server, contest, team, file, _directory: directory }
    }

    /// Holds the file as another process would that writes and does not come to an end.
    fn hold(&self) -> rusqlite::Connection {
        let holding = rusqlite::Connection::open(&self.file).unwrap();
        holding.execute_batch("BEGIN IMMEDIATE").unwrap();
        holding
    }

    pub(crate) fn end_well(self, sent: &[Sent]) {
        let ledger = SqliteLedger::open_existing(&self.file).unwrap();
        all_is_well(&mut Evidence::default(), &ledger, sent, &[self.contest]);
        self.server.stop();
    }
}

#[test]
fn a_full_disk_is_told_and_when_there_is_room_again_it_goes_on() {
    // A limit on the size of files fails writes as a full disk does, and can be lifted from outside.
    let stage = Stage::set("trap '' XFSZ; ulimit -S -f 1024;", &[]);
    let client = stage.server.client("");
    let mut sent: Vec<Sent> = Vec::new();
    let mut refused = 0;
    while refused < 3 {
        let mut next = Sent::guess(&stage.team, 1 + sent.len() as u64);
        let (status, answer) = next.deliver(&client).unwrap();
        refused += u64::from(is_unavailable(status, &answer));
        sent.push(next);
        assert!(sent.len() < 5_000, "the disk does not fill");
    }
    assert!(sent.len() > 10, "what fitted was taken");
    assert!(
        stage.contest.board(None).0 >= sent.iter().filter_map(|each| each.receipt.as_ref()).count() as u64
    );
    let id = stage.server.id().to_string();
    let lifted = Command::new("prlimit").args(["--pid", &id, "--fsize=unlimited"]).status();
    assert!(lifted.is_ok_and(|status| status.success()));
    send_again(&mut sent, &client);
    stage.end_well(&sent);
}

#[test]
fn a_file_held_by_another_for_too_long_is_told_and_when_it_is_let_go_it_goes_on() {
    let stage = Stage::set("", &[]);
    let client = stage.server.client("");
    let mut sent: Vec<Sent> = (1..=3).map(|number| Sent::guess(&stage.team, number)).collect();
    assert_eq!(sent[0].deliver(&client).unwrap().0, 200);
    let holding = stage.hold();
    let (status, answer) = sent[1].deliver(&client).unwrap();
    assert!(is_unavailable(status, &answer), "{answer}");
    assert!(answer["detail"].as_str().unwrap().contains("another process is holding the ledger"), "{answer}");
    holding.execute_batch("ROLLBACK").unwrap();
    send_again(&mut sent, &client);
    stage.end_well(&sent);
}

#[test]
fn more_than_the_queue_takes_is_turned_away_at_once_and_the_rest_is_judged() {
    let stage = Stage::set("", &["--queue", "1"]);
    let (team, url) = (&stage.team, &stage.server);
    let holding = stage.hold();
    let (tell, told) = mpsc::channel();
    let mut sent: Vec<Sent> = thread::scope(|scope| {
        let submit = |number| {
            let tell = tell.clone();
            scope.spawn(move || {
                let mut sent = Sent::guess(team, number);
                let (status, answer) = sent.deliver(&url.client("")).unwrap();
                tell.send((status, answer["code"].clone())).unwrap();
                sent
            })
        };
        let clients: Vec<_> = (1..=24).map(submit).collect();
        // The store is still held: whoever is told anything now was not made to wait for it.
        let first = told.recv_timeout(Duration::from_secs(4)).unwrap();
        assert_eq!(first, (503, "clerk.queue_full".into()));
        holding.execute_batch("ROLLBACK").unwrap();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    let judged = sent.iter().filter(|each| each.receipt.is_some()).count();
    let answers: Vec<_> = told.try_iter().collect();
    assert_eq!(answers.iter().filter(|(status, _)| *status == 200).count(), judged);
    assert!(judged > 0, "somebody was in the queue");
    let turned_away = answers.iter().filter(|(status, _)| *status != 200);
    turned_away.for_each(|answer| assert_eq!(*answer, (503, "clerk.queue_full".into())));
    send_again(&mut sent, &stage.server.client(""));
    stage.end_well(&sent);
}
