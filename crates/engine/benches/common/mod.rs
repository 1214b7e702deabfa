//! Shared by the benchmarks: a contest to judge, and the output format.

#![allow(dead_code, reason = "each benchmark uses its own part of this")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use assize_courts::contest::{ContestCommand, SubmittedAnswer, TaskPoints, TaskType};
use assize_engine::Courts;
use assize_kernel::{Actor, AnyCommand, Moment, Role, SmolStr, StreamId};

pub(crate) const TEAMS: usize = 100;
pub(crate) const TASKS: usize = 20;
pub(crate) const START: Moment = Moment::from_millis(1_800_000_000_000);

/// The shipped courts.
pub(crate) fn courts() -> Arc<Courts> {
    Arc::new(Courts::shipped().unwrap())
}

/// The stream of the `index`th contest.
pub(crate) fn contest(index: usize) -> StreamId {
    StreamId::new("contest", &format!("contest-{index:04}")).unwrap()
}

/// The actor that sets up contests.
pub(crate) fn organiser() -> Actor {
    Actor::new(Role::Admin, "organiser")
}

/// The commands that open a contest with its teams and tasks; all tasks run for a day.
pub(crate) fn opening() -> Vec<ContestCommand> {
    let mut commands = vec![ContestCommand::OpenContest { name: "Benchmark".into() }];
    commands.extend((0..TEAMS).map(|team| ContestCommand::RegisterTeam {
        team: team_name(team),
        name: None,
        contact: None,
    }));
    for task in 0..TASKS {
        commands.push(ContestCommand::AddTask {
            task: task_name(task),
            task_type: TaskType::Tr,
            scene_id: None,
            video_id: Some("V017".into()),
            points: Some(TaskPoints::List(vec![4890, 5000, 5001, 5020])),
            answer: None,
            time_limit_seconds: Some(86_400.0),
            hints: Vec::new(),
            rehearsal: false,
        });
        commands.push(ContestCommand::StartTask {
            task: task_name(task),
            time_limit_seconds: None,
            buffer_seconds: None,
            countdown_seconds: None,
        });
    }
    commands
}

/// An answer of a team to a task; wrong answers differ by `round`.
pub(crate) fn answer(team: SmolStr, task: SmolStr, round: usize, right: bool) -> AnyCommand {
    let text =
        if right { "TR-V017-4890,5000,5001,5020".into() } else { format!("TR-V017-1,2,3,{}", round + 4) };
    let answers = vec![SubmittedAnswer { text: Some(text), ..SubmittedAnswer::default() }];
    Box::new(ContestCommand::SubmitAnswer { task, team, answers })
}

pub(crate) fn team_name(team: usize) -> SmolStr {
    format!("team_{team:03}").into()
}

pub(crate) fn task_name(task: usize) -> SmolStr {
    format!("task-{task:02}").into()
}

/// Runs `work` and measures its time.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let result = work();
    (result, started.elapsed())
}

/// Prints the rate per second, next to a baseline of the same run.
pub(crate) fn line(what: &str, count: u64, elapsed: Duration, baseline: Option<f64>) -> f64 {
    let rate = count as f64 / elapsed.as_secs_f64();
    match baseline {
        Some(baseline) => println!("{what:44} {rate:>12.0} /s   {:>6.2} of the baseline", rate / baseline),
        None => println!("{what:44} {rate:>12.0} /s   (baseline)"),
    }
    rate
}
