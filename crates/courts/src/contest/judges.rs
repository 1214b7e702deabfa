//! Judge commands on the queue: take the next answer, renew the lease, give an answer back, decide it.

use std::collections::BTreeSet;

use assize_kernel::{CommandContext, Decision, Moment, RecordedAt, Rulebook, Ruling, SmolStr};

use super::deciding::{ContestRuling, fact, hidden_if_frozen};
use super::fingerprint::AnswerFingerprint;
use super::messages::{AnswerOutcome, ContestEvent};
use super::people::{JudgeDecision, ReceivedAnswer, judged};
use super::queue::{QueuedAnswer, next, queue};
use super::refusals::ContestRefusal;
use super::rules::{ContestRules, ScoringMode};
use super::state::{ContestState, ContestTask, evolve};

use super::task::TaskType;

/// The maximum length of a note, in characters.
const LONGEST_NOTE: usize = 1000;

pub(super) fn take(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    context: CommandContext<'_>,
) -> ContestRuling {
    let by = context.actor.to_string();
    let queued = next(state, &by, context.at).ok_or(ContestRefusal::QueueEmpty)?;
    hold(book, &queued, by, context.at)
}

pub(super) fn renew(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    answer: u64,
    context: CommandContext<'_>,
) -> ContestRuling {
    let by = context.actor.to_string();
    hold(book, &held(state, answer, &by)?, by, context.at)
}

pub(super) fn give_back(state: &ContestState, answer: u64, context: CommandContext<'_>) -> ContestRuling {
    let queued = held(state, answer, &context.actor.to_string())?;
    fact(ContestEvent::AnswerGivenBack { task: queued.name.clone(), round: queued.round.number, answer })
}

/// Decides an answer, then every waiting answer that depended on it: equal ones and later ones of the same
/// teams.
pub(super) fn decide(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    answer: u64,
    outcome: AnswerOutcome,
    note: Option<String>,
    context: CommandContext<'_>,
) -> ContestRuling {
    let by = context.actor.to_string();
    let queued = held(state, answer, &by)?;
    let note = checked_note(outcome, note)?;
    let partly =
        queued.task.spec.task_type == TaskType::Tr && matches!(book.rules.scoring(), ScoringMode::Timed(..));
    if outcome == AnswerOutcome::Partial && !partly {
        let problem =
            "only an answer to a TR task can be partly right, and not where being near earns points";
        return Err(ContestRefusal::JudgementInvalid(problem.to_owned()));
    }
    let decided = JudgeDecision { outcome, by, note, answer: Some(answer), like: None };
    let mut cascade = VerdictCascade { book, state: state.clone(), decisions: Vec::new(), at: context.at };
    cascade.judge(answer, decided);
    cascade.follow(queued.name);
    Ok(Ruling::Decided(cascade.decisions))
}

/// Receives an answer to a task that people judge: queues it, unless an equal answer was decided and the team
/// has no answer waiting.
pub(super) fn receive(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    received: &ReceivedAnswer<'_>,
    fingerprint: AnswerFingerprint,
) -> ContestRuling {
    let ReceivedAnswer { name, task, round, team, answers, elapsed } = *received;
    let remembered = task.remembered.get(&fingerprint).filter(|_| !round.waits(team));
    let decision = remembered.and_then(|remembered| judged(book, received, remembered.word(None)));
    match decision {
        Some(decision) => Ok(hidden_if_frozen(decision, state).into()),
        None => fact(ContestEvent::AnswerReceived {
            answer: state.received + 1,
            task: name.clone(),
            round: round.number,
            team: team.clone(),
            answers: answers.to_vec(),
            fingerprint,
            elapsed_ms: elapsed.0,
        }),
    }
}

/// Applies a sequence of verdicts to a copy of the state, so that each one sees those before it.
struct VerdictCascade<'a> {
    book: &'a Rulebook<ContestRules>,
    state: ContestState,
    decisions: Vec<Decision<ContestEvent>>,
    at: Moment,
}

