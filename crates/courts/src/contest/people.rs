//! Human judges as assessors: a judge's decision on an answer and the verdict that follows from it.

use std::borrow::Cow;

use assize_kernel::{Assessor, Decision, Millis, Reason, Rulebook, Severity, SmolStr, Term, round};
use serde::{Deserialize, Serialize};

use super::answer::{self, ParsedAnswer};
use super::fingerprint::AnswerFingerprint;
use super::judging::{AttemptContext, ContestJudgement, ScoreMeasure, ScoredAnswer, conclude};
use super::messages::{AnswerOutcome, ContestEvent};
use super::reasons;
use super::rules::{ContestRules, DistanceRules, PartialRules, ScoreRules, ScoringMode};
use super::state::{ContestTask, TaskRound};
use super::submission::SubmittedAnswer;
use super::task::TaskSpec;
use super::timed::{score_terms, time_factor};

/// A judge's decision on an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeDecision {
    /// The outcome.
    pub outcome: AnswerOutcome,
    /// The judge, as `role:name`.
    pub by: String,
    /// The judge's note to the team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The number of the answer; `None` if it did not have to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<u64>,
    /// The number of the equal answer that was decided; `None` if this answer was decided itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like: Option<u64>,
}

/// An answer to a task that people judge.
pub(super) struct ReceivedAnswer<'a> {
    pub(super) name: &'a SmolStr,
    pub(super) task: &'a ContestTask,
    pub(super) round: &'a TaskRound,
    pub(super) team: &'a SmolStr,
    pub(super) answers: &'a [SubmittedAnswer],
    pub(super) elapsed: Millis,
}

/// Judges an answer by a judge's decision; `None` if the answer does not parse under this rulebook.
pub(super) fn judged(
    book: &Rulebook<ContestRules>,
    received: &ReceivedAnswer<'_>,
    decided: JudgeDecision,
) -> Option<Decision<ContestEvent>> {
    let ReceivedAnswer { name, task, round, team, answers, elapsed } = *received;
    let matching = book.rules.matching;
    let read = answer::read(matching, task.spec.task_type, answers).ok()?;
    let wrong_before = round.attempts.get(team).map_or(0, |attempts| attempts.wrong);
    let at = AttemptContext { elapsed, limit: round.time_limit, wrong_before };
    let judgement = judge(book, &task.spec, &read, at, &decided);
    let event = ContestEvent::AnswerJudged {
        task: name.clone(),
        round: round.number,
        team: team.clone(),
        answers: answers.to_vec(),
        fingerprint: AnswerFingerprint::of(matching, &read),
        elapsed_ms: elapsed.0,
        wrong_before,
        outcome: judgement.outcome,
        points: judgement.points,
        completes: judgement.completes,
        frozen: false,
        decided: Some(Box::new(decided)),
    };
    Some(Decision::judged(event, &judgement.verdict))
}

fn judge(
    book: &Rulebook<ContestRules>,
    task: &TaskSpec,
    answer: &ParsedAnswer,
    at: AttemptContext,
    decided: &JudgeDecision,
) -> ContestJudgement {
    let scored = match book.rules.scoring() {
        ScoringMode::Timed(score, partial) => decided.timed(score, partial, answer, at),
        ScoringMode::Near(distance) => decided.near(distance, answer),
    };
    let assessor = Assessor { name: Cow::Owned(decided.by.clone()), version: "1".into() };
    conclude(book, task, scored, at, assessor)
}

impl JudgeDecision {
    /// Timed scoring: time and attempts count as for any other answer.
    fn timed(
        &self,
        score: &ScoreRules,
        partial: &PartialRules,
        answer: &ParsedAnswer,
        at: AttemptContext,
    ) -> ScoredAnswer {
        let outcome = self.outcome;
        let mut reasons = vec![self.reason(answer)];
        let correctness = match outcome {
            AnswerOutcome::Full => 1.0,
            AnswerOutcome::Partial => partial.factor,
            AnswerOutcome::Incorrect | AnswerOutcome::Undecided => 0.0,
        };
        let formula = "by a judge: 1 when full, factor when partial, else 0";
        let inputs = [("outcome", outcome.as_str().into()), ("factor", partial.factor.into())];
        let mut derivation = vec![Term::new("correctness", formula, inputs, correctness)];
        let mut points = 0.0;
        if outcome.is_right() {
            reasons.extend(reasons::circumstances(score, at));
            let (terms, scored) = score_terms(score, at, correctness);
            derivation.extend(terms);
            points = scored;
        } else {
            derivation.push(Term::new(
                "score",
                "0 when correctness is 0",
                [("correctness", 0.0.into())],
                0.0,
            ));
        }
        let completes =
            outcome == AnswerOutcome::Full || (outcome == AnswerOutcome::Partial && partial.completes);
        let measure = ScoreMeasure::Word(Some(round(time_factor(at), 3)));
        ScoredAnswer { outcome, points, completes, reasons, derivation, matched: (0, 0), measure }
    }

    /// Distance scoring without a ground truth: a right answer earns the maximum.
    fn near(&self, rules: &DistanceRules, answer: &ParsedAnswer) -> ScoredAnswer {
        let points = if self.outcome == AnswerOutcome::Full { rules.maximum } else { 0.0 };
        let inputs = [("outcome", self.outcome.as_str().into()), ("maximum", rules.maximum.into())];
        let formula = "by a judge: maximum when full, else 0";
        ScoredAnswer {
            outcome: self.outcome,
            points,
            completes: false,
            reasons: vec![self.reason(answer)],
            derivation: vec![Term::new("score", formula, inputs, points)],
            matched: (0, 0),
            measure: ScoreMeasure::Word(None),
        }
    }

    fn reason(&self, answer: &ParsedAnswer) -> Reason {
        let (code, severity, message) = match self.outcome {
            AnswerOutcome::Full => ("contest.judge.right", Severity::Info, "a judge found it right"),
            AnswerOutcome::Partial => {
                ("contest.judge.partly_right", Severity::Major, "a judge found it partly right")
            }
            AnswerOutcome::Incorrect => ("contest.judge.wrong", Severity::Critical, "a judge found it wrong"),
            AnswerOutcome::Undecided => {
                ("contest.judge.undecided", Severity::Critical, "nobody could decide it; it costs nothing")
            }
        };
        let reason = Reason::new(code, severity, message).showing("answer", answer.words());
        match &self.note {
            Some(note) => reason.showing("judge", note.clone()),
            None => reason,
        }
    }
}
