//! What a team sends: the right answer, one of the ways to be wrong, or something that cannot be read.

use serde_json::{Value, json};

use super::dice::Dice;
use super::tasks::{Kind, Task, video};

/// How an answer is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    Right,
    /// Where it is worth something, a part of it.
    Part,
    Wrong,
    Unreadable,
}

/// The command that submits an answer.
pub(super) fn submit(task: &Task, team: &str, aim: Aim, dice: &mut Dice) -> Value {
    let answers = match aim {
        Aim::Right => {
            written(task, task.answer.unwrap_or("yes"), &task.video, &shuffled(&task.points, dice), dice)
        }
        Aim::Part => written(task, "perhaps", &task.video, &some_of(&task.points, dice), dice),
        Aim::Wrong => wrong(task, dice),
        Aim::Unreadable => unreadable(task),
    };
    json!({ "SubmitAnswer": { "task": task.id, "team": team, "answers": answers } })
}

fn wrong(task: &Task, dice: &mut Dice) -> Value {
    let answer = task.answer.unwrap_or("yes");
    let near = |point: &u64| point + dice.within(1..90);
    let missed: Vec<u64> = task.points.iter().map(near).collect();
    match dice.within(0..4) {
        // The right place in another video.
        0 => written(task, answer, &video(dice), &task.points, dice),
        // Everything right, and one more.
        1 if task.kind != Kind::Tr => {
            let more: Vec<u64> = task.points.iter().copied().chain([dice.within(60_000..90_000)]).collect();
            written(task, answer, &task.video, &more, dice)
        }
        // Seen, and not understood.
        2 if task.kind == Kind::Qa => {
            let guess = format!("{} {}", dice.one_of(&["a red", "some", "no", "two"]), dice.within(1..500));
            written(task, &guess, &task.video, &task.points, dice)
        }
        _ => written(task, answer, &task.video, &missed, dice),
    }
}

/// In the form of the task's kind, as different tools write it.
fn written(task: &Task, answer: &str, video: &str, points: &[u64], dice: &mut Dice) -> Value {
    let list = points.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    match task.kind {
        Kind::Tr => json!([{ "text": format!("TR-{video}-{list}") }]),
        Kind::Qa => {
            let shouted = if dice.chance(300) { answer.to_uppercase() } else { format!(" {answer}") };
            json!([{ "text": format!("QA-{shouted}-{video}-{list}") }])
        }
        Kind::Kis if dice.chance(300) => {
            let point =
                |point: &u64| json!({ "mediaItemName": video, "start": point.to_string(), "end": null });
            points.iter().map(point).collect()
        }
        Kind::Kis => {
            let pair = |pair: &[u64]| match pair {
                [start, end] => json!({ "mediaItemName": video, "start": start, "end": end }),
                rest => json!({ "mediaItemName": video, "start": rest.first() }),
            };
            points.chunks(2).map(pair).collect()
        }
    }
}

/// The form of another kind of task.
fn unreadable(task: &Task) -> Value {
    match task.kind {
        Kind::Kis => json!([{ "text": "TR-L01_V001-17" }]),
        Kind::Qa | Kind::Tr => json!([{ "mediaItemName": "L01_V001", "start": 17 }]),
    }
}

/// The same in another order: nobody is asked to keep it. Pairs stay together.
fn shuffled(points: &[u64], dice: &mut Dice) -> Vec<u64> {
    let mut pairs: Vec<&[u64]> = points.chunks(2).collect();
    for place in (1..pairs.len()).rev() {
        pairs.swap(place, usize::try_from(dice.within(0..place as u64 + 1)).unwrap_or_default());
    }
    pairs.concat()
}

/// At least one of them, and not all.
fn some_of(points: &[u64], dice: &mut Dice) -> Vec<u64> {
    let count = dice.within(1..points.len().max(2) as u64);
    points.iter().copied().take(usize::try_from(count).unwrap_or(1)).collect()
}
