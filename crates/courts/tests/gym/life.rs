//! Simulation of a year in a gym: the quest streams of all hunters, driven by a random number generator.

use std::time::{Duration, Instant};

use assize_courts::quest::{
    Class, Day, Quest, QuestCommand, QuestEvent, QuestRules, QuestState, QuestType, Submission,
};
use assize_kernel::{Actor, CommandContext, Court, Millis, Moment, RecordedAt, Role, Rulebook, Ruling};

use crate::dice::Dice;
use crate::workout::{Workout, video};

const START: Moment = Moment::from_millis(1_767_225_600_000);
const DAY: i64 = 86_400_000;

/// Told of everything that happens, with what the dice had decided.
pub(crate) trait Witness {
    fn logged(
        &mut self,
        who: usize,
        quest: &str,
        quest_type: QuestType,
        workout: &Workout,
        day: i64,
        at: Moment,
    );
    fn proven(&mut self, who: usize, quest: &str, at: Moment);
    fn reviewed(&mut self, who: usize, quest: &str, accepted: bool);
    fn filed(&mut self, who: usize, about: usize, quest: &str, at: Moment) -> Option<bool>;
    fn reported(&mut self, who: usize, about: usize, quest: &str);
    fn decided(&mut self, who: usize, about: usize, quest: &str, confirmed: bool, removed: bool, at: Moment);
    fn sat_exam(&mut self, who: usize, quest: &str, passed: bool, day: i64, at: Moment);
    fn passes(&mut self, who: usize, now: Moment);
}

pub(crate) struct Gym {
    pub(crate) book: Rulebook<QuestRules>,
    pub(crate) hunters: Vec<QuestState>,
    pub(crate) logs: u32,
    /// How long the court has taken over each log.
    pub(crate) judging: Vec<Duration>,
    dice: Dice,
    position: u64,
    now: Moment,
    videos: u32,
    active: Vec<bool>,
    /// Logs that may be reported.
    seen: Vec<(usize, String)>,
    waiting: Vec<(usize, usize, String)>,
    /// Logs with proof that no judge has seen, and flagged ones without.
    unseen: Vec<(usize, String)>,
    flagged: Vec<(usize, String)>,
}

pub(crate) const CLASSES: [Class; 4] = [Class::Tank, Class::Striker, Class::Assassin, Class::Novice];

/// How many hours before or after UTC somebody's day begins.
pub(crate) fn offset(who: usize) -> i64 {
    i64::try_from(who % 18).unwrap() - 8
}

pub(crate) fn name(who: usize) -> String {
    format!("h{who}")
}

impl Gym {
    pub(crate) fn open(hunters: usize, seed: u64) -> Self {
        let (name_of_book, text) = Quest::RULEBOOKS[0];
        let mut gym = Self {
            book: Rulebook::read("quest", name_of_book, text).unwrap(),
            hunters: (0..hunters).map(|_| QuestState::default()).collect(),
            logs: 0,
            judging: Vec::new(),
            dice: Dice::new(seed),
            position: 0,
            now: START,
            videos: 0,
            active: vec![false; hunters],
            seen: Vec::new(),
            waiting: Vec::new(),
            unseen: Vec::new(),
            flagged: Vec::new(),
        };
        for who in 0..hunters {
            let command = QuestCommand::RegisterHunter {
                hunter: name(who).into(),
                class: CLASSES[who % 4],
                zone: "UTC".into(),
                name: None,
            };
            gym.must(who, &command);
        }
        gym
    }

    /// A year, or until there are so many logs.
    pub(crate) fn live(&mut self, most: u32, witness: &mut dyn Witness) {
        for day in 0..365 {
            for who in 0..self.hunters.len() {
                if self.logs >= most {
                    return;
                }
                self.now = START + Millis(day * DAY + i64::try_from(who).unwrap() * 15_000);
                let chance = if self.active[who] { 75 } else { 9 };
                self.active[who] = self.dice.percent(chance);
                if self.active[who] {
                    self.work_out(who, witness);
                    if self.dice.percent(10) {
                        self.work_out(who, witness);
                    }
                    self.sit_exam(who, witness);
                }
            }
            self.moderate(witness);
        }
    }

