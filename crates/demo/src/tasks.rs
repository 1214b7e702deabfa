//! Tasks of a simulated contest, with their ground truth.

use serde_json::{Value, json};

use super::dice::SeededRng;

const SCENES: [&str; 8] = [
    "a ferry leaving at dusk",
    "a kitchen with a blue door",
    "children folding paper boats",
    "a train crossing a viaduct",
    "somebody repairing a bicycle",
    "a market stall with melons",
    "a dog waiting at a crossing",
    "fireworks over a river",
];
const QUESTIONS: [(&str, &str); 6] = [
    ("What colour is the umbrella?", "dark green"),
    ("What does the sign above the shop say?", "Lantern Street"),
    ("Which animal is on the flag?", "a heron"),
    ("What is written on the boat?", "Anna-Lena II"),
    ("How many candles are on the cake?", "seven"),
    ("Which instrument does the woman carry?", "cello"),
];

/// Kind of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskKind {
    Kis,
    Qa,
    Tr,
}

/// A task with its ground truth.
pub(super) struct DemoTask {
    pub(super) id: String,
    pub(super) kind: TaskKind,
    pub(super) video: String,
    pub(super) points: Vec<u64>,
    pub(super) answer: Option<&'static str>,
    pub(super) limit_seconds: u64,
    /// Per-mille factor on a team's skill; a smaller one makes the task harder.
    pub(super) difficulty: u64,
    hints: Vec<Value>,
    rehearsal: bool,
}

/// The rehearsal, and `count` tasks of all kinds in turn.
pub(super) fn tasks(count: usize, rng: &mut SeededRng) -> Vec<DemoTask> {
    let rehearsal =
        DemoTask { rehearsal: true, difficulty: 1_000, ..task("rehearsal", TaskKind::Kis, 60, rng) };
    let later = (0..count).map(|number| {
        let kinds = [(TaskKind::Kis, 180), (TaskKind::Tr, 300), (TaskKind::Qa, 240), (TaskKind::Kis, 200)];
        let (kind, limit) = kinds.get(number % kinds.len()).copied().unwrap_or((TaskKind::Kis, 180));
        task(&format!("task-{:02}", number + 1), kind, limit, rng)
    });
    std::iter::once(rehearsal).chain(later).collect()
}

impl DemoTask {
    /// The command that adds the task.
    pub(super) fn add(&self) -> Value {
        let mut fields = json!({
            "task": self.id, "type": self.kind.as_str(), "video_id": self.video, "points": self.points,
            "time_limit_seconds": self.limit_seconds, "hints": self.hints, "rehearsal": self.rehearsal,
        });
        if let (Some(fields), Some(answer)) = (fields.as_object_mut(), self.answer) {
            fields.insert("answer".into(), answer.into());
        }
        json!({ "AddTask": fields })
    }
}

impl TaskKind {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Kis => "KIS",
            Self::Qa => "QA",
            Self::Tr => "TR",
        }
    }
}

/// A video name as video collections have them.
pub(super) fn video(rng: &mut SeededRng) -> String {
    format!("L{:02}_V{:03}", rng.within(1..31), rng.within(1..400))
}

fn task(id: &str, kind: TaskKind, limit_seconds: u64, rng: &mut SeededRng) -> DemoTask {
    let events = match kind {
        TaskKind::Tr => rng.within(2..5),
        TaskKind::Kis | TaskKind::Qa => rng.within(1..3),
    };
    let question = usize::try_from(rng.within(0..QUESTIONS.len() as u64)).unwrap_or_default();
    let question = QUESTIONS.get(question).copied().filter(|_| kind == TaskKind::Qa);
    DemoTask {
        id: id.to_owned(),
        kind,
        video: video(rng),
        points: points(events, rng),
        answer: question.map(|(_, answer)| answer),
        limit_seconds,
        difficulty: rng.within(450..1_000),
        hints: hints(question.map(|(question, _)| question), limit_seconds, rng),
        rehearsal: false,
    }
}

/// Start and end of each event, in order.
fn points(events: u64, rng: &mut SeededRng) -> Vec<u64> {
    let mut at = rng.within(500..60_000);
    let mut points = Vec::new();
    for _ in 0..events {
        let end = at + rng.within(1..400);
        points.extend([at, end]);
        at = end + rng.within(1..3_000);
    }
    points
}

/// The question or the scene as a hint at once, and a further hint later.
fn hints(question: Option<&'static str>, limit_seconds: u64, rng: &mut SeededRng) -> Vec<Value> {
    let scene = rng.one_of(&SCENES);
    let first = question.unwrap_or(scene);
    let later = [
        "it is near the beginning of the video",
        "somebody speaks just before it",
        "the camera does not move",
    ];
    let later = rng.one_of(&later);
    vec![
        json!({ "at_seconds": 0, "kind": "text", "content": first }),
        json!({ "at_seconds": limit_seconds / 3, "kind": "text", "content": later }),
    ]
}
