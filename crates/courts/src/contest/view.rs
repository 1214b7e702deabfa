//! What may be shown of a contest to everybody: these types have no place for a video, a point or an answer.

use assize_kernel::{Millis, Moment, RulebookRef, SmolStr};
use serde::Serialize;

use super::hint::Hint;
use super::state::{Attempts, ContestState, Round, Task, Team};
use super::task::TaskType;

/// A contest as everybody may see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContestView {
    /// What people call it.
    pub name: String,
    /// What it is judged by.
    pub rulebook: Option<RulebookRef>,
    /// The teams, by name.
    pub teams: Vec<TeamView>,
    /// The tasks, in the order of the programme.
    pub tasks: Vec<TaskView>,
    /// The pause after which the next task starts by itself; none when people start them.
    pub pause_seconds: Option<f64>,
    /// Whether the public boards stay as they are.
    pub frozen: bool,
}

/// A team as everybody may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TeamView {
    /// Its name in addresses and on boards.
    pub team: SmolStr,
    /// What people call it.
    pub name: Option<String>,
}

/// A task as everybody may see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskView {
    /// Its name in addresses and on boards.
    pub task: SmolStr,
    /// What kind of question it asks.
    #[serde(rename = "type")]
    pub task_type: TaskType,
    /// How long it runs, when the rulebook's time does not suit it.
    pub time_limit_seconds: Option<f64>,
    /// Whether it only tries out the connections, and scores nothing.
    pub rehearsal: bool,
    /// Whether there is no ground truth, so that people judge the answers.
    pub judged_by_people: bool,
    /// None before the first start.
    pub round: Option<RoundView>,
}

/// The timing and the counts of a round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundView {
    /// Counted from 1.
    pub round: u32,
    /// Whether nothing has ended it yet.
    pub running: bool,
    /// When it began, or begins: after the countdown.
    pub started_at: Moment,
    /// How long it runs.
    pub time_limit_seconds: f64,
    /// How long answers are taken after that.
    pub buffer_seconds: f64,
    /// The last moment at which an answer is taken, unless it is stopped before.
    pub closes_at: Moment,
    /// When it was stopped or its time was up.
    pub closed_at: Option<Moment>,
    /// The hints that have been shown.
    pub hints: Vec<Hint>,
    /// How many teams have submitted.
    pub teams_submitted: usize,
    /// How many teams are done; none while the boards are frozen.
    pub teams_completed: Option<usize>,
    /// How many answers wait for a judge; none while the boards are frozen.
    pub waiting: Option<usize>,
    /// How many answers came in; none while the boards are frozen: who stops trying has found it.
    pub submissions: Option<u64>,
}

impl ContestState {
    /// What people call the contest; empty before it is open.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is judged by; none before it is open.
    #[must_use]
    pub const fn rulebook(&self) -> Option<&RulebookRef> {
        self.rulebook.as_ref()
    }

    /// A team.
    #[must_use]
    pub fn team(&self, team: &str) -> Option<&Team> {
        self.teams.get(team)
    }

    /// The teams, by name.
    pub fn teams(&self) -> impl Iterator<Item = (&str, &Team)> {
        self.teams.iter().map(|(name, team)| (name.as_str(), team))
    }

    /// A task, ground truth included: for organisers and judges only.
    #[must_use]
    pub fn task(&self, task: &str) -> Option<&Task> {
        self.tasks.get(task)
    }

    /// The tasks in the order of the programme, ground truth included: for organisers and judges only.
    pub fn tasks(&self) -> impl Iterator<Item = (&str, &Task)> {
        let mut tasks: Vec<_> = self.tasks.iter().map(|(name, task)| (name.as_str(), task)).collect();
        tasks.sort_by_key(|(_, task)| task.number);
        tasks.into_iter()
    }

    /// The tasks that run, in the order of the programme.
    pub fn running_tasks(&self) -> impl Iterator<Item = &str> {
        self.tasks()
            .filter(|(_, task)| task.round.as_ref().is_some_and(Round::is_running))
            .map(|(name, _)| name)
    }

    /// What a team has done in the current round of a task.
    #[must_use]
    pub fn attempts(&self, task: &str, team: &str) -> Option<&Attempts> {
        self.tasks.get(task)?.round.as_ref()?.attempts.get(team)
    }

    /// The contest as everybody may see it.
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

    /// A task as everybody may see it.
    #[must_use]
    pub fn task_view(&self, task: &str) -> Option<TaskView> {
        self.tasks.get_key_value(task).map(|(name, task)| view(name, task, self.frozen.is_some()))
    }
}

fn view(name: &str, task: &Task, frozen: bool) -> TaskView {
    TaskView {
        task: name.into(),
        task_type: task.spec.task_type,
        time_limit_seconds: task.spec.time_limit_seconds,
        rehearsal: task.spec.rehearsal,
        judged_by_people: task.spec.is_judged_by_people(),
        round: task.round.as_ref().map(|round| round_view(task, round, frozen)),
    }
}

fn round_view(task: &Task, round: &Round, frozen: bool) -> RoundView {
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
