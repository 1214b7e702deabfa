//! Reference boards: computed naively, rebuilt from an export, and as served.

use std::sync::Arc;

use assize_engine::{Clerk, ClerkSettings, Courts};
use assize_ledger::{Ledger, MemoryLedger, export, import};
use assize_testbed::contest::{Contest, eventually};
use serde_json::{Value, json};

use super::evidence::Evidence;
use super::hunt::{CONTEST, TASK};

/// The boards over all tasks and of the one task.
type Boards = [Vec<Value>; 2];

/// What is served is what a server with nothing but the records would serve, and what a person would compute.
pub(super) fn boards_follow_from(evidence: &Evidence, ledger: &dyn Ledger, served_at: &[Contest]) {
    let rebuilt = rebuilt(ledger);
    assert_eq!(rebuilt.clone().map(strict_objects), computed(evidence));
    for contest in served_at {
        eventually("a server follows what the others append", || contest.board(None).0 >= evidence.head);
        assert_eq!([None, Some(TASK)].map(|task| contest.board(task).1), rebuilt);
    }
}

/// From nothing: the export of the ledger, read into another one, folded by another clerk.
fn rebuilt(ledger: &dyn Ledger) -> Boards {
    let mut lines = Vec::new();
    export(ledger, &mut lines, &mut |_| {}).unwrap();
    let copy = Arc::new(MemoryLedger::new());
    import(&*copy, &mut lines.as_slice(), &mut |_| {}).unwrap();
    let courts = Arc::new(Courts::shipped().unwrap());
    let (clerk, thread) = Clerk::start(courts, copy, ClerkSettings::default()).unwrap();
    let boards = [format!("contest/{CONTEST}"), format!("contest/{CONTEST}/{TASK}")].map(|name| {
        let views = clerk.views();
        let rows = views.board(&name).unwrap().rows(0, usize::MAX);
        rows.map(|row| serde_json::to_value(row).unwrap()).collect()
    });
    thread.close();
    boards
}

/// By the book: the best answer of each team, more points first, then less time, equals share a rank.
fn computed(evidence: &Evidence) -> Boards {
    let answers = evidence.by_team();
    let line = |team: &String| {
        let right = answers.get(team.as_str()).into_iter().flatten().filter(|judged| !judged.wrong);
        match right.max_by(|one, other| one.points.total_cmp(&other.points)) {
            Some(best) => (team.clone(), best.points, [0, best.elapsed_ms]),
            None => (team.clone(), 0.0, [1, 0]),
        }
    };
    let everybody: Vec<_> = evidence.teams.iter().map(line).collect();
    let tried = evidence.teams.iter().filter(|team| answers.contains_key(team.as_str()));
    [ranked(&everybody), ranked(&tried.map(line).collect::<Vec<_>>())]
}

fn ranked(lines: &[(String, f64, [i64; 2])]) -> Vec<Value> {
    let better = |one: &(String, f64, [i64; 2]), other: &(String, f64, [i64; 2])| {
        one.1 > other.1 || (one.1.total_cmp(&other.1).is_eq() && one.2 < other.2)
    };
    let row = |line: &(String, f64, [i64; 2])| {
        let rank = 1 + lines.iter().filter(|other| better(other, line)).count();
        json!({ "rank": rank, "participant": line.0, "points": line.1, "ties": line.2 })
    };
    strict_objects(lines.iter().map(row).collect())
}

/// Equals stand in the order in which they appeared, which a reference need not know.
fn strict_objects(mut rows: Vec<Value>) -> Vec<Value> {
    rows.sort_by_key(|row| row["participant"].to_string());
    rows
}
