//! Simulated gym: hunters submit training logs, mostly honest, add proofs, report each other, take exams.

use std::collections::BTreeMap;

use assize_kernel::{Actor, Digest, Millis, Moment, Role, StreamId};
use serde_json::{Value, json};

use super::dice::SeededRng;
use super::workouts::{LogStyle, workout_for};
use super::{DemoPlan, DemoStep, JUDGE};

/// Hunters, with class and per-mille probability of training on a day.
const HUNTERS: [(&str, &str, u64); 24] = [
    (HUNTER, "Tank", 1_000),
    (EXAMINED, "Striker", 1_000),
    (PROMOTED, "Assassin", 1_000),
    (HELD, "Striker", 1_000),
    (DOUBTED, "Tank", 800),
    (CONDEMNED, "Assassin", 700),
    (CLEARED, "Novice", 850),
    ("ada", "Tank", 900),
    ("bruno", "Striker", 650),
    ("carla", "Assassin", 750),
    ("dmitri", "Novice", 400),
    ("elif", "Striker", 820),
    ("finn", "Tank", 350),
    ("gita", "Assassin", 880),
    ("hamza", "Novice", 600),
    ("ivy", "Striker", 500),
    ("jonas", "Tank", 700),
    ("kaya", "Assassin", 300),
    ("luca", "Novice", 950),
    ("mina", "Striker", 770),
    ("nils", "Tank", 450),
    ("olga", "Assassin", 620),
    ("pablo", "Novice", 200),
    ("rosa", "Striker", 910),
];
/// The visitors' hunter: has accepted an exam that is running.
pub(super) const HUNTER: &str = "ines";
/// Has submitted an exam that waits to be granted.
const EXAMINED: &str = "marek";
/// Has passed an exam.
const PROMOTED: &str = "yuki";
/// Has submitted an exam that was reported.
const HELD: &str = "tomas";
/// Reported by three hunters.
const DOUBTED: &str = "boris";
/// Reported by five hunters.
const CONDEMNED: &str = "vera";
/// Reported, and cleared by a judge.
const CLEARED: &str = "lena";

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// Plans for `count` days from `begin`, one per stream.
pub(super) fn days(seed: u64, begin: Moment, count: u32) -> Vec<DemoPlan> {
    let mut gym = GymPlanner::open(seed, begin);
    for (hunter, class, _) in HUNTERS {
        let register = json!({ "RegisterHunter": { "hunter": hunter, "class": class, "zone": "UTC" } });
        gym.app(hunter, 0, register);
    }
    for day in 0..i64::from(count) {
        for (place, (hunter, _, diligence)) in HUNTERS.iter().enumerate() {
            // Every hunter trains at an hour of their own.
            let at = day * DAY + (1 + i64::try_from(place).unwrap_or_default() * 21 / 24) * HOUR;
            let at = at + i64::try_from(gym.rng.within(0..2_400_000)).unwrap_or_default();
            if gym.rng.chance(*diligence) {
                gym.train(hunter, &format!("day-{:02}", day + 1), at);
            }
        }
        gym.review(day * DAY + 23 * HOUR);
    }
    gym.disputes(i64::from(count) * DAY);
    gym.exams(i64::from(count) * DAY);
    gym.plans()
}

/// Plans for the endless simulation: twelve logs with a pause after each, and one report.
pub(super) fn hour(seed: u64, begin: Moment, number: u64, pause: Millis) -> Vec<DemoPlan> {
    let mut gym = GymPlanner::open(seed ^ number.wrapping_mul(0x9f17), begin);
    let busy = HUNTERS.get(7..).unwrap_or_default();
    let mut at = pause.0;
    for turn in 0..12 {
        let place = usize::try_from(gym.rng.within(0..busy.len() as u64)).unwrap_or_default();
        let Some((hunter, ..)) = busy.get(place) else { continue };
        let quest = format!("now-{number}-{turn}");
        gym.train(hunter, &quest, at);
        if turn == 7
            && let Some((reporter, ..)) = busy.get((place + 1) % busy.len())
        {
            gym.report(reporter, hunter, &quest, "other", at + pause.0 / 2);
        }
        at += pause.0;
    }
    gym.plans()
}

