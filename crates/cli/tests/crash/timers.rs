//! Tasks whose time runs out while the server is dead or dying: each is closed once, at its deadline.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use assize_kernel::{Millis, Moment};
use assize_ledger::{Depth, Ledger, Scan, SqliteLedger, verify};
use assize_testbed::contest::{Contest, eventually};
use assize_testbed::server::Server;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::assize;
use crate::dice::Dice;

const BUFFER: f64 = 0.05;

/// A little after each other, so that a kill falls between some of them.
fn seconds(task: u32) -> f64 {
    0.25 + 0.02 * f64::from(task % 8)
}

/// When a task was started and closed, and by whom.
#[derive(Debug, Default, PartialEq)]
struct Times {
    started: Vec<Moment>,
    closed: Vec<(Moment, String)>,
}

/// The times of each task, as the ledger has them.
fn times_of_tasks(file: &Path) -> BTreeMap<String, Times> {
    let ledger = SqliteLedger::open_existing(file).unwrap();
    assert_eq!(verify(&ledger, &mut |_| {}).unwrap().problems, Vec::<String>::new());
    let mut tasks: BTreeMap<String, Times> = BTreeMap::new();
    let each = &mut |record: assize_kernel::RecordRef<'_>| {
        let body: Value = serde_json::from_str(record.body).unwrap();
        let task = |event: &str| Some(body.get(event)?["task"].as_str()?.to_owned());
        if let Some(task) = task("TaskStarted") {
            tasks.entry(task).or_default().started.push(record.at);
        }
        if let Some(task) = task("TaskClosed") {
            tasks.entry(task).or_default().closed.push((record.at, record.actor.to_owned()));
        }
        ControlFlow::Continue(())
    };
    ledger.scan(Scan::all(0, Depth::Whole), each).unwrap();
    tasks
}

fn all_closed(contest: &Contest) -> bool {
    let seen = contest.seen();
    let tasks = seen["tasks"].as_array().unwrap();
    tasks.iter().all(|task| task["round"]["running"] == false)
}

#[test]
fn a_task_whose_time_runs_out_around_a_kill_is_closed_once_and_at_its_deadline() {
    let mut dice = Dice::throw("a_task_whose_time_runs_out_around_a_kill_is_closed_once_and_at_its_deadline");
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("assize.db");
    let serve = || Server::start(assize(), &["--data", file.to_str().unwrap()]);
    let mut server = serve();
    let token = server.admin_token();
    let mut contest = Contest::open(&server, &token, "spring");
    for task in 0..32 {
        contest.run_task(&format!("t{task}"), seconds(task), BUFFER);
        if task % 8 == 7 {
            // The first of the eight may have closed by now, the last one has not for a while.
            dice.wait(0..400);
            server.kill();
            dice.wait(0..200);
            server = serve();
            contest = Contest::at(&server, &token, "spring");
            eventually("every task is closed", || all_closed(&contest));
        }
    }
    let before = times_of_tasks(&file);
    for task in 0..32 {
        let Times { started, closed } = &before[&format!("t{task}")];
        let deadline = started[0] + Millis::from_seconds(seconds(task)) + Millis::from_seconds(BUFFER);
        assert_eq!((started.len(), closed.as_slice()), (1, &[(deadline, "system:clock".to_owned())][..]));
    }
    server.stop();
    serve().stop();
    assert_eq!(times_of_tasks(&file), before, "a start more changes nothing");
}
