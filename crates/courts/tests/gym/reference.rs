//! Reference implementation of the rules: slow and obvious, computes every number from scratch.

use std::collections::{BTreeMap, BTreeSet};

use assize_courts::quest::{Class, QuestType};
use assize_kernel::{Millis, Moment};

use crate::life::{CLASSES, Witness};
use crate::workout::{Set, Workout};

const DAY: Millis = Millis(86_400_000);

pub(crate) struct Reference {
    pub(crate) people: Vec<Person>,
}

#[derive(Default)]
pub(crate) struct Person {
    class: usize,
    pub(crate) rank: usize,
    /// Every log, in order.
    pub(crate) logs: Vec<Entry>,
    /// The days on which a log counted, and how: true adds a day.
    days: Vec<(i64, bool)>,
    /// Who stands against them: reporter, quest, whether it stands, whether it waits.
    reports: Vec<(usize, String, bool, bool)>,
    verified: u32,
    filed: Vec<(usize, String, Moment)>,
    exam: Option<(String, Moment)>,
}

pub(crate) struct Entry {
    quest: String,
    workout: Option<Workout>,
    quest_type: QuestType,
    streak: u32,
    status_then: &'static str,
    proof: bool,
    pub(crate) xp: u64,
    pub(crate) outcome: &'static str,
    until: Moment,
    /// An exam pays when it is granted.
    pub(crate) paid: bool,
    removed: bool,
    waiting: bool,
}

impl Reference {
    pub(crate) fn of(people: usize) -> Self {
        let person = |who: usize| Person { class: who % 4, ..Person::default() };
        Self { people: (0..people).map(person).collect() }
    }
}

impl Person {
    pub(crate) fn xp(&self) -> u64 {
        self.logs.iter().filter(|entry| entry.paid && !entry.removed).map(|entry| entry.xp).sum()
    }

    pub(crate) fn status(&self) -> &'static str {
        let standing: BTreeSet<usize> =
            self.reports.iter().filter(|(_, _, stands, _)| *stands).map(|(who, ..)| *who).collect();
        match standing.len() {
            5.. => "Corrupted",
            3..=4 => "Flagged",
            _ if self.verified >= 5 => "Verified",
            _ => "Normal",
        }
    }

    /// Walks through all days from the first.
    pub(crate) fn streak(&self, day: i64, penalty: bool) -> u32 {
        let mut streak = 0_u32;
        let mut last: Option<i64> = None;
        for (at, adds) in &self.days {
            let reach = if *adds { 1 } else { 2 };
            if last.is_none_or(|last| at - last > reach) {
                streak = 0;
            }
            if *adds && last.is_none_or(|last| *at > last) {
                streak += 1;
            }
            last = Some(last.map_or(*at, |last: i64| last.max(*at)));
        }
        let reach = if penalty { 2 } else { 1 };
        if last.is_some_and(|last| day - last <= reach) { streak } else { 0 }
    }
}

impl Entry {
    /// What a history shows of it: nothing once it was taken out.
    pub(crate) fn shown_xp(&self) -> u64 {
        if self.removed { 0 } else { self.xp }
    }
}

/// Status and XP of a workout.
fn judge(workout: &Workout, entry: &Entry, class: Class) -> (&'static str, u64) {
    let (outcome, integrity) = match tenths(workout, entry.proof) {
        0..3 => ("REJECTED", 0.0),
        3..7 => ("FLAGGED", 0.5),
        _ => ("APPROVED", 1.0),
    };
    let base = f64::from(workout.minutes) * if entry.quest_type == QuestType::Penalty { 5.0 } else { 10.0 };
    let shares: f64 = workout
        .sets
        .iter()
        .map(|set| if set.skipped { 0.0 } else { f64::from(set.done) / f64::from(set.planned) })
        .sum();
    let bonus = base * (shares / workout.sets.len() as f64 - 1.0).clamp(0.0, 0.25);
    let effort = match i64::from(workout.target) - i64::from(workout.actual) {
        ..=0 => 1.2,
        1..=2 => 1.0,
        3..=4 => 0.8,
        _ => 0.5,
    };
    let forbidden = done(workout).any(|set| matches!(set.exercise, 3 | 4));
    let safety = if workout.sore && (workout.hard || forbidden) { 0.5 } else { 1.0 };
    let synergy = synergy(workout, entry.streak, class);
    let streak = 1.0 + (f64::from(entry.streak) * 0.02).min(0.2);
    let proof = if entry.proof { 1.05 } else { 1.0 };
    let product = effort * synergy * safety * streak * standing(entry.status_then) * proof;
    (outcome, ((base + bonus) * integrity * product + 1e-6).floor() as u64)
}