/// Collects the planned steps by stream.
struct GymPlanner {
    rng: SeededRng,
    begin: Moment,
    steps: BTreeMap<StreamId, Vec<DemoStep>>,
    /// Logs with a proof that no judge has reviewed.
    unseen: Vec<(&'static str, String)>,
    videos: u64,
    seed: u64,
}

impl GymPlanner {
    fn open(seed: u64, begin: Moment) -> Self {
        Self { rng: SeededRng::new(seed), begin, steps: BTreeMap::new(), unseen: Vec::new(), videos: 0, seed }
    }

    fn plans(self) -> Vec<DemoPlan> {
        let plan = |(stream, mut steps): (StreamId, Vec<DemoStep>)| {
            steps.sort_by_key(|step| step.after);
            DemoPlan { stream, steps }
        };
        self.steps.into_iter().map(plan).collect()
    }

    /// Plans a quest, its log and sometimes a proof.
    fn train(&mut self, hunter: &'static str, quest: &str, at: i64) {
        let class =
            HUNTERS.iter().find(|(known, ..)| *known == hunter).map_or("Novice", |(_, class, _)| class);
        let Some(workout) = workout_for(class, &mut self.rng) else { return };
        let manner = self.manner(hunter);
        let shown = manner != LogStyle::Impossible && self.rng.chance(350);
        let kind = self.rng.one_of(&["Photo", "Video"]);
        let proof = shown.then(|| self.proof(hunter, quest, at, json!({ "kind": kind })));
        if shown {
            self.unseen.push((hunter, quest.to_owned()));
        }
        let log = workout.log(manner, proof, &mut self.rng);
        let assign =
            json!({ "AssignQuest": { "quest": quest, "quest_type": "Daily", "plan": workout.plan() } });
        self.app(hunter, at - 1, assign);
        self.submit(hunter, quest, at, log);
    }

    fn submit(&mut self, hunter: &str, quest: &str, at: i64, log: Value) {
        let day = (self.begin + Millis(at)).to_string();
        let day = day.get(..10).unwrap_or_default();
        self.own(hunter, at, json!({ "SubmitLog": { "quest": quest, "log": log, "day": day } }));
    }

    fn manner(&mut self, hunter: &str) -> LogStyle {
        let honest = ![DOUBTED, CONDEMNED].contains(&hunter);
        match self.rng.within(0..100) {
            0..40 if hunter == CONDEMNED => LogStyle::Impossible,
            0..15 if hunter == DOUBTED => LogStyle::Impossible,
            15..45 if !honest => LogStyle::HardlyAny,
            0..12 => LogStyle::More,
            12..22 => LogStyle::Less,
            22..28 => LogStyle::Easy,
            28..33 => LogStyle::Sore,
            33..36 => LogStyle::HardlyAny,
            _ => LogStyle::AsPlanned,
        }
    }

    /// A proof without a file: its digest is computed from its description.
    fn proof(&mut self, hunter: &str, quest: &str, at: i64, mut proof: Value) -> Value {
        self.videos += 1;
        let digest =
            Digest::of(format!("video {} of {} {hunter} {quest}", self.videos, self.seed).as_bytes());
        if let Some(fields) = proof.as_object_mut() {
            fields.insert("sha256".into(), digest.to_string().into());
        }
        let claim = json!({ "ClaimMedia": { "hunter": hunter, "quest": quest } });
        self.push(&digest.to_string(), at - 1, Actor::new(Role::Participant, hunter), claim);
        proof
    }

    /// A judge reviews most of the proofs at the end of a day.
    fn review(&mut self, at: i64) {
        for (hunter, quest) in std::mem::take(&mut self.unseen) {
            match self.rng.within(0..10) {
                0..8 => {
                    let accepted = self.rng.chance(900);
                    let review = json!({ "ReviewProof": { "quest": quest, "accepted": accepted } });
                    self.judge(hunter, at, review);
                }
                _ => self.unseen.push((hunter, quest)),
            }
        }
    }

