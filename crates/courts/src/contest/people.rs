//! A person as the assessor: what a judge has said of an answer, and the verdict that follows from it.

use std::borrow::Cow;

use assize_kernel::{Assessor, Decision, Millis, Reason, Rulebook, Severity, SmolStr, Term, round};
use serde::{Deserialize, Serialize};

use super::answer::{self, Answer};
use super::fingerprint::Fingerprint;
use super::judging::{Circumstances, Judgement, Measure, Scored, conclude};
use super::messages::{ContestEvent, Outcome};
use super::reasons;
use super::rules::{ContestRules, DistanceRules, PartialRules, ScoreRules, Scoring};
use super::state::{Round, Task};
use super::submission::SubmittedAnswer;
use super::task::TaskSpec;
use super::timed::{score_terms, time_factor};

/// What a judge has said of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// How right it is.
    pub outcome: Outcome,
    /// Who says so, as `role:name`.
    pub by: String,
    /// Why; the team reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The number of the answer; none when it did not have to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<u64>,
    /// The number of the equal answer of which it was said; none when it was said of this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like: Option<u64>,
}

/// An answer to a task that people judge.
pub(super) struct Received<'a> {
    pub(super) name: &'a SmolStr,
    pub(super) task: &'a Task,
    pub(super) round: &'a Round,
    pub(super) team: &'a SmolStr,
    pub(super) answers: &'a [SubmittedAnswer],
    pub(super) elapsed: Millis,
}

/// What follows from a judge's word; none when the answer cannot be read by this rulebook.
pub(super) fn judged(
    book: &Rulebook<ContestRules>,
    received: &Received<'_>,
    decided: Decided,
) -> Option<Decision<ContestEvent>> {
    let Received { name, task, round, team, answers, elapsed } = *received;
    let matching = book.rules.matching;
    let read = answer::read(matching, task.spec.task_type, answers).ok()?;
    let wrong_before = round.attempts.get(team).map_or(0, |attempts| attempts.wrong);
    let at = Circumstances { elapsed, limit: round.time_limit, wrong_before };
    let judgement = judge(book, &task.spec, &read, at, &decided);
    let event = ContestEvent::AnswerJudged {
        task: name.clone(),
        round: round.number,
        team: team.clone(),
        answers: answers.to_vec(),
        fingerprint: Fingerprint::of(matching, &read),
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
    answer: &Answer,
    at: Circumstances,
    decided: &Decided,
) -> Judgement {
    let scored = match book.rules.scoring() {
        Scoring::Timed(score, partial) => decided.timed((score, partial), answer, at),
        Scoring::Near(distance) => decided.near(distance, answer),
    };
    let assessor = Assessor { name: Cow::Owned(decided.by.clone()), version: "1".into() };
    conclude(book, task, scored, at, assessor)
}

impl Decided {
    /// Time and attempts count as for any other answer.
    fn timed(
        &self,
        (score, partial): (&ScoreRules, &PartialRules),
        answer: &Answer,
        at: Circumstances,
    ) -> Scored {
        let outcome = self.outcome;
        let mut reasons = vec![self.reason(answer)];
        let correctness = match outcome {
            Outcome::Full => 1.0,
            Outcome::Partial => partial.factor,
            Outcome::Incorrect | Outcome::Undecided => 0.0,
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
        let completes = outcome == Outcome::Full || (outcome == Outcome::Partial && partial.completes);
        let measure = Measure::Word(Some(round(time_factor(at), 3)));
        Scored { outcome, points, completes, reasons, derivation, matched: (0, 0), measure }
    }

    /// There is nothing to be near to: a right answer earns the maximum.
    fn near(&self, rules: &DistanceRules, answer: &Answer) -> Scored {
        let points = if self.outcome == Outcome::Full { rules.maximum } else { 0.0 };
        let inputs = [("outcome", self.outcome.as_str().into()), ("maximum", rules.maximum.into())];
        let formula = "by a judge: maximum when full, else 0";
        Scored {
            outcome: self.outcome,
            points,
            completes: false,
            reasons: vec![self.reason(answer)],
            derivation: vec![Term::new("score", formula, inputs, points)],
            matched: (0, 0),
            measure: Measure::Word(None),
        }
    }

    fn reason(&self, answer: &Answer) -> Reason {
        let (code, severity, message) = match self.outcome {
            Outcome::Full => ("contest.judge.right", Severity::Info, "a judge found it right"),
            Outcome::Partial => {
                ("contest.judge.partly_right", Severity::Major, "a judge found it partly right")
            }
            Outcome::Incorrect => ("contest.judge.wrong", Severity::Critical, "a judge found it wrong"),
            Outcome::Undecided => {
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