    fn work_out(&mut self, who: usize, witness: &mut dyn Witness) {
        self.videos += 1;
        let workout = Workout::throw(&mut self.dice, self.videos);
        if !workout.is_something() {
            return;
        }
        let penalty = self.dice.percent(8);
        let quest_type = if penalty { QuestType::Penalty } else { QuestType::Daily };
        let quest = format!("q{}", self.logs);
        let give = QuestCommand::AssignQuest {
            quest: quest.as_str().into(),
            quest_type,
            plan: workout.plan(),
            expires_at: None,
        };
        self.settle(who, witness);
        self.must(who, &give);
        self.submit(who, &quest, workout.log());
        let day = self.day(who);
        witness.logged(who, &quest, quest_type, &workout, day, self.now);
        self.logs += 1;
        self.seen.push((who, quest.clone()));
        if workout.video.is_some() { self.unseen.push((who, quest)) } else { self.flagged.push((who, quest)) }
    }

    fn submit(&mut self, who: usize, quest: &str, log: assize_courts::quest::Log) {
        let day = day_of(self.day(who));
        let (feedback, reading) = (None, assize_courts::quest::Reading::default());
        let submission = Submission { quest: quest.into(), log, day, private: false, feedback, reading };
        self.must(who, &QuestCommand::SubmitLog(submission));
    }

    fn day(&self, who: usize) -> i64 {
        ((self.now - START).0 + offset(who) * 3_600_000 + DAY).div_euclid(DAY)
    }

    /// Whoever may, often takes an exam, and mostly does what it asks for.
    fn sit_exam(&mut self, who: usize, witness: &mut dyn Witness) {
        let quest = format!("x{}", self.position);
        self.settle(who, witness);
        let accept = QuestCommand::AcceptExam { quest: quest.as_str().into(), draw: self.dice.below(1000) };
        if !self.dice.percent(30) || self.hear(who, &accept).is_none() {
            return;
        }
        let passed = self.dice.percent(80);
        self.videos += 1;
        let open = self.hunters[who].hunter().unwrap().open_quests();
        let plan = &open.iter().find(|open| open.quest == quest).unwrap().plan;
        let done = plan.exercises.iter().map(|exercise| assize_courts::quest::DoneExercise {
            name: exercise.name.clone(),
            sets_done: None,
            reps_done: exercise.reps.clone(),
            skipped: false,
            seconds: None,
            distance_m: None,
            load_kg: None,
        });
        let log = assize_courts::quest::Log {
            duration_seconds: 7200.0,
            actual_rpe: plan.target_rpe,
            condition: assize_courts::quest::Condition::Fresh,
            user_feedback: None,
            exercises: done.collect(),
            proof: passed.then(|| video(self.videos)),
        };
        self.submit(who, &quest, log);
        let day = self.day(who);
        witness.sat_exam(who, &quest, passed, day, self.now);
        self.logs += 1;
        if passed {
            self.seen.push((who, quest));
        }
    }

    /// What others and judges do at the end of a day.
    fn moderate(&mut self, witness: &mut dyn Witness) {
        self.now = self.now + Millis(3_600_000);
        for _ in 0..1 + self.hunters.len() / 60 {
            self.report(witness);
        }
        let judges = Actor::new(Role::Judge, "kim");
        for _ in 0..1 + self.waiting.len() / 40 {
            let Some((by, about, quest)) = self.pick_waiting() else { break };
            let (confirmed, remove_log) = (self.dice.percent(40), self.dice.percent(30));
            let reporter = name(by).into();
            let decide = QuestCommand::DecideReport {
                reporter,
                quest: quest.as_str().into(),
                confirmed,
                remove_log,
                note: None,
            };
            self.settle(about, witness);
            self.hear_as(about, &decide, &judges).unwrap();
            witness.decided(by, about, &quest, confirmed, confirmed && remove_log, self.now);
        }
        for _ in 0..self.unseen.len() / 8 {
            let at = self.dice.below(u32::try_from(self.unseen.len()).unwrap()) as usize;
            let (who, quest) = self.unseen.swap_remove(at);
            let accepted = self.dice.percent(80);
            let review = QuestCommand::ReviewProof { quest: quest.as_str().into(), accepted, note: None };
            self.settle(who, witness);
            if self.hear_as(who, &review, &judges).is_some() {
                witness.reviewed(who, &quest, accepted);
            }
        }
        for (who, quest) in std::mem::take(&mut self.flagged) {
            self.videos += 1;
            let prove = QuestCommand::AddProof { quest: quest.as_str().into(), proof: video(self.videos) };
            self.settle(who, witness);
            if self.dice.percent(60) && self.hear(who, &prove).is_some() {
                witness.proven(who, &quest, self.now);
                self.unseen.push((who, quest));
            }
        }
    }

