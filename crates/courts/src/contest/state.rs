//! The state of a contest: teams, tasks, rounds and each team's results.

use std::collections::{BTreeMap, BTreeSet};

use assize_kernel::{Digest, Millis, Moment, RecordedAt, RulebookRef, SmolStr, round};
use serde::{Deserialize, Serialize};

use super::fingerprint::AnswerFingerprint;
use super::messages::{AnswerOutcome, ContestCommand, ContestEvent};
use super::programme;
use super::queue::{self, AnswerRecords, RememberedDecision, WaitingAnswer};
use super::recent::RecentAnswers;
use super::task::TaskSpec;

/// The state of a contest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ContestState {
    pub(super) name: String,
    pub(super) rulebook: Option<RulebookRef>,
    pub(super) teams: BTreeMap<SmolStr, ContestTeam>,
    pub(super) tasks: BTreeMap<SmolStr, ContestTask>,
    /// The pause between tasks; `None` if tasks are started by hand.
    pub(super) pause: Option<Millis>,
    /// When the last task stopped running.
    pub(super) idle_since: Option<Moment>,
    /// The number of answers that have had to wait for a judge.
    #[serde(default)]
    pub(super) received: u64,
    /// The frozen public boards; `None` while they are live.
    pub(super) frozen: Option<FrozenBoards>,
    /// The next timer. Cached because it is read before every answer.
    pub(super) due: Option<DueCommand>,
}

/// Public boards that are frozen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FrozenBoards {
    /// The teams whose actual standing was revealed.
    pub(super) revealed: BTreeSet<SmolStr>,
}

/// A timer and the command that it fires.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct DueCommand {
    pub(super) at: Moment,
    pub(super) command: ContestCommand,
}

/// A registered team.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ContestTeam {
    /// The display name.
    pub name: Option<String>,
    /// The digest of the contact details.
    pub contact: Option<Digest>,
    pub(super) total: TeamTotal,
    #[serde(default)]
    pub(super) recent: RecentAnswers,
}

/// The running total of a team's scoring submissions, so that the board need not sum over all tasks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TeamTotal {
    /// Whole numbers, so that adding and subtracting causes no rounding error.
    pub(super) hundredths: i64,
    pub(super) elapsed_ms: i64,
    pub(super) scored: u32,
}

/// A task and its current round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContestTask {
    /// The position in the programme, from 1.
    pub number: usize,
    /// The specification with the ground truth: for organisers and judges only.
    pub spec: TaskSpec,
    /// The current round; `None` before the first start and after a reset.
    pub round: Option<TaskRound>,
    /// The number of the last round that a reset took off the boards.
    #[serde(default)]
    pub(super) past: u32,
    /// Decisions of judges, by fingerprint, for equal answers.
    #[serde(default)]
    pub(super) remembered: BTreeMap<AnswerFingerprint, RememberedDecision>,
    /// The records of the answers that had to wait for a judge, by number.
    #[serde(default)]
    pub(super) fates: BTreeMap<u64, AnswerRecords>,
}

/// One round of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskRound {
    /// Counted from 1.
    pub number: u32,
    /// The moment of the start command.
    pub called_at: Moment,
    /// The start, after the countdown.
    pub started_at: Moment,
    /// The time limit.
    pub time_limit: Millis,
    /// How long after the time limit answers are accepted.
    pub buffer: Millis,
    /// The total adjustment of the closing time.
    pub adjusted: Millis,
    /// The number of hints that have been shown.
    pub hints_shown: usize,
    /// The window within which an equal answer is a retry.
    pub repeat: Millis,
    /// When the round was stopped or timed out; `None` while it runs.
    pub closed_at: Option<Moment>,
    /// The attempts of each team.
    pub attempts: BTreeMap<SmolStr, TeamAttempts>,
    /// The answers that wait for a judge, by number.
    #[serde(default)]
    pub waiting: BTreeMap<u64, WaitingAnswer>,
}

/// The attempts of a team in a round.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TeamAttempts {
    /// The number of submitted answers.
    pub submissions: u32,
    /// The number of wrong answers.
    pub wrong: u32,
    /// The submission that counts.
    pub best: Option<BestSubmission>,
    /// Time from the start to completion; `None` while the team may still submit.
    pub completed_at: Option<Millis>,
}

/// The submission that counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BestSubmission {
    /// The points.
    pub points: f64,
    /// Time from the start to the receipt.
    pub elapsed: Millis,
    /// The outcome.
    pub outcome: AnswerOutcome,
    /// The position in the ledger.
    pub position: u64,
}

impl ContestTask {
    /// The number of the latest round; 0 before the first start.
    pub(super) fn last_round(&self) -> u32 {
        self.round.as_ref().map_or(self.past, |round| round.number)
    }
}

impl TaskRound {
    /// The last moment at which an answer is accepted, unless the round is stopped before.
    #[must_use]
    pub fn closes_at(&self) -> Moment {
        self.started_at + self.time_limit + self.adjusted + self.buffer
    }

    /// The last moment at which an answer is accepted, taking a stop into account.
    #[must_use]
    pub fn open_until(&self) -> Moment {
        self.closed_at.map_or(self.closes_at(), |closed| closed.min(self.closes_at()))
    }

    /// Whether the round has not ended.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.closed_at.is_none()
    }
}

