//! XP multipliers of a log: effort, class, safety, streak, status and proof, each with its derivation.

use assize_kernel::{Steps, round, step};

use super::judging::LogClaim;
use super::profile::Intensity;
use super::rules::{Category, QuestRules};
use super::verdict::{StatUpdates, XpMultipliers};
use super::work::{DoneWork, LoggedWork};

/// Base XP, bonus and multipliers of a log.
pub(super) struct WeighedLog {
    pub(super) base: f64,
    pub(super) volume_bonus: f64,
    pub(super) multipliers: XpMultipliers,
    /// The safety violations of the log.
    pub(super) dangers: Vec<String>,
}

pub(super) fn weigh(
    rules: &QuestRules,
    claim: &LogClaim<'_>,
    work: &LoggedWork<'_>,
    integrity: f64,
    steps: &mut Steps,
) -> WeighedLog {
    let base = base(rules, claim, steps);
    let volume_bonus = volume_bonus(rules, work, base, steps);
    let effort = effort(rules, claim, steps);
    let synergy = synergy(rules, claim, work, steps);
    let dangers = dangers(rules, claim, work);
    let safety = if dangers.is_empty() { 1.0 } else { rules.safety.factor };
    step!(
        steps,
        "safety",
        "factor when dangerous for the condition, else 1",
        {
            "condition": claim.log.condition.as_str(),
            "intensity": claim.plan.intensity.as_str(),
            "dangers": count(dangers.len()),
            "factor": rules.safety.factor,
        },
        safety
    );
    let multipliers = XpMultipliers {
        integrity,
        effort,
        synergy,
        safety,
        streak: streak(rules, claim, steps),
        hunter_status: hunter_status(rules, claim, steps),
        proof_bonus: proof_bonus(rules, claim, steps),
    };
    WeighedLog { base, volume_bonus, multipliers, dangers }
}

fn base(rules: &QuestRules, claim: &LogClaim<'_>, steps: &mut Steps) -> f64 {
    let minutes = claim.plan.estimated_duration_min;
    let each = rules.xp.per_minute;
    if claim.quest_type == super::profile::QuestType::Penalty {
        let share = rules.xp.penalty_share;
        let base = round(minutes * each * share, 6);
        step!(
            steps,
            "base_xp",
            "minutes × per_minute × penalty_share",
            { "minutes": minutes, "per_minute": each, "penalty_share": share },
            base
        );
        base
    } else {
        let base = round(minutes * each, 6);
        step!(steps, "base_xp", "minutes × per_minute", { "minutes": minutes, "per_minute": each }, base);
        base
    }
}

/// Used unrounded and shown to six decimals, so that flooring the final XP loses no whole point.
fn volume_bonus(rules: &QuestRules, work: &LoggedWork<'_>, base: f64, steps: &mut Steps) -> f64 {
    let volume = work.volume();
    let most = rules.xp.volume_most;
    let bonus = base * (volume - 1.0).clamp(0.0, most);
    let planned = count(work.planned.len());
    let shown = round(volume, 6);
    step!(
        steps,
        "volume",
        "mean over the planned exercises of done ÷ planned",
        { "planned": planned },
        shown
    );
    step!(
        steps,
        "volume_bonus",
        "base_xp × (volume − 1), from 0 to base_xp × most",
        { "base_xp": base, "volume": shown, "most": most },
        round(bonus, 6)
    );
    bonus
}

fn effort(rules: &QuestRules, claim: &LogClaim<'_>, steps: &mut Steps) -> f64 {
    let target = claim.plan.target_rpe;
    let actual = claim.log.actual_rpe;
    let delta = round(target - actual, 6);
    let row = rules.effort.iter().find(|row| row.up_to.is_none_or(|up_to| delta <= up_to));
    let multiplier = row.map_or(1.0, |row| row.multiplier);
    step!(
        steps,
        "effort",
        "by the table, for target_rpe − actual_rpe",
        { "target_rpe": target, "actual_rpe": actual },
        multiplier
    );
    multiplier
}