fn done(workout: &Workout) -> impl Iterator<Item = &Set> + Clone {
    workout.sets.iter().filter(|set| !set.skipped && set.done > 0)
}

/// The integrity score, in tenths.
fn tenths(workout: &Workout, proof: bool) -> u32 {
    let claimed = || workout.sets.iter().filter(|set| !set.skipped);
    let needed: u32 = claimed().map(|set| set.done.max(set.seconds.unwrap_or(0))).sum();
    if needed > workout.duration {
        return 0;
    }
    let (mut suspicious, mut needs_proof) = (false, false);
    for set in claimed() {
        let Some(seconds) = set.seconds else { continue };
        let most_per_minute = [Some(80), Some(60), None, None, None][set.exercise];
        suspicious |= most_per_minute.is_some_and(|most| set.done * 60 > most * seconds);
        needs_proof |= seconds * 2 < set.done * [2, 2, 4, 4, 3][set.exercise];
    }
    let incomplete = done(workout).count() * 2 < workout.sets.len();
    let flagged = suspicious || (needs_proof && !proof);
    match (incomplete, flagged, proof) {
        (true, ..) => 5,
        (false, true, true) => 8,
        (false, true, false) => 6,
        (false, false, _) => 10,
    }
}

/// Push-ups and squats are volume, burpees speed and cardio, deadlifts heavy, box jumps speed and intervals.
fn synergy(workout: &Workout, streak: u32, class: Class) -> f64 {
    let liked = done(workout).filter(|set| match class {
        Class::Tank => set.exercise == 3,
        Class::Striker => set.exercise != 3,
        Class::Assassin => matches!(set.exercise, 2 | 4),
        Class::Novice => false,
    });
    match class {
        Class::Novice if streak >= 7 => 1.15,
        Class::Novice => 1.0,
        _ if liked.count() * 2 >= done(workout).count() => 1.1,
        _ => 1.0,
    }
}

fn standing(status: &str) -> f64 {
    match status {
        "Verified" => 1.1,
        "Flagged" => 0.8,
        "Corrupted" => 0.0,
        _ => 1.0,
    }
}

impl Reference {
    fn rejudge(&mut self, who: usize, quest: &str) {
        let class = CLASSES[self.people[who].class];
        let entry = self.people[who].logs.iter_mut().find(|entry| entry.quest == quest).unwrap();
        let workout = entry.workout.clone().unwrap();
        (entry.outcome, entry.xp) = judge(&workout, entry, class);
    }
}

impl Witness for Reference {
    fn logged(
        &mut self,
        who: usize,
        quest: &str,
        quest_type: QuestType,
        workout: &Workout,
        day: i64,
        at: Moment,
    ) {
        let person = &mut self.people[who];
        let penalty = quest_type == QuestType::Penalty;
        let entry = Entry {
            quest: quest.to_owned(),
            workout: Some(workout.clone()),
            quest_type,
            streak: person.streak(day, penalty),
            status_then: person.status(),
            proof: workout.video.is_some(),
            xp: 0,
            outcome: "",
            until: at + Millis(7 * DAY.0),
            paid: true,
            removed: false,
            waiting: workout.video.is_some(),
        };
        person.logs.push(entry);
        self.rejudge(who, quest);
        let person = &mut self.people[who];
        if person.logs.last().unwrap().outcome != "REJECTED" {
            person.days.push((day, !penalty));
        }
    }

    fn proven(&mut self, who: usize, quest: &str, at: Moment) {
        let entry = self.people[who].logs.iter_mut().find(|entry| entry.quest == quest).unwrap();
        assert!(entry.outcome == "FLAGGED" && !entry.proof && !entry.removed && at <= entry.until);
        (entry.proof, entry.waiting) = (true, true);
        self.rejudge(who, quest);
    }