impl ContestState {
    /// Counts an answer in the current round and remembers it for deduplication.
    pub(super) fn note(
        &mut self,
        task: &SmolStr,
        round: u32,
        team: &SmolStr,
        fingerprint: AnswerFingerprint,
        recorded_at: RecordedAt,
    ) {
        let Some(current) = current(self, task, round) else { return };
        current.attempts.entry(team.clone()).or_default().submissions += 1;
        let repeat = current.repeat;
        if let Some(team) = self.teams.get_mut(team) {
            team.recent.note(task, round, fingerprint, recorded_at, repeat);
        }
    }
}

pub(super) fn evolve(state: &mut ContestState, event: &ContestEvent, recorded_at: RecordedAt) {
    match event {
        ContestEvent::ContestOpened { name, rulebook } => {
            state.name.clone_from(name);
            state.rulebook = Some(rulebook.clone());
        }
        ContestEvent::TeamRegistered { team, name, contact } => {
            let registered = ContestTeam { name: name.clone(), contact: *contact, ..ContestTeam::default() };
            state.teams.insert(team.clone(), registered);
        }
        ContestEvent::TaskAdded { task, spec } => {
            let added = ContestTask {
                number: state.tasks.len() + 1,
                spec: spec.clone(),
                round: None,
                past: 0,
                remembered: BTreeMap::new(),
                fates: BTreeMap::new(),
            };
            state.tasks.insert(task.clone(), added);
        }
        ContestEvent::TaskStarted { task, round, time_limit_ms, buffer_ms, repeat_ms, countdown_ms } => {
            let round = TaskRound {
                number: *round,
                called_at: recorded_at.at,
                started_at: recorded_at.at + Millis(*countdown_ms),
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
                current.closed_at = Some(recorded_at.at);
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
        ContestEvent::BoardsFrozen {} => state.frozen = Some(FrozenBoards::default()),
        ContestEvent::BoardsUnfrozen {} => state.frozen = None,
        ContestEvent::TeamRevealed { team } => {
            if let Some(frozen) = &mut state.frozen {
                frozen.revealed.insert(team.clone());
            }
        }
        // The pause begins now, regardless of how long the contest has been idle.
        ContestEvent::ProgrammeSet { pause_ms } => {
            state.pause = pause_ms.map(Millis);
            state.idle_since = None;
        }
        // Answers do not change the next timer.
        ContestEvent::AnswerJudged { .. } => return remember(state, event, recorded_at),
        ContestEvent::AnswerReceived { .. }
        | ContestEvent::AnswerTaken { .. }
        | ContestEvent::AnswerGivenBack { .. }
        | ContestEvent::AnswerSetAside { .. } => return queue::evolve(state, event, recorded_at),
    }
    programme::plan(state, recorded_at.at);
}

/// A round of a task, if it is the current one.
pub(super) fn current<'a>(state: &'a mut ContestState, task: &str, round: u32) -> Option<&'a mut TaskRound> {
    let current = state.tasks.get_mut(task)?.round.as_mut()?;
    (current.number == round).then_some(current)
}

/// Starts a round and subtracts the points of the previous one from the totals.
fn start(state: &mut ContestState, task: &str, round: TaskRound) {
    let Some(task) = state.tasks.get_mut(task) else { return };
    let Some(before) = task.round.replace(round).filter(|_| !task.spec.rehearsal) else { return };
    for (team, attempts) in before.attempts {
        if let (Some(team), Some(best)) = (state.teams.get_mut(&team), attempts.best) {
            team.total.take(&best);
        }
    }
}

/// Takes every round off the boards and returns to starting tasks by hand.
fn reset(state: &mut ContestState) {
    for task in state.tasks.values_mut() {
        task.past = task.last_round();
        task.round = None;
    }
    state.teams.values_mut().for_each(|team| team.total = TeamTotal::default());
    state.pause = None;
}

fn remember(state: &mut ContestState, event: &ContestEvent, recorded_at: RecordedAt) {
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
    // A team's answers count in the round even if the record of its registration is unreadable.
    let mut stranger = ContestTeam::default();
    let member = state.teams.get_mut(team).unwrap_or(&mut stranger);
    let waited = decided.as_ref().is_some_and(|word| {
        queue::settle(known, &mut member.recent, *fingerprint, word, recorded_at.position)
    });
    let Some(current) = known.round.as_mut().filter(|current| current.number == *round) else { return };
    let attempts = current.attempts.entry(team.clone()).or_default();
    if !waited {
        attempts.submissions += 1;
        member.recent.note(task, *round, *fingerprint, recorded_at, current.repeat);
    }
    let elapsed = Millis(*elapsed_ms);
    if *completes {
        attempts.completed_at = Some(elapsed);
    }
    if *outcome == AnswerOutcome::Incorrect {
        attempts.wrong += 1;
    }
    if !outcome.is_right() || attempts.best.is_some_and(|best| best.points >= *points) {
        return;
    }
    let best = BestSubmission { points: *points, elapsed, outcome: *outcome, position: recorded_at.position };
    let before = attempts.best.replace(best);
    if !known.spec.rehearsal {
        before.iter().for_each(|before| member.total.take(before));
        member.total.add(&best);
    }
}

impl TeamTotal {
    fn add(&mut self, best: &BestSubmission) {
        self.hundredths += hundredths(best.points);
        self.elapsed_ms += best.elapsed.0;
        self.scored += 1;
    }

    fn take(&mut self, best: &BestSubmission) {
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