/// The class bonus: earned by the traits of the exercises or by the streak.
fn synergy(rules: &QuestRules, claim: &LogClaim<'_>, work: &LoggedWork<'_>, steps: &mut Steps) -> f64 {
    let class = claim.profile.class;
    let Some(asked) = rules.classes.get(&class) else { return 1.0 };
    let bonus = |earned: bool| if earned { asked.multiplier } else { 1.0 };
    if let Some(days) = asked.streak_days {
        let streak = claim.profile.streak_days;
        let value = bonus(streak >= days);
        step!(
            steps,
            "synergy",
            "the class's bonus from asked_days on, else 1",
            { "class": class.as_str(), "streak_days": streak, "asked_days": days },
            value
        );
        return value;
    }
    let carries = |done: &&DoneWork<'_>| {
        done.known().is_some_and(|known| known.traits.iter().any(|own| asked.traits.contains(own)))
    };
    let done = work.done.iter().filter(|done| done.is_done());
    let carrying = done.clone().filter(carries).count();
    let all = done.count();
    let value = bonus(carrying * 2 >= all);
    step!(
        steps,
        "synergy",
        "the class's bonus when carrying ≥ done ÷ 2, else 1",
        { "class": class.as_str(), "carrying": count(carrying), "done": count(all) },
        value
    );
    value
}

fn dangers(rules: &QuestRules, claim: &LogClaim<'_>, work: &LoggedWork<'_>) -> Vec<String> {
    let condition = claim.log.condition;
    let mut dangers = Vec::new();
    let hard = claim.plan.intensity == Intensity::High;
    if hard && rules.safety.no_high_intensity.contains(&condition) {
        dangers.push(format!("high intensity while {}", condition.as_str().to_lowercase()));
    }
    let forbidden = rules.safety.forbidden.get(&condition).map_or(&[][..], Vec::as_slice);
    let forbidden: Vec<_> = forbidden.iter().filter_map(|name| rules.exercises.find(name)).collect();
    for done in work.done.iter().filter(|done| done.is_done()) {
        if done.known().is_some_and(|known| forbidden.iter().any(|other| other.name == known.name)) {
            dangers.push(format!("{} while {}", done.name, condition.as_str().to_lowercase()));
        }
    }
    dangers
}

fn streak(rules: &QuestRules, claim: &LogClaim<'_>, steps: &mut Steps) -> f64 {
    let days = claim.profile.streak_days;
    let step = rules.xp.streak_step;
    let most = rules.xp.streak_most;
    let value = round(1.0 + (f64::from(days) * step).min(most), 6);
    step!(
        steps,
        "streak",
        "1 + min(days × step, most)",
        { "days": days, "step": step, "most": most },
        value
    );
    value
}

fn hunter_status(rules: &QuestRules, claim: &LogClaim<'_>, steps: &mut Steps) -> f64 {
    let status = claim.profile.hunter_status;
    let value = rules.hunter_status.get(&status).copied().unwrap_or(1.0);
    step!(steps, "hunter_status", "by the table, for status", { "status": status.as_str() }, value);
    value
}

fn proof_bonus(rules: &QuestRules, claim: &LogClaim<'_>, steps: &mut Steps) -> f64 {
    let kind = claim.proof().map_or("none", |proof| proof.kind.as_str());
    let value = if kind == "none" { 1.0 } else { rules.xp.proof };
    step!(
        steps,
        "proof_bonus",
        "bonus with proof, else 1",
        { "proof": kind, "bonus": rules.xp.proof },
        value
    );
    value
}

/// Strength, agility and stamina, each by its share of the exercises done.
pub(super) fn stats(
    rules: &QuestRules,
    work: &LoggedWork<'_>,
    integrity: f64,
    steps: &mut Steps,
) -> StatUpdates {
    let done = work.done.iter().filter(|done| done.is_done());
    let most = rules.xp.stat_most;
    let all = count(done.clone().count());
    let of = |category: Category| {
        let known = |done: &&DoneWork<'_>| done.known().is_some_and(|known| known.category == category);
        let share = count(done.clone().filter(known).count());
        (share, round(most * (f64::from(share) / f64::from(all)) * integrity, 1))
    };
    macro_rules! add {
        ($name:literal, $category:expr) => {{
            let (share, value) = of($category);
            step!(
                steps,
                $name,
                "most × of its category ÷ done × integrity, to 1 decimal",
                { "most": most, "of its category": share, "done": all, "integrity": integrity },
                value
            );
            value
        }};
    }
    StatUpdates {
        strength_add: add!("strength_add", Category::Strength),
        agility_add: add!("agility_add", Category::Agility),
        stamina_add: add!("stamina_add", Category::Stamina),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
