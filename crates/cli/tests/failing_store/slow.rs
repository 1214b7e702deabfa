//! A store that does not respond: requests wait, no submission becomes late, no response is wrong.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use assize_kernel::{Millis, Moment};
use assize_testbed::contest::eventually;
use assize_testbed::postgres::Cluster;
use assize_testbed::server::Server;

use crate::common::{Sent, Team, assize, open_hunt};

#[test]
fn a_database_that_stands_still_makes_everybody_wait_and_counts_against_nobody() {
    let cluster = Cluster::start(false);
    let server = Server::start(assize(), &["--postgres", &cluster.database()]);
    let contest = open_hunt(&server);
    let team = Team::register(&contest, "anna");
    let mut sent = Sent::find(&team);
    assert_eq!(Sent::guess(&team, 1).deliver(&server.client("")).unwrap().0, 200);
    let (frozen, since) = (cluster.freeze(), Instant::now());
    let (tell, told) = channel();
    let client = server.client("");
    let waiting = thread::spawn(move || tell.send(sent.deliver(&client).unwrap()).unwrap());
    let nothing = told.recv_timeout(Duration::from_secs(2));
    assert!(matches!(nothing, Err(RecvTimeoutError::Timeout)), "nobody can have been answered: {nothing:?}");
    assert_eq!(contest.board(None).1.len(), 1, "the board is shown meanwhile");
    eventually("it is not ready", || contest.admin.get("/readyz").unwrap().0 == 503);
    let stood_still = since.elapsed();
    drop(frozen);
    let (status, answer) = told.recv().unwrap();
    waiting.join().unwrap();
    assert_eq!((status, &answer["verdict"]["outcome"]), (200, &"full".into()), "{answer}");
    let received: Moment = answer["receipt"]["at"].as_str().unwrap().parse().unwrap();
    let now: Moment = contest.seen()["now"].as_str().unwrap().parse().unwrap();
    let Millis(since) = now - received;
    assert!(since >= stood_still.as_millis() as i64, "its time is when it was received: {since} ms ago");
    eventually("it is ready again", || contest.admin.get("/readyz").unwrap().0 == 200);
    server.stop();
}
