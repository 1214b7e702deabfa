//! Assignment and expiry of quests, and a hunter's custom exercises.

use assize_kernel::{Millis, Moment, SmolStr, check_name};

use super::{HunterContext, QuestRuling, fact, known_exercise};
use crate::quest::events::QuestEvent;
use crate::quest::log::Plan;
use crate::quest::profile::QuestType;
use crate::quest::refusals::QuestRefusal;
use crate::quest::rules::Exercise;
use crate::quest::work::{check_name as check_exercise_name, read_plan};

/// The maximum number of custom exercises of a hunter.
const MOST_OWN: usize = 200;
/// The maximum number of open quests of a hunter.
const MOST_OPEN: usize = 100;

impl HunterContext<'_> {
    pub(super) fn assign_quest(
        self,
        quest: &SmolStr,
        quest_type: QuestType,
        plan: &Plan,
        expires_at: Option<Moment>,
    ) -> QuestRuling {
        if quest_type == QuestType::RankUp {
            return Err(QuestRefusal::RankUpGiven);
        }
        self.must_be_new(quest)?;
        read_plan(&self.book.rules, &self.hunter.own, plan)?;
        if self.hunter.open.len() >= MOST_OPEN {
            let message = format!("{MOST_OPEN} quests are open; one of them must be done first");
            return Err(QuestRefusal::NameInvalid(message));
        }
        let now = self.context.at;
        let usual = now + Millis::from_seconds(self.book.rules.times.quest_hours * 3600.0);
        let expires_at = expires_at.unwrap_or(usual);
        if expires_at <= now {
            return Err(QuestRefusal::ExpiryPast);
        }
        let (hunter, quest, plan) = (self.hunter.id.clone(), quest.clone(), plan.clone());
        fact(QuestEvent::QuestAssigned { hunter, quest, quest_type, plan, expires_at })
    }

    pub(super) fn must_be_new(&self, quest: &SmolStr) -> Result<(), QuestRefusal> {
        check_name(quest)?;
        let hunter = self.hunter;
        let known = hunter.open.contains_key(quest)
            || hunter.logs.contains_key(quest)
            || hunter.expired.contains_key(quest);
        if known { Err(QuestRefusal::QuestExists(quest.clone())) } else { Ok(()) }
    }

    pub(super) fn expire_quest(self, quest: &SmolStr) -> QuestRuling {
        let open = self.hunter.open.get(quest).ok_or_else(|| QuestRefusal::QuestUnknown(quest.clone()))?;
        if open.expires_at > self.context.at {
            return Err(QuestRefusal::ExpiryPast);
        }
        let exam = open.quest_type == QuestType::RankUp;
        fact(QuestEvent::QuestExpired { hunter: self.hunter.id.clone(), quest: quest.clone(), exam })
    }

    /// Adds a custom exercise. Its names must be new: a hunter cannot redefine an exercise of the rulebook.
    pub(super) fn add_exercise(self, exercise: &Exercise) -> QuestRuling {
        check_exercise_name(&exercise.name).map_err(QuestRefusal::ExerciseInvalid)?;
        let taken = exercise.names().find(|name| known_exercise(&self.book.rules, &self.hunter.own, name));
        if let Some(taken) = taken {
            return Err(QuestRefusal::ExerciseExists(taken.into()));
        }
        let Exercise { tempo_seconds, least_seconds_per_rep, least_seconds_per_km, .. } = exercise;
        let times = [*tempo_seconds, *least_seconds_per_rep, *least_seconds_per_km];
        if times.into_iter().flatten().any(|time| !(time > 0.0 && time <= 86_400.0)) {
            return Err(QuestRefusal::ExerciseInvalid("times must be above 0 and at most a day".into()));
        }
        if self.hunter.own.len() >= MOST_OWN {
            return Err(QuestRefusal::ExerciseInvalid(format!("{MOST_OWN} of one's own are enough")));
        }
        fact(QuestEvent::ExerciseAdded { exercise: exercise.clone() })
    }
}
