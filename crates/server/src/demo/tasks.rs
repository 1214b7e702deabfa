//! The tasks of a contest that plays itself, with their ground truth.

use serde_json::{Value, json};

use super::dice::Dice;

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

/// What kind of question it asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Kis,
    Qa,
    Tr,
}

/// A task as its author knows it.
pub(super) struct Task {
    pub(super) id: String,
    pub(super) kind: Kind,
    pub(super) video: String,
    pub(super) points: Vec<u64>,
    pub(super) answer: Option<&'static str>,
    pub(super) limit_seconds: u64,
    /// How much of what a team can do it takes, in a thousand.
    pub(super) difficulty: u64,
    hints: Vec<Value>,
    rehearsal: bool,
}

/// The rehearsal, and so many tasks of all kinds in turn.
pub(super) fn tasks(count: usize, dice: &mut Dice) -> Vec<Task> {
    let rehearsal = Task { rehearsal: true, difficulty: 1_000, ..task("rehearsal", Kind::Kis, 60, dice) };
    let later = (0..count).map(|number| {
        let kinds = [(Kind::Kis, 180), (Kind::Tr, 300), (Kind::Qa, 240), (Kind::Kis, 200)];
        let (kind, limit) = kinds.get(number % kinds.len()).copied().unwrap_or((Kind::Kis, 180));
        task(&format!("task-{:02}", number + 1), kind, limit, dice)
    });
    std::iter::once(rehearsal).chain(later).collect()
}

impl Task {
    /// The command that adds it.
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

impl Kind {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Kis => "KIS",
            Self::Qa => "QA",
            Self::Tr => "TR",
        }
    }
}

/// A video as such collections name them.
pub(super) fn video(dice: &mut Dice) -> String {
    format!("L{:02}_V{:03}", dice.within(1..31), dice.within(1..400))
}

fn task(id: &str, kind: Kind, limit_seconds: u64, dice: &mut Dice) -> Task {
    let events = match kind {
        Kind::Tr => dice.within(2..5),
        Kind::Kis | Kind::Qa => dice.within(1..3),
    };
    let question = usize::try_from(dice.within(0..QUESTIONS.len() as u64)).unwrap_or_default();
    let question = QUESTIONS.get(question).copied().filter(|_| kind == Kind::Qa);
    Task {
        id: id.to_owned(),
        kind,
        video: video(dice),
        points: points(events, dice),
        answer: question.map(|(_, answer)| answer),
        limit_seconds,
        difficulty: dice.within(450..1_000),
        hints: hints(question.map(|(question, _)| question), limit_seconds, dice),
        rehearsal: false,
    }
}

/// Start and end of each event, one after the other.
fn points(events: u64, dice: &mut Dice) -> Vec<u64> {
    let mut at = dice.within(500..60_000);
    let mut points = Vec::new();
    for _ in 0..events {
        let end = at + dice.within(1..400);
        points.extend([at, end]);
        at = end + dice.within(1..3_000);
    }
    points
}

/// The question or the scene at once, and more of it later.
fn hints(question: Option<&'static str>, limit_seconds: u64, dice: &mut Dice) -> Vec<Value> {
    let scene = dice.one_of(&SCENES);
    let first = question.unwrap_or(scene);
    let later = [
        "it is near the beginning of the video",
        "somebody speaks just before it",
        "the camera does not move",
    ];
    let later = dice.one_of(&later);
    vec![
        json!({ "at_seconds": 0, "kind": "text", "content": first }),
        json!({ "at_seconds": limit_seconds / 3, "kind": "text", "content": later }),
    ]
}
