//! The judging queue: the order in which waiting answers are offered, their leases, and decisions on equal
//! answers.

use std::collections::BTreeSet;

use assize_kernel::{Millis, Moment, RecordedAt, SmolStr};
use serde::{Deserialize, Serialize};

use super::fingerprint::AnswerFingerprint;
use super::messages::{AnswerOutcome, ContestEvent};
use super::people::JudgeDecision;
use super::recent::RecentAnswers;
use super::state::{ContestState, ContestTask, TaskRound, current};
use super::submission::SubmittedAnswer;

/// An answer that waits for a judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WaitingAnswer {
    /// The position of the record in which it was received.
    pub position: u64,
    /// The team.
    pub team: SmolStr,
    /// The answers as submitted.
    pub answers: Vec<SubmittedAnswer>,
    /// The moment of receipt.
    pub at: Moment,
    /// Time from the start of the round to the receipt.
    pub elapsed: Millis,
    /// The current lease.
    pub lease: Option<AnswerLease>,
    pub(super) fingerprint: AnswerFingerprint,
}

/// A judge's temporary exclusive claim on an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerLease {
    /// The judge, as `role:name`.
    pub by: String,
    /// The expiry; after it the judge keeps the answer until another judge takes it.
    pub until: Moment,
}

/// The records of receipt and settlement of an answer that had to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerRecords {
    /// The position of the record in which it was received.
    pub received: u64,
    /// The position of the record in which it was judged or set aside; `None` while it waits, or if its round
    /// was replaced before that.
    pub settled: Option<u64>,
}

/// A judge's decision on an answer, kept for equal answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RememberedDecision {
    pub(super) outcome: AnswerOutcome,
    pub(super) by: String,
    pub(super) note: Option<String>,
    /// The number of the decided answer.
    pub(super) answer: u64,
}

/// A waiting answer with its task and round.
#[derive(Clone, Copy)]
pub(super) struct QueuedAnswer<'a> {
    /// The number of the answer.
    pub(super) answer: u64,
    pub(super) name: &'a SmolStr,
    pub(super) task: &'a ContestTask,
    pub(super) round: &'a TaskRound,
    pub(super) waiting: &'a WaitingAnswer,
}

impl AnswerLease {
    /// Whether the lease has not expired.
    #[must_use]
    pub fn is_good(&self, now: Moment) -> bool {
        now <= self.until
    }
}

impl WaitingAnswer {
    /// The lease, unless it has expired.
    pub(super) fn holder(&self, now: Moment) -> Option<&AnswerLease> {
        self.lease.as_ref().filter(|lease| lease.is_good(now))
    }
}

impl TaskRound {
    /// Whether an answer of the team is waiting.
    pub(super) fn waits(&self, team: &str) -> bool {
        self.waiting.values().any(|waiting| waiting.team == team)
    }

    /// The position of the team's waiting answer with the same fingerprint.
    pub(super) fn waiting_equal(&self, team: &str, fingerprint: AnswerFingerprint) -> Option<u64> {
        let equal = |waiting: &WaitingAnswer| waiting.fingerprint == fingerprint && waiting.team == team;
        self.waiting.values().find(|waiting| equal(waiting)).map(|waiting| waiting.position)
    }
}

/// All waiting answers, in the order of receipt.
pub(super) fn queue<'a>(state: &'a ContestState) -> Vec<QueuedAnswer<'a>> {
    let rounds = state.tasks.iter().filter_map(|(name, task)| Some((name, task, task.round.as_ref()?)));
    let waiting = rounds.flat_map(|(name, task, round)| {
        let queued = move |(answer, waiting): (&u64, &'a WaitingAnswer)| QueuedAnswer {
            answer: *answer,
            name,
            task,
            round,
            waiting,
        };
        round.waiting.iter().map(queued)
    });
    let mut queue: Vec<_> = waiting.collect();
    queue.sort_by_key(|queued| queued.answer);
    queue
}

