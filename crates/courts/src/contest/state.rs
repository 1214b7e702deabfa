//! What has come of a contest so far: teams, tasks, rounds and what each team has to show.

use std::collections::{BTreeMap, BTreeSet};

use assize_kernel::{Digest, Millis, Moment, RulebookRef, SmolStr, Stamp, round};
use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use super::messages::{ContestCommand, ContestEvent, Outcome};
use super::programme;
use super::queue::{self, Fate, Remembered, Waiting};
use super::recent::Recent;
use super::task::TaskSpec;

/// A contest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ContestState {
    pub(super) name: String,
    pub(super) rulebook: Option<RulebookRef>,
    pub(super) teams: BTreeMap<SmolStr, Team>,
    pub(super) tasks: BTreeMap<SmolStr, Task>,
    /// How long the pause between tasks is; none when people start them.
    pub(super) pause: Option<Millis>,
    /// Since when no task has been running.
    pub(super) idle_since: Option<Moment>,
    /// How many answers have had to wait for a judge.
    #[serde(default)]
    pub(super) received: u64,
    /// What the public has been shown since its boards were frozen; none when they are not.
    pub(super) frozen: Option<Frozen>,
    /// What happens next by itself. Kept here because it is looked at before every answer.
    pub(super) due: Option<Due>,
}

/// Public boards that stay as they were.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Frozen {
    /// The teams of which the public knows how they really stand.
    pub(super) revealed: BTreeSet<SmolStr>,
}

/// Something that happens by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Due {
    pub(super) at: Moment,
    pub(super) command: ContestCommand,
}

/// A team that takes part.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Team {
    /// What people call it.
    pub name: Option<String>,
    /// The digest of how to reach it.
    pub contact: Option<Digest>,
    pub(super) total: Total,
    #[serde(default)]
    pub(super) recent: Recent,
}

/// A team's scoring submissions, added up; kept here so that a board need not add up all tasks every time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Total {
    /// Whole numbers, so that adding and taking away leaves no trace.
    pub(super) hundredths: i64,
    pub(super) elapsed_ms: i64,
    pub(super) scored: u32,
}

/// A task and the round that counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Its place in the programme, from 1.
    pub number: usize,
    /// Everything about it, ground truth included: for organisers and judges only.
    pub spec: TaskSpec,
    /// None before the first start, and after a reset.
    pub round: Option<Round>,
    /// The number of the last round that a reset has taken off the boards.
    #[serde(default)]
    pub(super) past: u32,
    /// Where people judge: what they have said, for equal answers.
    #[serde(default)]
    pub(super) remembered: BTreeMap<Fingerprint, Remembered>,
    /// Where people judge: what has become of the answers that had to wait, by their numbers.
    #[serde(default)]
    pub(super) fates: BTreeMap<u64, Fate>,
}

/// One running of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Counted from 1.
    pub number: u32,
    /// When its start was called for.
    pub called_at: Moment,
    /// When it began, or begins: after the countdown.
    pub started_at: Moment,
    /// How long it runs.
    pub time_limit: Millis,
    /// How long answers are taken after that.
    pub buffer: Millis,
    /// By how much its closing was moved.
    pub adjusted: Millis,
    /// How many hints have been shown.
    pub hints_shown: usize,
    /// Within this, the same answer is the same submission.
    pub repeat: Millis,
    /// When it was stopped or its time was up; none while it runs.
    pub closed_at: Option<Moment>,
    /// What each team has done.
    pub attempts: BTreeMap<SmolStr, Attempts>,
    /// The answers that wait for a judge, by their numbers.
    #[serde(default)]
    pub waiting: BTreeMap<u64, Waiting>,
}

/// What a team has done in a round.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Attempts {
    /// How many answers came in.
    pub submissions: u32,
    /// How many of them were wrong.
    pub wrong: u32,
    /// The submission that counts.
    pub best: Option<Best>,
    /// How long after the start the team was done; none while it may still submit.
    pub completed_at: Option<Millis>,
}

