//! Failover to a backup: copies made under load, the first server gone, the second on the copy.

use std::process::Command;
use std::sync::atomic::Ordering;
use std::thread;

use assize_kernel::{Millis, Moment};
use assize_ledger::{Ledger, SqliteLedger};
use assize_testbed::contest::{Contest, eventually};
use assize_testbed::server::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{Evidence, Sent, all_is_well, assize, send_again};
use crate::dice::Dice;
use crate::storm::{Arena, Weather};

fn moment(value: &Value) -> Moment {
    value.as_str().unwrap().parse().unwrap()
}

fn round(contest: &Contest) -> Value {
    contest.seen()["tasks"][0]["round"].clone()
}

#[test]
fn a_second_machine_takes_over_from_a_backup_made_while_answers_poured_in() {
    let mut dice = Dice::throw("a_second_machine_takes_over_from_a_backup_made_while_answers_poured_in");
    let (here, there) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let file = here.path().join("assize.db");
    let first = Server::start(assize(), &["--data", file.to_str().unwrap()]);
    let arena = Arena::open(&first);
    let before = round(&arena.contest(&first));
    let (weather, mut connections) = (Weather::default(), arena.connections(&[&first], 0, &mut dice));
    let (mut sent, known, copy) = thread::scope(|scope| {
        let raging: Vec<_> =
            connections.iter_mut().map(|each| scope.spawn(|| each.submit(&weather))).collect();
        let mut last = None;
        // One copy after the other, as a machine that stands by makes them.
        for number in 0..3 {
            let so_far = weather.acknowledged.load(Ordering::Relaxed);
            eventually("answers pour in", || weather.acknowledged.load(Ordering::Relaxed) > so_far + 50);
            let copy = there.path().join(format!("copy-{number}.db"));
            // Whatever was acknowledged by now stands no further than here.
            let known = arena.contest(&first).board(None).0;
            let mut backup = Command::new(assize());
            backup.args(["ledger", "backup"]).arg(&copy).arg("--data").arg(&file);
            assert!(backup.output().unwrap().status.success());
            last = Some((known, copy));
        }
        dice.wait(0..200);
        first.kill();
        let sent: Vec<Sent> = raging.into_iter().flat_map(|each| each.join().unwrap()).collect();
        let (known, copy) = last.unwrap();
        (sent, known, copy)
    });
    drop(here);

    let copied = SqliteLedger::open_existing(&copy).unwrap().head().unwrap().position;
    assert!(copied >= known, "what was acknowledged before the backup began is in it");
    let second = Server::start(assize(), &["--data", copy.to_str().unwrap()]);
    // What came after the copy is lost with the first machine: its senders send it again, under the same keys.
    let mut lost = 0;
    for each in &mut sent {
        if each.receipt.as_ref().is_some_and(|(position, _)| *position > copied) {
            (each.receipt, lost) = (None, lost + 1);
        }
    }
    let repeated = send_again(&mut sent, &second.client(""));
    println!("{} answers, {copied} records copied, {lost} acknowledged after that; {repeated}", sent.len());
    let contest = arena.contest(&second);
    let ledger = SqliteLedger::open_existing(&copy).unwrap();
    all_is_well(&mut Evidence::default(), &ledger, &sent, &[arena.contest(&second)]);

    let after = round(&contest);
    for name in ["round", "running", "started_at", "closes_at", "time_limit_seconds"] {
        assert_eq!(after[name], before[name], "the task goes on with its clock: {name}");
    }
    let by = moment(&after["closes_at"]) - (moment(&contest.seen()["now"]) + Millis(2_000));
    let by = by.as_seconds().floor();
    contest.must(&contest.path("/tasks/hunt/adjust"), &json!({ "by_seconds": -by }));
    eventually("the task closes by itself", || round(&contest)["running"] == false);
    let closes = Moment::from_millis(moment(&before["closes_at"]).as_millis() - Millis::from_seconds(by).0);
    assert_eq!(moment(&round(&contest)["closed_at"]), closes);
    second.stop();
}
