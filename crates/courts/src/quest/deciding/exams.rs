//! Exams: accepted, submitted like any quest, then granted by the clock or by a judge.

use assize_kernel::{Assessor, Decision, Digest, Millis, Reason, Rulebook, Severity, SmolStr, Verdict};

use super::{HunterContext, QuestRuling, fact};
use crate::quest::events::QuestEvent;
use crate::quest::log::{Plan, PlannedExercise};
use crate::quest::refusals::QuestRefusal;
use crate::quest::rules::{ExamRules, QuestRules, RequiredExercise};
use crate::quest::state::{ExamAttempt, Hunter};
use crate::quest::verdict::RankUpExamResult;

impl HunterContext<'_> {
    pub(super) fn accept_exam(self, quest: &SmolStr, draw: u32) -> QuestRuling {
        let hunter = self.hunter;
        let rules = &self.book.rules;
        if let Some(exam) = &hunter.exam {
            return Err(QuestRefusal::ExamUnderWay(exam.to_rank));
        }
        let offered = rules.exams.iter().find(|exam| exam.from_rank == hunter.rank);
        let exam = offered.ok_or_else(|| QuestRefusal::ExamNotOffered("there is no rank above S".into()))?;
        if hunter.level < exam.level {
            let rank = exam.to_rank.as_str();
            let least = exam.level;
            let level = hunter.level;
            let message =
                format!("the exam for rank {rank} is offered from level {least} on; this is level {level}");
            return Err(QuestRefusal::ExamNotOffered(message));
        }
        self.must_be_new(quest)?;
        let signs = &rules.hand_signs;
        let drawn = usize::try_from(draw).unwrap_or_default().checked_rem(signs.len());
        let drawn_sign = drawn.and_then(|drawn| signs.get(drawn)).cloned().unwrap_or_default();
        fact(QuestEvent::ExamAccepted {
            hunter: hunter.id.clone(),
            quest: quest.clone(),
            to_rank: exam.to_rank,
            exam_type: exam.exam_type,
            plan: plan(exam),
            hand_sign: exam.hand_sign.clone(),
            drawn_sign,
            due: self.context.at + Millis::from_seconds(exam.time_limit_hours * 3600.0),
        })
    }

    /// Grants an exam when its review period is over. Sent by the clock.
    pub(super) fn grant_exam(self, quest: &SmolStr) -> QuestRuling {
        let ready = self.hunter.exam_to_grant();
        let ready = ready.filter(|(exam, at)| exam.quest == *quest && *at <= self.context.at);
        let (exam, _) = ready.ok_or(QuestRefusal::NoExamWaiting)?;
        Ok(granted(self.book, self.hunter, exam, None).into())
    }

    /// An exam that was submitted and is neither granted nor refused.
    pub(super) fn waiting_exam(&self, quest: &SmolStr) -> Result<&ExamAttempt, QuestRefusal> {
        let waiting = self.hunter.exam.as_ref().filter(|exam| exam.pending.is_some() && exam.quest == *quest);
        waiting.ok_or(QuestRefusal::NoExamWaiting)
    }

    pub(super) fn decide_exam(self, quest: &SmolStr, grant: bool, note: Option<Digest>) -> QuestRuling {
        self.must_not_be(&[])?;
        let exam = self.waiting_exam(quest)?;
        let decision = if grant {
            granted(self.book, self.hunter, exam, Some(note))
        } else {
            refused(self.book, self.hunter, exam, note)
        };
        Ok(decision.into())
    }
}

/// Judges a recorded exam decision again.
pub(super) fn again(
    book: &Rulebook<QuestRules>,
    hunter: &Hunter,
    event: &QuestEvent,
) -> Option<Decision<QuestEvent>> {
    let exam = hunter.exam.as_ref()?;
    match event {
        QuestEvent::ExamGranted { by_judge, note, .. } => {
            Some(granted(book, hunter, exam, by_judge.then_some(*note)))
        }
        QuestEvent::ExamRefused { note, .. } => Some(refused(book, hunter, exam, *note)),
        _ => None,
    }
}

/// `judge` is the optional note of a judge, or `None` when the clock grants the exam.
fn granted(
    book: &Rulebook<QuestRules>,
    hunter: &Hunter,
    exam: &ExamAttempt,
    judge: Option<Option<Digest>>,
) -> Decision<QuestEvent> {
    let xp = hunter.logs.get(&exam.quest).map_or(0, |entry| entry.xp);
    let level = book.rules.level(hunter.xp.saturating_add(xp));
    let next = book.rules.exams.iter().find(|next| next.from_rank == exam.to_rank);
    let event = QuestEvent::ExamGranted {
        hunter: hunter.id.clone(),
        quest: exam.quest.clone(),
        from_rank: hunter.rank,
        rank: exam.to_rank,
        xp,
        level,
        offers: next.filter(|next| next.level <= level).map(|next| next.to_rank),
        by_judge: judge.is_some(),
        note: judge.flatten(),
    };
    let who = if judge.is_some() { "judge" } else { "clock" };
    let reason = book.rules.messages.exam.granted.as_str();
    let result = RankUpExamResult { passed: true, reason, new_rank: Some(exam.to_rank) };
    #[allow(clippy::cast_precision_loss, reason = "XP of one log is small")]
    let points = xp as f64;
    let verdict = verdict(book, who, "granted", points, "quest.exam.granted", Severity::Info, result);
    Decision::judged(event, &verdict)
}

fn refused(
    book: &Rulebook<QuestRules>,
    hunter: &Hunter,
    exam: &ExamAttempt,
    note: Option<Digest>,
) -> Decision<QuestEvent> {
    let event = QuestEvent::ExamRefused {
        hunter: hunter.id.clone(),
        quest: exam.quest.clone(),
        to_rank: exam.to_rank,
        note,
    };
    let reason = book.rules.messages.exam.refused.as_str();
    let result = RankUpExamResult { passed: false, reason, new_rank: None };
    let verdict = verdict(book, "judge", "failed", 0.0, "quest.exam.refused", Severity::Critical, result);
    Decision::judged(event, &verdict)
}

fn verdict<'a>(
    book: &Rulebook<QuestRules>,
    who: &'static str,
    outcome: &'static str,
    points: f64,
    code: &'static str,
    severity: Severity,
    result: RankUpExamResult<'a>,
) -> Verdict<RankUpExamResult<'a>> {
    Verdict {
        court: "quest".into(),
        rulebook: book.reference.clone(),
        assessor: Assessor { name: who.into(), version: "1".into() },
        outcome: outcome.into(),
        points,
        reasons: vec![Reason::new(code, severity, result.reason)],
        derivation: Vec::new(),
        detail: result,
    }
}

/// The plan of an exam, from its required exercises.
fn plan(exam: &ExamRules) -> Plan {
    let planned = |required: &RequiredExercise| PlannedExercise {
        name: required.name.clone(),
        sets: None,
        reps: Some(required.reps.clone()),
        seconds: None,
        distance_m: None,
        load_kg: None,
        rest_seconds: None,
    };
    Plan {
        estimated_duration_min: exam.estimated_duration_min,
        target_rpe: exam.target_rpe,
        intensity: exam.intensity,
        exercises: exam.required_exercises.iter().map(planned).collect(),
    }
}