    /// Reports between hunters, and a judge's decision about one of them.
    fn disputes(&mut self, end: i64) {
        let doubters = ["ada", "elif", "gita", "luca", "rosa"];
        for (turn, by) in doubters.iter().enumerate() {
            let turn = i64::try_from(turn).unwrap_or_default();
            let at = end - 9 * HOUR + turn * 1_200_000;
            if let Some(quest) = self.last_of(CONDEMNED, turn) {
                self.report(by, CONDEMNED, &quest, "impossible_numbers", at);
            }
            if let Some(quest) = self.last_of(DOUBTED, turn).filter(|_| turn < 3) {
                self.report(by, DOUBTED, &quest, "impossible_numbers", at + 60_000);
            }
        }
        if let Some(quest) = self.last_of(CLEARED, 0) {
            self.report("bruno", CLEARED, &quest, "fake_proof", end - 6 * HOUR);
            let decided =
                json!({ "DecideReport": { "reporter": "bruno", "quest": quest, "confirmed": false } });
            self.judge(CLEARED, end - 5 * HOUR, decided);
            let noted = json!({ "NoteReport": { "hunter": CLEARED, "quest": quest, "confirmed": false } });
            self.judge("bruno", end - 5 * HOUR + 1, noted);
        }
    }

    /// Exams in all their states.
    fn exams(&mut self, end: i64) {
        let passed = end - 4 * DAY;
        self.sit(PROMOTED, passed);
        let grant = json!({ "DecideExam": { "quest": "exam-d", "granted": true } });
        self.judge(PROMOTED, passed + 3 * HOUR, grant);
        self.sit(EXAMINED, end - 5 * HOUR);
        self.sit(HELD, end - 8 * HOUR);
        self.report("olga", HELD, "exam-d", "not_their_own", end - 7 * HOUR);
        self.accept(HUNTER, end - 3 * HOUR);
    }

    fn accept(&mut self, hunter: &str, at: i64) {
        let draw = self.rng.within(0..1_000);
        self.own(hunter, at, json!({ "AcceptExam": { "quest": "exam-d", "draw": draw } }));
    }

    /// Accepts and submits the first exam.
    fn sit(&mut self, hunter: &str, at: i64) {
        self.accept(hunter, at - HOUR / 2);
        let proof = self.proof(hunter, "exam-d", at, json!({ "kind": "Timelapse", "length_seconds": 24 }));
        let done = [("Push-ups", 30), ("Squats", 40)];
        let done = done.map(|(name, reps)| json!({ "name": name, "sets_done": 1, "reps_done": reps }));
        let log = json!({
            "duration_seconds": 540, "actual_rpe": 8, "condition": "Fresh", "exercises": done, "proof": proof,
        });
        self.submit(hunter, "exam-d", at, log);
    }

    /// A report, recorded in the reporter's stream and then in the reported hunter's.
    fn report(&mut self, by: &str, hunter: &str, quest: &str, reason: &str, at: i64) {
        let file = json!({ "FileReport": { "hunter": hunter, "quest": quest, "reason": reason } });
        self.own(by, at, file);
        let receive = json!({ "ReceiveReport": {
            "reporter": by, "quest": quest, "reason": reason, "weight": 1.0,
        } });
        self.push(hunter, at + 1, Actor::new(Role::Participant, by), receive);
    }

    /// The quest that the hunter logged last, or the one `before` logs earlier.
    fn last_of(&self, hunter: &str, before: i64) -> Option<String> {
        let steps = self.steps.get(&stream(hunter)?)?;
        let logs = steps.iter().filter_map(|step| step.command.pointer("/SubmitLog/quest")?.as_str());
        let logs: Vec<&str> = logs.collect();
        let index = logs.len().checked_sub(1 + usize::try_from(before).ok()?)?;
        logs.get(index).map(|quest| (*quest).to_owned())
    }

    fn own(&mut self, hunter: &str, at: i64, command: Value) {
        self.push(hunter, at, Actor::new(Role::Participant, hunter), command);
    }

    fn app(&mut self, hunter: &str, at: i64, command: Value) {
        self.push(hunter, at, Actor::new(Role::App, "gym"), command);
    }

    fn judge(&mut self, hunter: &str, at: i64, command: Value) {
        self.push(hunter, at, Actor::new(Role::Judge, JUDGE), command);
    }

    fn push(&mut self, name: &str, at: i64, actor: Actor, command: Value) {
        let Some(stream) = stream(name) else { return };
        self.steps.entry(stream).or_default().push(DemoStep { after: Millis(at), actor, command });
    }
}

fn stream(name: &str) -> Option<StreamId> {
    StreamId::new("quest", name).ok()
}