impl VerdictCascade<'_> {
    fn judge(&mut self, answer: u64, decided: JudgeDecision) {
        let queued = queue(&self.state).into_iter().find(|queued| queued.answer == answer);
        let decision = queued.and_then(|queued| judged(self.book, &queued.received(), decided));
        if let Some(decision) = decision {
            let decision = hidden_if_frozen(decision, &self.state);
            self.record(decision);
        }
    }

    /// Goes through the waiting answers of a task in the order of receipt and judges those whose outcome is
    /// now known; an undecided answer blocks the later ones of its team.
    fn follow(&mut self, name: &SmolStr) {
        let waiting: Vec<(u64, SmolStr, AnswerFingerprint)> = queue(&self.state)
            .iter()
            .filter(|queued| queued.name == name)
            .map(|queued| (queued.answer, queued.waiting.team.clone(), queued.waiting.fingerprint))
            .collect();
        let mut held_up = BTreeSet::new();
        for (answer, team, fingerprint) in waiting {
            if held_up.contains(&team) {
                continue;
            }
            let Some(task) = self.state.tasks.get(name) else { return };
            let round = task.round.as_ref();
            let attempts = round.and_then(|round| round.attempts.get(&team));
            if attempts.is_some_and(|attempts| attempts.completed_at.is_some()) {
                let round = round.map_or(0, |round| round.number);
                let event = ContestEvent::AnswerSetAside { task: name.clone(), round, team, answer };
                self.record(Decision::fact(event));
            } else if let Some(remembered) = task.remembered.get(&fingerprint) {
                let decided = remembered.word(Some(answer));
                self.judge(answer, decided);
            } else {
                held_up.insert(team);
            }
        }
    }

    fn record(&mut self, decision: Decision<ContestEvent>) {
        // Nothing in this batch depends on the position.
        evolve(&mut self.state, &decision.event, RecordedAt { position: 0, at: self.at });
        self.decisions.push(decision);
    }
}

impl ContestTask {
    /// The current decision on an answer: one taken over from an equal answer follows that answer's latest
    /// decision.
    pub(super) fn word_again(&self, fingerprint: AnswerFingerprint, said: &JudgeDecision) -> JudgeDecision {
        let remembered = said.like.and_then(|_| self.remembered.get(&fingerprint));
        remembered.map_or_else(|| said.clone(), |remembered| remembered.word(said.answer))
    }
}

impl super::queue::RememberedDecision {
    /// The same decision, applied to another answer.
    fn word(&self, answer: Option<u64>) -> JudgeDecision {
        let Self { outcome, by, note, answer: like } = self.clone();
        JudgeDecision { outcome, by, note, answer, like: Some(like) }
    }
}

impl<'a> QueuedAnswer<'a> {
    fn received(&self) -> ReceivedAnswer<'a> {
        let Self { name, task, round, waiting, .. } = *self;
        ReceivedAnswer {
            name,
            task,
            round,
            team: &waiting.team,
            answers: &waiting.answers,
            elapsed: waiting.elapsed,
        }
    }
}

fn hold(book: &Rulebook<ContestRules>, queued: &QueuedAnswer<'_>, by: String, at: Moment) -> ContestRuling {
    fact(ContestEvent::AnswerTaken {
        task: queued.name.clone(),
        round: queued.round.number,
        answer: queued.answer,
        by,
        until: at + book.rules.judging.lease(),
    })
}

/// A waiting answer whose latest lease belongs to this judge.
fn held<'a>(state: &'a ContestState, answer: u64, by: &str) -> Result<QueuedAnswer<'a>, ContestRefusal> {
    let Some(queued) = queue(state).into_iter().find(|queued| queued.answer == answer) else {
        let settled = state.fate(answer).is_some_and(|fate| fate.settled.is_some());
        return Err(match settled {
            true => ContestRefusal::AnswerDecided(answer),
            false => ContestRefusal::AnswerUnknown(answer),
        });
    };
    match &queued.waiting.lease {
        Some(lease) if lease.by == by => Ok(queued),
        _ => Err(ContestRefusal::AnswerNotHeld(answer)),
    }
}

fn checked_note(outcome: AnswerOutcome, note: Option<String>) -> Result<Option<String>, ContestRefusal> {
    let note = note.map(|note| note.trim().to_owned()).filter(|note| !note.is_empty());
    let wrong = |problem: String| Err(ContestRefusal::JudgementInvalid(problem));
    match &note {
        None if outcome == AnswerOutcome::Undecided => {
            wrong("say in `note` why it cannot be decided".to_owned())
        }
        Some(long) if long.chars().count() > LONGEST_NOTE => {
            wrong(format!("`note` must be at most {LONGEST_NOTE} characters"))
        }
        _ => Ok(note),
    }
}
