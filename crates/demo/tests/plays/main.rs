//! Simulated contest through the real clerk, compared with a slow and simple reference implementation.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "these are tests"
)]

mod filling;
mod reading;
mod reference;

use std::collections::BTreeMap;
use std::sync::Arc;

use assize_demo::{ContestSize, DemoPlan, PlaybackPace, PlaybackReport, contest_plan, play};
use assize_engine::{Clerk, ClerkSettings, Courts, replay};
use assize_kernel::{Millis, Moment};
use assize_ledger::{Ledger, MemoryLedger};

use reference::{BoardLine, ReferenceContest};

/// The boards over all tasks (the empty name) and of each task, by participant.
type Boards = BTreeMap<String, BTreeMap<String, BoardLine>>;

fn plan(seed: u64, size: ContestSize) -> DemoPlan {
    contest_plan("contest/evening".parse().unwrap(), seed, size)
}

/// Plays a plan dated a day ahead of the clerk's clock, so that the clerk's own timers do not fire.
async fn played(plan: &DemoPlan) -> (PlaybackReport, Boards) {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
    let courts = Arc::new(Courts::shipped().unwrap());
    let (clerk, thread) = Clerk::start(courts.clone(), ledger.clone(), ClerkSettings::default()).unwrap();
    let begin = clerk.now() + Millis(86_400_000);
    let played = play(&clerk, &courts, plan, begin, PlaybackPace::AtOnce).await.unwrap();
    let boards = boards(&clerk, plan);
    thread.close();
    let again = replay(&courts, &*ledger, &mut |_| {}).unwrap();
    assert!(again.is_well() && again.verdicts > 0, "{again:?}");
    (played, boards)
}

fn boards(clerk: &Clerk, plan: &DemoPlan) -> Boards {
    let views = clerk.views();
    let tasks = plan.steps.iter().filter_map(|step| step.command["AddTask"]["task"].as_str());
    let mut boards = Boards::new();
    for task in std::iter::once("").chain(tasks) {
        let name = if task.is_empty() { plan.stream.to_string() } else { format!("{}/{task}", plan.stream) };
        let Some(board) = views.board(&name) else { continue };
        let line = |row: assize_kernel::Row| {
            let [unscored, millis] = row.standing.ties;
            let line =
                BoardLine { rank: row.rank, points: row.standing.points, unscored: unscored == 1, millis };
            (row.participant.to_string(), line)
        };
        boards.insert(task.to_owned(), board.rows(0, usize::MAX).map(line).collect());
    }
    boards
}

async fn check(seed: u64, size: ContestSize, speed: f64) -> PlaybackReport {
    let plan = plan(seed, size).faster(speed);
    let (played, boards) = played(&plan).await;
    let reference = ReferenceContest::of(&plan);
    assert_eq!(boards, reference.boards(), "seed {seed}");
    let refused = (reference.too_late, reference.already_completed, reference.malformed);
    let count = |code: &str| played.refused.get(code).copied().unwrap_or(0);
    assert_eq!(
        (
            count("contest.task.time_limit_exceeded"),
            count("contest.task.already_completed"),
            count("contest.answer.malformed")
        ),
        refused,
        "seed {seed}: {played:?}"
    );
    assert_eq!(played.repeated, reference.repeated, "seed {seed}");
    played
}

#[tokio::test]
async fn sixty_teams_and_twelve_tasks_end_on_the_board_that_the_seed_says() {
    let played = check(2_025, ContestSize::default(), 1.0).await;
    // All that a real day has: hundreds of answers, some repeated, late, after the end or unreadable.
    assert!(played.recorded > 1_000 && played.repeated > 20, "{played:?}");
    let codes =
        ["contest.task.time_limit_exceeded", "contest.task.already_completed", "contest.answer.malformed"];
    assert!(
        codes.iter().all(|code| played.refused.get(*code).is_some_and(|times| *times >= 5)),
        "{played:?}"
    );
}

#[tokio::test]
async fn it_is_so_for_any_seed_and_at_any_speed() {
    for seed in 0..12 {
        check(seed, ContestSize { teams: 12, tasks: 5 }, 1.0).await;
        check(seed, ContestSize { teams: 7, tasks: 4 }, 60.0).await;
    }
    check(3, ContestSize { teams: 1, tasks: 1 }, 1_000.0).await;
}

#[tokio::test]
async fn the_same_seed_plays_the_same_contest_and_another_one_another() {
    let size = ContestSize { teams: 10, tasks: 3 };
    assert_eq!(plan(1, size), plan(1, size));
    assert_ne!(plan(1, size), plan(2, size));
    assert_eq!(played(&plan(1, size)).await, played(&plan(1, size)).await);
}

#[tokio::test]
async fn in_time_every_step_waits_for_its_moment() {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
    let courts = Arc::new(Courts::shipped().unwrap());
    let (clerk, thread) = Clerk::start(courts.clone(), ledger, ClerkSettings::default()).unwrap();
    // Only the rehearsal: no round is stopped in it, so that delays of the machine cannot change the result.
    let plan = plan(5, ContestSize { teams: 20, tasks: 0 }).faster(100.0);
    let begin: Moment = clerk.now();
    play(&clerk, &courts, &plan, begin, PlaybackPace::InTime).await.unwrap();
    assert!(clerk.now() - begin >= plan.length(), "it was over before its end");
    assert_eq!(boards(&clerk, &plan), ReferenceContest::of(&plan).boards());
    thread.close();
}
