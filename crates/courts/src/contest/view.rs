//! Public views of a contest: these types have no field for a video, a point or an answer.

#[cfg(feature = "openapi")]
use assize_kernel::openapi::Id;
use assize_kernel::{Millis, Moment, RulebookRef, SmolStr};
use serde::Serialize;

use super::hint::TaskHint;
use super::state::{ContestState, ContestTask, ContestTeam, TaskRound, TeamAttempts};
use super::task::TaskType;

/// The public view of a contest.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContestView {
    /// The display name.
    pub name: String,
    /// The rulebook.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub rulebook: Option<RulebookRef>,
    /// The teams, by name.
    pub teams: Vec<TeamView>,
    /// The tasks, in the order of the programme.
    pub tasks: Vec<TaskView>,
    /// The pause after which the next task starts automatically; `None` if tasks are started by hand.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub pause_seconds: Option<f64>,
    /// Whether the public boards are frozen.
    pub frozen: bool,
}

/// The public view of a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TeamSeen))]
pub struct TeamView {
    /// The name in URLs and on boards.
    #[cfg_attr(feature = "openapi", schema(value_type = Id))]
    pub team: SmolStr,
    /// The display name.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub name: Option<String>,
}

/// The public view of a task.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TaskSeen))]
pub struct TaskView {
    /// The name in URLs and on boards.
    #[cfg_attr(feature = "openapi", schema(value_type = Id))]
    pub task: SmolStr,
    /// The type of the task.
    #[serde(rename = "type")]
    pub task_type: TaskType,
    /// The time limit, if it differs from the rulebook's.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub time_limit_seconds: Option<f64>,
    /// Whether the task is a rehearsal, which scores nothing.
    pub rehearsal: bool,
    /// Whether people judge the answers because there is no ground truth.
    pub judged_by_people: bool,
    /// The current round; `None` before the first start.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub round: Option<RoundView>,
}

/// The public view of a round.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RoundSeen))]
pub struct RoundView {
    /// Counted from 1.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub round: u32,
    /// Whether the round has not ended.
    pub running: bool,
    /// The start, after the countdown.
    pub started_at: Moment,
    /// The time limit.
    pub time_limit_seconds: f64,
    /// How long after the time limit answers are accepted.
    pub buffer_seconds: f64,
    /// The last moment at which an answer is accepted, unless the round is stopped before.
    pub closes_at: Moment,
    /// When the round was stopped or timed out.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub closed_at: Option<Moment>,
    /// The hints that have been shown.
    pub hints: Vec<TaskHint>,
    /// The number of teams that have submitted.
    #[cfg_attr(feature = "openapi", schema(value_type = u64))]
    pub teams_submitted: usize,
    /// The number of teams that have completed the task; `None` while the boards are frozen.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u64>, required))]
    pub teams_completed: Option<usize>,
    /// The number of answers that wait for a judge; `None` while the boards are frozen.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u64>, required))]
    pub waiting: Option<usize>,
    /// The number of answers; `None` while the boards are frozen, because a team that stops trying has found
    /// it.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub submissions: Option<u64>,
}

impl ContestState {
    /// The display name; empty before the contest is opened.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rulebook; `None` before the contest is opened.
    #[must_use]
    pub const fn rulebook(&self) -> Option<&RulebookRef> {
        self.rulebook.as_ref()
    }

    /// A team.
    #[must_use]
    pub fn team(&self, team: &str) -> Option<&ContestTeam> {
        self.teams.get(team)
    }

    /// The teams, by name.
    pub fn teams(&self) -> impl Iterator<Item = (&str, &ContestTeam)> {
        self.teams.iter().map(|(name, team)| (name.as_str(), team))
    }

    /// A task, ground truth included: for organisers and judges only.
    #[must_use]
    pub fn task(&self, task: &str) -> Option<&ContestTask> {
        self.tasks.get(task)
    }

    /// The tasks in the order of the programme, ground truth included: for organisers and judges only.
    pub fn tasks(&self) -> impl Iterator<Item = (&str, &ContestTask)> {
        let mut tasks: Vec<_> = self.tasks.iter().map(|(name, task)| (name.as_str(), task)).collect();
        tasks.sort_by_key(|(_, task)| task.number);
        tasks.into_iter()
    }

    /// The running tasks, in the order of the programme.
    pub fn running_tasks(&self) -> impl Iterator<Item = &str> {
        self.tasks()
            .filter(|(_, task)| task.round.as_ref().is_some_and(TaskRound::is_running))
            .map(|(name, _)| name)
    }

    /// A team's attempts in the current round of a task.
    #[must_use]
    pub fn attempts(&self, task: &str, team: &str) -> Option<&TeamAttempts> {
        self.tasks.get(task)?.round.as_ref()?.attempts.get(team)
    }

    /// The public view of the contest.
    #[must_use]
    pub fn view(&self) -> ContestView {
        let teams = self.teams.iter();
        ContestView {
            name: self.name.clone(),
            rulebook: self.rulebook.clone(),
            teams: teams
                .map(|(team, about)| TeamView { team: team.clone(), name: about.name.clone() })
                .collect(),
            tasks: self.tasks().map(|(name, task)| view(name, task, self.frozen.is_some())).collect(),
            pause_seconds: self.pause.map(Millis::as_seconds),
            frozen: self.frozen.is_some(),
        }
    }

    /// The public view of a task.
    #[must_use]
    pub fn task_view(&self, task: &str) -> Option<TaskView> {
        self.tasks.get_key_value(task).map(|(name, task)| view(name, task, self.frozen.is_some()))
    }
}

fn view(name: &str, task: &ContestTask, frozen: bool) -> TaskView {
    TaskView {
        task: name.into(),
        task_type: task.spec.task_type,
        time_limit_seconds: task.spec.time_limit_seconds,
        rehearsal: task.spec.rehearsal,
        judged_by_people: task.spec.is_judged_by_people(),
        round: task.round.as_ref().map(|round| round_view(task, round, frozen)),
    }
}

fn round_view(task: &ContestTask, round: &TaskRound, frozen: bool) -> RoundView {
    let attempts = || round.attempts.values();
    RoundView {
        round: round.number,
        running: round.is_running(),
        started_at: round.started_at,
        time_limit_seconds: round.time_limit.as_seconds(),
        buffer_seconds: round.buffer.as_seconds(),
        closes_at: round.closes_at(),
        closed_at: round.closed_at,
        hints: task.spec.hints.iter().take(round.hints_shown).cloned().collect(),
        teams_submitted: round.attempts.len(),
        teams_completed: (!frozen)
            .then(|| attempts().filter(|attempts| attempts.completed_at.is_some()).count()),
        waiting: (!frozen).then_some(round.waiting.len()),
        submissions: (!frozen).then(|| attempts().map(|attempts| u64::from(attempts.submissions)).sum()),
    }
}