/// The submission that counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// What it earned.
    pub points: f64,
    /// How long after the start it was received.
    pub elapsed: Millis,
    /// How right it was.
    pub outcome: Outcome,
    /// Its place in the ledger.
    pub position: u64,
}

impl Task {
    /// The number of the latest round; 0 before the first start.
    pub(super) fn last_round(&self) -> u32 {
        self.round.as_ref().map_or(self.past, |round| round.number)
    }
}

impl Round {
    /// The last moment at which an answer is taken, unless the round is stopped before.
    #[must_use]
    pub fn closes_at(&self) -> Moment {
        self.started_at + self.time_limit + self.adjusted + self.buffer
    }

    /// The last moment at which an answer is taken, as far as is known.
    #[must_use]
    pub fn open_until(&self) -> Moment {
        self.closed_at.map_or(self.closes_at(), |closed| closed.min(self.closes_at()))
    }

    /// Whether nothing has ended it yet.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.closed_at.is_none()
    }
}

impl ContestState {
    /// Counts an answer of a team to the round that counts, and knows it again for a while.
    pub(super) fn note(
        &mut self,
        (task, round): (&SmolStr, u32),
        team: &SmolStr,
        fingerprint: Fingerprint,
        stamp: Stamp,
    ) {
        let Some(current) = current(self, task, round) else { return };
        current.attempts.entry(team.clone()).or_default().submissions += 1;
        let repeat = current.repeat;
        if let Some(team) = self.teams.get_mut(team) {
            team.recent.note((task, round), fingerprint, stamp, repeat);
        }
    }
}

pub(super) fn evolve(state: &mut ContestState, event: &ContestEvent, stamp: Stamp) {
    match event {
        ContestEvent::ContestOpened { name, rulebook } => {
            state.name.clone_from(name);
            state.rulebook = Some(rulebook.clone());
        }
        ContestEvent::TeamRegistered { team, name, contact } => {
            let registered = Team { name: name.clone(), contact: *contact, ..Team::default() };
            state.teams.insert(team.clone(), registered);
        }
        ContestEvent::TaskAdded { task, spec } => {
            let (remembered, fates) = (BTreeMap::new(), BTreeMap::new());
            let number = state.tasks.len() + 1;
            let added = Task { number, spec: spec.clone(), round: None, past: 0, remembered, fates };
            state.tasks.insert(task.clone(), added);
        }
        ContestEvent::TaskStarted { task, round, time_limit_ms, buffer_ms, repeat_ms, countdown_ms } => {
            let round = Round {
                number: *round,
                called_at: stamp.at,
                started_at: stamp.at + Millis(*countdown_ms),
                time_limit: Millis(*time_limit_ms),
                buffer: Millis(*buffer_ms),
                adjusted: Millis(0),
                hints_shown: 0,
                repeat: Millis(*repeat_ms),
                closed_at: None,
                attempts: BTreeMap::new(),
                waiting: BTreeMap::new(),
            };
            start(state, task, round);
        }
        ContestEvent::TaskStopped { task, round } | ContestEvent::TaskClosed { task, round } => {
            if let Some(current) = current(state, task, *round) {
                current.closed_at = Some(stamp.at);
            }
        }
        ContestEvent::TaskAdjusted { task, round, by_ms } => {
            if let Some(current) = current(state, task, *round) {
                current.adjusted = Millis(current.adjusted.0 + by_ms);
            }
        }
        ContestEvent::HintShown { task, round, hint, .. } => {
            if let Some(current) = current(state, task, *round) {
                current.hints_shown = hint + 1;
            }
        }
        ContestEvent::TasksReset { .. } => reset(state),
        ContestEvent::BoardsFrozen {} => state.frozen = Some(Frozen::default()),
        ContestEvent::BoardsUnfrozen {} => state.frozen = None,
        ContestEvent::TeamRevealed { team } => {
            if let Some(frozen) = &mut state.frozen {
                frozen.revealed.insert(team.clone());
            }
        }
        // The pause begins now, however long nothing has been running.
        ContestEvent::ProgrammeSet { pause_ms } => {
            (state.pause, state.idle_since) = (pause_ms.map(Millis), None)
        }
        // What happens next by itself is not moved by an answer.
        ContestEvent::AnswerJudged { .. } => return remember(state, event, stamp),
        ContestEvent::AnswerReceived { .. }
        | ContestEvent::AnswerTaken { .. }
        | ContestEvent::AnswerGivenBack { .. }
        | ContestEvent::AnswerSetAside { .. } => return queue::evolve(state, event, stamp),
    }
    programme::plan(state, stamp.at);
}

