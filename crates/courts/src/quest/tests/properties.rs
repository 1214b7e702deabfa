//! Property tests: XP bounds and monotonicity; the status does not depend on the order of reports.

use assize_kernel::{Actor, CommandContext, Court, Millis, Moment, RecordedAt, Role, Rulebook, Ruling};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::quest::{HUNTER, Quest, QuestCommand, QuestEvent, QuestRules, QuestState};

fn book() -> Rulebook<QuestRules> {
    Rulebook::read("quest", "hunter.toml", HUNTER).unwrap()
}

/// A document with these numbers.
fn document(numbers: &DocumentNumbers) -> Value {
    let DocumentNumbers { minutes, target, actual, sets, reps, duration, days, .. } = numbers;
    let words = |list: &[&str], at: usize| list[at % list.len()].to_owned();
    let proof = (numbers.proof).then(|| json!({ "kind": "Video" }));
    json!({
        "quest_type": words(&["Daily", "Penalty"], numbers.words),
        "plan": { "estimated_duration_min": minutes, "target_rpe": target,
                  "intensity": words(&["Low", "Medium", "High"], numbers.words / 2),
                  "exercises": [{ "name": "Push-ups", "sets": 3, "reps": 10 }, { "name": "Running", "reps": "2km" }] },
        "log": { "duration_seconds": duration, "actual_rpe": actual,
                 "condition": words(&["Fresh", "Sore", "Injured"], numbers.words / 6),
                 "exercises": [
                     { "name": "push up", "sets_done": sets, "reps_done": reps },
                     { "name": "Run", "distance_m": 2500, "skipped": numbers.words.is_multiple_of(5) }],
                 "proof": proof },
        "profile": { "class": words(&["Tank", "Striker", "Assassin", "Novice"], numbers.words / 18),
                     "rank": "E", "streak_days": days,
                     "hunter_status": words(&["Normal", "Verified", "Flagged", "Corrupted"], numbers.words / 72) },
    })
}

#[derive(Debug, Clone)]
struct DocumentNumbers {
    minutes: u32,
    target: u32,
    actual: u32,
    sets: u32,
    reps: u32,
    duration: u32,
    days: u32,
    proof: bool,
    words: usize,
}

fn numbers() -> impl Strategy<Value = DocumentNumbers> {
    let some = (1..300_u32, 1..=10_u32, 1..=10_u32, 0..20_u32, 0..200_u32, 1..8000_u32);
    (some, 0..40_u32, any::<bool>(), 0..2000_usize).prop_map(|(some, days, proof, words)| {
        let (minutes, target, actual, sets, reps, duration) = some;
        DocumentNumbers { minutes, target, actual, sets, reps, duration, days, proof, words }
    })
}

fn judge(document: &Value) -> Option<Value> {
    let verdict = Quest::judge(&book(), &document.to_string()).ok()?;
    Some(serde_json::from_str(&verdict).unwrap())
}

proptest! {
    #[test]
    fn xp_is_never_negative_never_above_its_bounds_and_a_rejected_log_never_pays(numbers in numbers()) {
        let Some(verdict) = judge(&document(&numbers)) else { return Ok(()) };
        let detail = &verdict["detail"];
        let xp = detail["final_xp"].as_f64().unwrap();
        // 1.25 × the maximum of each: effort 1.2, class 1.15, streak 1.2, status 1.1, proof 1.05.
        let most = detail["base_xp"].as_f64().unwrap() * 1.25 * 1.2 * 1.15 * 1.2 * 1.1 * 1.05;
        prop_assert!(xp >= 0.0 && xp <= most + 1e-6 && xp.fract() == 0.0, "{xp} of at most {most}");
        if detail["status"] == "REJECTED" {
            prop_assert_eq!(xp, 0.0);
            prop_assert_eq!(&detail["stat_updates"]["strength_add"], &json!(0.0));
        }
        let score = detail["integrity_score"].as_f64().unwrap();
        prop_assert!((0.0..=1.0).contains(&score));
        prop_assert!(score >= 1.0 - detail["cheat_probability"].as_f64().unwrap() - 1e-9);
    }

    #[test]
    fn xp_grows_with_every_modifier(numbers in numbers()) {
        let Some(one) = judge(&document(&numbers)) else { return Ok(()) };
        let better = [
            DocumentNumbers { minutes: numbers.minutes + 1, ..numbers.clone() },
            DocumentNumbers { actual: (numbers.actual + 1).min(10), ..numbers.clone() },
            DocumentNumbers { days: numbers.days + 1, ..numbers.clone() },
            DocumentNumbers { duration: numbers.duration + 1000, ..numbers.clone() },
            DocumentNumbers { proof: true, ..numbers.clone() },
        ];
        for better in better {
            let two = judge(&document(&better)).unwrap();
            prop_assert!(
                two["points"].as_f64() >= one["points"].as_f64(),
                "{better:?}: {} and then {}", one["points"], two["points"]
            );
        }
    }
}

