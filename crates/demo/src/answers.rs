//! Generated submissions of a team: right, partly right, wrong in several ways, or malformed.

use serde_json::{Value, json};

use super::dice::SeededRng;
use super::tasks::{DemoTask, TaskKind, video};

/// Intended correctness of a generated answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerIntent {
    Right,
    /// A part of the right answer, which some kinds of task score.
    Part,
    Wrong,
    Unreadable,
}

/// The command that submits an answer.
pub(super) fn submit(task: &DemoTask, team: &str, aim: AnswerIntent, rng: &mut SeededRng) -> Value {
    let answers = match aim {
        AnswerIntent::Right => {
            written(task, task.answer.unwrap_or("yes"), &task.video, &shuffled(&task.points, rng), rng)
        }
        AnswerIntent::Part => written(task, "perhaps", &task.video, &some_of(&task.points, rng), rng),
        AnswerIntent::Wrong => wrong(task, rng),
        AnswerIntent::Unreadable => unreadable(task),
    };
    json!({ "SubmitAnswer": { "task": task.id, "team": team, "answers": answers } })
}

fn wrong(task: &DemoTask, rng: &mut SeededRng) -> Value {
    let answer = task.answer.unwrap_or("yes");
    let near = |point: &u64| point + rng.within(1..90);
    let missed: Vec<u64> = task.points.iter().map(near).collect();
    match rng.within(0..4) {
        // The right moments in another video.
        0 => written(task, answer, &video(rng), &task.points, rng),
        // All right moments and one more.
        1 if task.kind != TaskKind::Tr => {
            let more: Vec<u64> = task.points.iter().copied().chain([rng.within(60_000..90_000)]).collect();
            written(task, answer, &task.video, &more, rng)
        }
        // The right moments with a wrong text.
        2 if task.kind == TaskKind::Qa => {
            let guess = format!("{} {}", rng.one_of(&["a red", "some", "no", "two"]), rng.within(1..500));
            written(task, &guess, &task.video, &task.points, rng)
        }
        _ => written(task, answer, &task.video, &missed, rng),
    }
}

/// Formats an answer for the task's kind, with the variations of different tools.
fn written(task: &DemoTask, answer: &str, video: &str, points: &[u64], rng: &mut SeededRng) -> Value {
    let list = points.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    match task.kind {
        TaskKind::Tr => json!([{ "text": format!("TR-{video}-{list}") }]),
        TaskKind::Qa => {
            let shouted = if rng.chance(300) { answer.to_uppercase() } else { format!(" {answer}") };
            json!([{ "text": format!("QA-{shouted}-{video}-{list}") }])
        }
        TaskKind::Kis if rng.chance(300) => {
            let point =
                |point: &u64| json!({ "mediaItemName": video, "start": point.to_string(), "end": null });
            points.iter().map(point).collect()
        }
        TaskKind::Kis => {
            let pair = |pair: &[u64]| match pair {
                [start, end] => json!({ "mediaItemName": video, "start": start, "end": end }),
                rest => json!({ "mediaItemName": video, "start": rest.first() }),
            };
            points.chunks(2).map(pair).collect()
        }
    }
}

/// An answer in the format of another kind of task.
fn unreadable(task: &DemoTask) -> Value {
    match task.kind {
        TaskKind::Kis => json!([{ "text": "TR-L01_V001-17" }]),
        TaskKind::Qa | TaskKind::Tr => json!([{ "mediaItemName": "L01_V001", "start": 17 }]),
    }
}

/// Shuffles the pairs of points, as their order does not matter.
fn shuffled(points: &[u64], rng: &mut SeededRng) -> Vec<u64> {
    let mut pairs: Vec<&[u64]> = points.chunks(2).collect();
    for place in (1..pairs.len()).rev() {
        pairs.swap(place, usize::try_from(rng.within(0..place as u64 + 1)).unwrap_or_default());
    }
    pairs.concat()
}

/// At least one of the points, and not all.
fn some_of(points: &[u64], rng: &mut SeededRng) -> Vec<u64> {
    let count = rng.within(1..points.len().max(2) as u64);
    points.iter().copied().take(usize::try_from(count).unwrap_or(1)).collect()
}