/// The answer to offer a judge: the one that they hold, or the first without a lease. Only the first answer
/// of a team to a task is offered, so that each is judged knowing how many wrong attempts came before it;
/// equal answers of several teams are offered to one judge at a time.
pub(super) fn next<'a>(state: &'a ContestState, judge: &str, now: Moment) -> Option<QueuedAnswer<'a>> {
    let queue = queue(state);
    let holder = |queued: &QueuedAnswer<'a>| queued.waiting.holder(now).map(|lease| lease.by.as_str());
    if let Some(held) = queue.iter().find(|queued| holder(queued) == Some(judge)) {
        return Some(*held);
    }
    let held: BTreeSet<_> =
        queue.iter().filter(|queued| holder(queued).is_some()).map(QueuedAnswer::said).collect();
    let mut teams = BTreeSet::new();
    let mut heads = queue.iter().filter(|queued| teams.insert((queued.name, &queued.waiting.team)));
    heads.find(|queued| !held.contains(&queued.said())).copied()
}

impl<'a> QueuedAnswer<'a> {
    /// The task and the fingerprint, which identify equal answers.
    fn said(&self) -> (&'a SmolStr, AnswerFingerprint) {
        (self.name, self.waiting.fingerprint)
    }
}

/// Applies an event about a waiting answer to the state.
pub(super) fn evolve(state: &mut ContestState, event: &ContestEvent, recorded_at: RecordedAt) {
    match event {
        ContestEvent::AnswerReceived { answer, task, round, team, answers, fingerprint, elapsed_ms } => {
            state.received = *answer;
            if let Some(task) = state.tasks.get_mut(task) {
                task.fates.insert(*answer, AnswerRecords { received: recorded_at.position, settled: None });
            }
            state.note(task, *round, team, *fingerprint, recorded_at);
            let Some(current) = current(state, task, *round) else { return };
            let waiting = WaitingAnswer {
                position: recorded_at.position,
                team: team.clone(),
                answers: answers.clone(),
                at: recorded_at.at,
                elapsed: Millis(*elapsed_ms),
                lease: None,
                fingerprint: *fingerprint,
            };
            current.waiting.insert(*answer, waiting);
        }
        ContestEvent::AnswerTaken { task, round, answer, by, until } => {
            let lease = AnswerLease { by: by.clone(), until: *until };
            set_lease(state, task, *round, *answer, Some(lease));
        }
        ContestEvent::AnswerGivenBack { task, round, answer } => {
            set_lease(state, task, *round, *answer, None)
        }
        ContestEvent::AnswerSetAside { task, round, answer, .. } => {
            if let Some(current) = current(state, task, *round) {
                current.waiting.remove(answer);
            }
            if let Some(task) = state.tasks.get_mut(task) {
                task.seal(*answer, recorded_at.position);
            }
        }
        _ => {}
    }
}

fn set_lease(state: &mut ContestState, task: &str, round: u32, answer: u64, lease: Option<AnswerLease>) {
    let waiting = current(state, task, round).and_then(|current| current.waiting.get_mut(&answer));
    if let Some(waiting) = waiting {
        waiting.lease = lease;
    }
}

impl ContestTask {
    /// Stores the position of the record that settled an answer.
    fn seal(&mut self, answer: u64, position: u64) {
        if let Some(fate) = self.fates.get_mut(&answer) {
            fate.settled = Some(position);
        }
    }
}

/// Applies a judge's decision to the state; returns whether the answer had been waiting for it.
pub(super) fn settle(
    task: &mut ContestTask,
    recent: &mut RecentAnswers,
    fingerprint: AnswerFingerprint,
    decided: &JudgeDecision,
    position: u64,
) -> bool {
    let Some(answer) = decided.answer else { return false };
    let remembered = || RememberedDecision {
        outcome: decided.outcome,
        by: decided.by.clone(),
        note: decided.note.clone(),
        answer: decided.like.unwrap_or(answer),
    };
    task.remembered.entry(fingerprint).or_insert_with(remembered);
    task.seal(answer, position);
    let waited = task.round.as_mut().and_then(|round| round.waiting.remove(&answer));
    if let Some(waited) = waited {
        recent.settle(waited.position, position);
    }
    true
}