/// A round of a task, if it is the one that counts.
pub(super) fn current<'a>(state: &'a mut ContestState, task: &str, round: u32) -> Option<&'a mut Round> {
    let current = state.tasks.get_mut(task)?.round.as_mut()?;
    (current.number == round).then_some(current)
}

/// The round before goes off the board: what it had earned is taken away.
fn start(state: &mut ContestState, task: &str, round: Round) {
    let Some(task) = state.tasks.get_mut(task) else { return };
    let Some(before) = task.round.replace(round).filter(|_| !task.spec.rehearsal) else { return };
    for (team, attempts) in before.attempts {
        if let (Some(team), Some(best)) = (state.teams.get_mut(&team), attempts.best) {
            team.total.take(&best);
        }
    }
}

/// No task has been started, as far as boards can tell, and people start them again.
fn reset(state: &mut ContestState) {
    for task in state.tasks.values_mut() {
        task.past = task.last_round();
        task.round = None;
    }
    state.teams.values_mut().for_each(|team| team.total = Total::default());
    state.pause = None;
}

fn remember(state: &mut ContestState, event: &ContestEvent, stamp: Stamp) {
    let ContestEvent::AnswerJudged {
        task,
        round,
        team,
        fingerprint,
        elapsed_ms,
        outcome,
        points,
        completes,
        decided,
        ..
    } = event
    else {
        return;
    };
    let Some(known) = state.tasks.get_mut(task) else { return };
    // Its answers count in the round even if the record of its registration cannot be read.
    let mut stranger = Team::default();
    let member = state.teams.get_mut(team).unwrap_or(&mut stranger);
    let waited = decided
        .as_ref()
        .is_some_and(|word| queue::settle(known, &mut member.recent, *fingerprint, word, stamp.position));
    let Some(current) = known.round.as_mut().filter(|current| current.number == *round) else { return };
    let attempts = current.attempts.entry(team.clone()).or_default();
    if !waited {
        attempts.submissions += 1;
        member.recent.note((task, *round), *fingerprint, stamp, current.repeat);
    }
    let elapsed = Millis(*elapsed_ms);
    if *completes {
        attempts.completed_at = Some(elapsed);
    }
    if *outcome == Outcome::Incorrect {
        attempts.wrong += 1;
    }
    if !outcome.is_right() || attempts.best.is_some_and(|best| best.points >= *points) {
        return;
    }
    let best = Best { points: *points, elapsed, outcome: *outcome, position: stamp.position };
    let before = attempts.best.replace(best);
    if !known.spec.rehearsal {
        before.iter().for_each(|before| member.total.take(before));
        member.total.add(&best);
    }
}

impl Total {
    fn add(&mut self, best: &Best) {
        self.hundredths += hundredths(best.points);
        self.elapsed_ms += best.elapsed.0;
        self.scored += 1;
    }

    fn take(&mut self, best: &Best) {
        self.hundredths -= hundredths(best.points);
        self.elapsed_ms -= best.elapsed.0;
        self.scored = self.scored.saturating_sub(1);
    }
}

fn hundredths(points: f64) -> i64 {
    #[allow(clippy::cast_possible_truncation, reason = "points are bounded by the rulebook")]
    let hundredths = round(points * 100.0, 0) as i64;
    hundredths
}