    fn reviewed(&mut self, who: usize, quest: &str, accepted: bool) {
        let person = &mut self.people[who];
        let entry = person.logs.iter_mut().find(|entry| entry.quest == quest).unwrap();
        assert!(entry.waiting && !entry.removed);
        entry.waiting = false;
        entry.proof = accepted;
        person.verified += u32::from(accepted);
        self.rejudge(who, quest);
    }

    fn filed(&mut self, who: usize, about: usize, quest: &str, at: Moment) -> Option<bool> {
        let person = &mut self.people[who];
        let again = person.filed.iter().any(|(of, log, _)| *of == about && log == quest);
        let recent = person.filed.iter().filter(|(.., then)| *then + DAY > at).count();
        let good = who != about && (again || recent < 5);
        if good && !again {
            person.filed.push((about, quest.to_owned(), at));
        }
        Some(good)
    }

    fn reported(&mut self, who: usize, about: usize, quest: &str) {
        let person = &mut self.people[about];
        assert!(!person.reports.iter().any(|(by, log, ..)| *by == who && log == quest));
        person.reports.push((who, quest.to_owned(), true, true));
    }

    fn decided(&mut self, who: usize, about: usize, quest: &str, confirmed: bool, removed: bool, at: Moment) {
        let person = &mut self.people[about];
        let report = person.reports.iter_mut().find(|(by, log, ..)| *by == who && log == quest).unwrap();
        (report.2, report.3) = (confirmed, false);
        if removed {
            let entry = person.logs.iter_mut().find(|entry| entry.quest == quest).unwrap();
            (entry.removed, entry.waiting) = (true, false);
        }
        if let Some((_, grant_at)) = &mut person.exam {
            *grant_at = (*grant_at).max(at);
        }
    }

    fn sat_exam(&mut self, who: usize, quest: &str, passed: bool, day: i64, at: Moment) {
        let person = &mut self.people[who];
        let streak = person.streak(day, false);
        let status = person.status();
        let entry = Entry {
            quest: quest.to_owned(),
            workout: None,
            quest_type: QuestType::RankUp,
            streak,
            status_then: status,
            proof: passed,
            xp: if passed { exam_xp(person, streak, status) } else { 0 },
            outcome: if passed { "PENDING_VERIFICATION" } else { "REJECTED" },
            until: at,
            paid: false,
            removed: false,
            waiting: false,
        };
        person.logs.push(entry);
        if passed {
            person.days.push((day, true));
            person.exam = Some((quest.to_owned(), at + DAY));
        }
    }

    fn passes(&mut self, who: usize, now: Moment) {
        let person = &mut self.people[who];
        let Some((quest, grant_at)) = person.exam.clone() else { return };
        let held = person.reports.iter().any(|(_, log, stands, _)| *log == quest && *stands);
        if now < grant_at || held || person.status() == "Corrupted" {
            return;
        }
        person.exam = None;
        person.rank += 1;
        let entry = person.logs.iter_mut().find(|entry| entry.quest == quest).unwrap();
        (entry.paid, entry.outcome) = (true, "APPROVED");
    }
}

/// What the exam for the next rank pays: minutes, and the class's liking of what it asks for.
fn exam_xp(person: &Person, streak: u32, status: &str) -> u64 {
    let exams: BTreeMap<usize, (f64, [f64; 4])> = BTreeMap::from([
        (0, (100.0, [1.0, 1.1, 1.0, 1.0])),
        (1, (300.0, [1.0, 1.1, 1.1, 1.0])),
        (2, (200.0, [1.0, 1.1, 1.0, 1.0])),
        (3, (750.0, [1.0, 1.0, 1.1, 1.0])),
    ]);
    let (base, likings) = exams[&person.rank];
    let liking = if person.class == 3 && streak >= 7 { 1.15 } else { likings[person.class] };
    let streak = 1.0 + (f64::from(streak) * 0.02).min(0.2);
    let xp = base * 1.2 * liking * streak * standing(status) * 1.05;
    (xp + 1e-6).floor() as u64
}