    fn report(&mut self, witness: &mut dyn Witness) {
        if self.seen.is_empty() {
            return;
        }
        // A few people report again and again, and mostly the same few.
        let by = self.dice.below(u32::try_from(self.hunters.len() / 4 + 1).unwrap()) as usize;
        let from = self.seen.len().saturating_sub(400);
        let span = u32::try_from(self.seen.len() - from).unwrap();
        let (about, quest) = self.seen[from + self.dice.below(span) as usize].clone();
        let about = if self.dice.percent(50) { about } else { about % 7 };
        let Some((about, quest)) =
            self.seen.iter().rev().find(|(who, _)| *who == about).cloned().or(Some((about, quest)))
        else {
            return;
        };
        let (hunter, reason) = (name(about).into(), "spam".into());
        let file = QuestCommand::FileReport { hunter, quest: quest.as_str().into(), reason };
        self.settle(by, witness);
        let filed = self.hear(by, &file).is_some();
        if let Some(expected) = witness.filed(by, about, &quest, self.now) {
            assert_eq!(filed, expected, "{by} reports {quest} of {about}");
        }
        let reporter = name(by).into();
        let receive = QuestCommand::ReceiveReport {
            reporter,
            quest: quest.as_str().into(),
            reason: "spam".into(),
            weight: 1.0,
            note: None,
        };
        self.settle(about, witness);
        if filed && self.hear(about, &receive).is_some() {
            witness.reported(by, about, &quest);
            self.waiting.push((by, about, quest));
        }
    }

    fn pick_waiting(&mut self) -> Option<(usize, usize, String)> {
        (!self.waiting.is_empty()).then(|| self.waiting.remove(0))
    }

    /// What is due happens first, as the clerk would have it.
    fn settle(&mut self, who: usize, witness: &mut dyn Witness) {
        while let Some((at, command)) = Quest::deadline(&self.hunters[who]).filter(|(at, _)| *at <= self.now)
        {
            self.decide(who, &command, &Actor::clock(), at).unwrap();
        }
        witness.passes(who, self.now);
    }

    fn must(&mut self, who: usize, command: &QuestCommand) {
        let actor = Actor::new(Role::App, "gym");
        self.decide(who, command, &actor, self.now).unwrap();
    }

    fn hear(&mut self, who: usize, command: &QuestCommand) -> Option<()> {
        self.hear_as(who, command, &Actor::new(Role::App, "gym"))
    }

    fn hear_as(&mut self, who: usize, command: &QuestCommand, actor: &Actor) -> Option<()> {
        self.decide(who, command, actor, self.now).ok()
    }

    fn decide(
        &mut self,
        who: usize,
        command: &QuestCommand,
        actor: &Actor,
        at: Moment,
    ) -> Result<(), assize_courts::quest::QuestRefusal> {
        let begun = Instant::now();
        let ruling = Quest::decide(
            &self.book,
            &self.hunters[who],
            command,
            CommandContext { at, actor, position: 0 },
        )?;
        if matches!(command, QuestCommand::SubmitLog(_)) {
            self.judging.push(begun.elapsed());
        }
        let Ruling::Decided(decisions) = ruling else { return Ok(()) };
        for decision in decisions {
            self.position += 1;
            let event: QuestEvent = decision.event;
            Quest::evolve(&mut self.hunters[who], &event, RecordedAt { position: self.position, at });
        }
        Ok(())
    }
}

/// The days of the year that begins on 2025-12-31, from 0.
fn day_of(number: i64) -> Day {
    let text = (START + Millis((number - 1) * DAY)).to_string();
    text.get(..10).unwrap().parse().unwrap()
}
