//! Answers that wait for a judge: in which order they are offered, who holds which, and what was said of equal ones.

use std::collections::BTreeSet;

use assize_kernel::{Millis, Moment, SmolStr, Stamp};
use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use super::messages::{ContestEvent, Outcome};
use super::people::Decided;
use super::recent::Recent;
use super::state::{ContestState, Round, Task, current};
use super::submission::SubmittedAnswer;

/// An answer that waits for a judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    /// The record in which it was received.
    pub position: u64,
    /// Of which team.
    pub team: SmolStr,
    /// As submitted.
    pub answers: Vec<SubmittedAnswer>,
    /// When it was received.
    pub at: Moment,
    /// How long after the start that was.
    pub elapsed: Millis,
    /// Who has it before them.
    pub lease: Option<Lease>,
    pub(super) fingerprint: Fingerprint,
}

/// Nobody else gets an answer for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// Who holds it, as `role:name`.
    pub by: String,
    /// Until when, unless nobody else has taken it after that.
    pub until: Moment,
}

/// What has become of an answer that had to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fate {
    /// The record in which it was received.
    pub received: u64,
    /// The record in which it was judged or set aside; none when it still waits, or will not be judged any more.
    pub settled: Option<u64>,
}

/// What a judge has said of an answer, for equal ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Remembered {
    pub(super) outcome: Outcome,
    pub(super) by: String,
    pub(super) note: Option<String>,
    /// The number of that answer.
    pub(super) answer: u64,
}

/// A waiting answer in its place.
#[derive(Clone, Copy)]
pub(super) struct Queued<'a> {
    /// Its number.
    pub(super) answer: u64,
    pub(super) name: &'a SmolStr,
    pub(super) task: &'a Task,
    pub(super) round: &'a Round,
    pub(super) waiting: &'a Waiting,
}

impl Lease {
    /// Whether it keeps others away.
    #[must_use]
    pub fn is_good(&self, now: Moment) -> bool {
        now <= self.until
    }
}

impl Waiting {
    /// Who keeps others away from it.
    pub(super) fn holder(&self, now: Moment) -> Option<&Lease> {
        self.lease.as_ref().filter(|lease| lease.is_good(now))
    }
}

impl Round {
    /// Whether an answer of the team waits.
    pub(super) fn waits(&self, team: &str) -> bool {
        self.waiting.values().any(|waiting| waiting.team == team)
    }

    /// Where the team's waiting answer that says the same was received.
    pub(super) fn waiting_equal(&self, team: &str, fingerprint: Fingerprint) -> Option<u64> {
        let equal = |waiting: &Waiting| waiting.fingerprint == fingerprint && waiting.team == team;
        self.waiting.values().find(|waiting| equal(waiting)).map(|waiting| waiting.position)
    }
}

/// All that wait, in the order in which they were received.
pub(super) fn queue<'a>(state: &'a ContestState) -> Vec<Queued<'a>> {
    let rounds = state.tasks.iter().filter_map(|(name, task)| Some((name, task, task.round.as_ref()?)));
    let waiting = rounds.flat_map(|(name, task, round)| {
        let queued = move |(answer, waiting): (&u64, &'a Waiting)| Queued {
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

/// What a judge gets: what they hold, else the first that nobody holds. Of a team's answers to a task only the first
/// is offered, so that each is judged knowing how many wrong ones came before; and an answer is offered to one at a
/// time, even when several teams have given it.
pub(super) fn next<'a>(state: &'a ContestState, judge: &str, now: Moment) -> Option<Queued<'a>> {
    let queue = queue(state);
    let holder = |queued: &Queued<'a>| queued.waiting.holder(now).map(|lease| lease.by.as_str());
    if let Some(held) = queue.iter().find(|queued| holder(queued) == Some(judge)) {
        return Some(*held);
    }
    let held: BTreeSet<_> =
        queue.iter().filter(|queued| holder(queued).is_some()).map(Queued::said).collect();
    let mut teams = BTreeSet::new();
    let mut heads = queue.iter().filter(|queued| teams.insert((queued.name, &queued.waiting.team)));
    heads.find(|queued| !held.contains(&queued.said())).copied()
}

impl<'a> Queued<'a> {
    /// To which task it says what.
    fn said(&self) -> (&'a SmolStr, Fingerprint) {
        (self.name, self.waiting.fingerprint)
    }
}

/// Takes what happens to waiting answers into the state.
pub(super) fn evolve(state: &mut ContestState, event: &ContestEvent, stamp: Stamp) {
    match event {
        ContestEvent::AnswerReceived { answer, task, round, team, answers, fingerprint, elapsed_ms } => {
            state.received = *answer;
            if let Some(task) = state.tasks.get_mut(task) {
                task.fates.insert(*answer, Fate { received: stamp.position, settled: None });
            }
            state.note((task, *round), team, *fingerprint, stamp);
            let Some(current) = current(state, task, *round) else { return };
            let waiting = Waiting {
                position: stamp.position,
                team: team.clone(),
                answers: answers.clone(),
                at: stamp.at,
                elapsed: Millis(*elapsed_ms),
                lease: None,
                fingerprint: *fingerprint,
            };
            current.waiting.insert(*answer, waiting);
        }
        ContestEvent::AnswerTaken { task, round, answer, by, until } => {
            let lease = Lease { by: by.clone(), until: *until };
            hold(state, (task, *round, *answer), Some(lease));
        }
        ContestEvent::AnswerGivenBack { task, round, answer } => hold(state, (task, *round, *answer), None),
        ContestEvent::AnswerSetAside { task, round, answer, .. } => {
            if let Some(current) = current(state, task, *round) {
                current.waiting.remove(answer);
            }
            if let Some(task) = state.tasks.get_mut(task) {
                task.seal(*answer, stamp.position);
            }
        }
        _ => {}
    }
}

fn hold(state: &mut ContestState, (task, round, answer): (&str, u32, u64), lease: Option<Lease>) {
    let waiting = current(state, task, round).and_then(|current| current.waiting.get_mut(&answer));
    if let Some(waiting) = waiting {
        waiting.lease = lease;
    }
}

impl Task {
    /// Notes the record that settled an answer.
    fn seal(&mut self, answer: u64, position: u64) {
        if let Some(fate) = self.fates.get_mut(&answer) {
            fate.settled = Some(position);
        }
    }
}

/// Takes a judge's word into the state; true when the answer had waited for it.
pub(super) fn settle(
    task: &mut Task,
    recent: &mut Recent,
    fingerprint: Fingerprint,
    decided: &Decided,
    position: u64,
) -> bool {
    let Some(answer) = decided.answer else { return false };
    let remembered = || Remembered {
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