/// A report and its decision. The status must not depend on the order of the steps.
#[derive(Debug, Clone)]
struct ReportStep {
    reporter: usize,
    quest: usize,
    decided: Option<bool>,
}

proptest! {
    #[test]
    fn the_status_follows_the_standing_reports_whatever_their_order(
        steps in prop::collection::vec((0..8_usize, 0..2_usize, prop::option::of(any::<bool>())), 1..16),
        shuffled in Just(()).prop_perturb(|(), mut rng| rng.random::<u64>()),
    ) {
        let mut seen = std::collections::BTreeSet::new();
        let steps: Vec<ReportStep> = steps.into_iter()
            .filter(|(reporter, quest, _)| seen.insert((*reporter, *quest)))
            .map(|(reporter, quest, decided)| ReportStep { reporter, quest, decided }).collect();
        let mut other = steps.clone();
        let mut dice = shuffled;
        for at in (1..other.len()).rev() {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            other.swap(at, usize::try_from(dice >> 33).unwrap() % (at + 1));
        }
        let (one, two) = (after(&steps), after(&other));
        prop_assert_eq!(one.hunter().unwrap().status, two.hunter().unwrap().status);
        let standing: std::collections::BTreeSet<usize> = steps.iter()
            .filter(|step| step.decided != Some(false)).map(|step| step.reporter).collect();
        let expected = match standing.len() { 0..=2 => "Normal", 3..=4 => "Flagged", _ => "Corrupted" };
        prop_assert_eq!(one.hunter().unwrap().status.as_str(), expected);
    }
}

fn after(steps: &[ReportStep]) -> QuestState {
    let mut stage = TestStream::default();
    stage.must(json!({ "RegisterHunter": { "hunter": "ada", "class": "Tank", "zone": "UTC" } }));
    for quest in ["q0", "q1"] {
        let plan = json!({ "estimated_duration_min": 30, "target_rpe": 7, "intensity": "Low",
                           "exercises": [{ "name": "Squats", "reps": 10 }] });
        stage.must(json!({ "AssignQuest": { "quest": quest, "quest_type": "Daily", "plan": plan } }));
        let log = json!({ "duration_seconds": 1800, "actual_rpe": 7, "condition": "Fresh",
                          "exercises": [{ "name": "Squats", "reps_done": 10 }] });
        stage.must(json!({ "SubmitLog": { "quest": quest, "log": log, "day": "2026-01-01" } }));
    }
    for ReportStep { reporter, quest, decided } in steps {
        let (reporter, quest) = (format!("r{reporter}"), format!("q{quest}"));
        stage.must(json!({ "ReceiveReport": { "reporter": reporter, "quest": quest, "reason": "spam", "weight": 1.0 } }));
        if let Some(confirmed) = decided {
            stage.must(
                json!({ "DecideReport": { "reporter": reporter, "quest": quest, "confirmed": confirmed } }),
            );
        }
    }
    stage.state
}

/// A hunter's stream without a clerk.
struct TestStream {
    book: Rulebook<QuestRules>,
    state: QuestState,
    position: u64,
}

impl Default for TestStream {
    fn default() -> Self {
        Self { book: book(), state: QuestState::default(), position: 0 }
    }
}

impl TestStream {
    fn must(&mut self, command: Value) {
        let command: QuestCommand = serde_json::from_value(command).unwrap();
        let actor = Actor::new(Role::Judge, "kim");
        let at = Moment::from_millis(1_767_225_600_000) + Millis(i64::try_from(self.position).unwrap());
        let context = CommandContext { at, actor: &actor, position: 0 };
        let Ruling::Decided(decisions) = Quest::decide(&self.book, &self.state, &command, context).unwrap()
        else {
            panic!("decided before");
        };
        for decision in decisions {
            self.position += 1;
            let event: QuestEvent = decision.event;
            Quest::evolve(&mut self.state, &event, RecordedAt { position: self.position, at });
        }
    }
}
