//! Plan of a simulated contest: a rehearsal, the tasks in order with some incidents, and at the end the
//! boards revealed from last to first.

use assize_kernel::{Actor, Millis, Role, StreamId};
use serde_json::{Value, json};

use super::answers::{AnswerIntent, submit};
use super::dice::SeededRng;
use super::tasks::{DemoTask, TaskKind, tasks};
use super::teams::{DemoTeam, teams};
use super::{ContestSize, DemoPlan, DemoStep};

const COUNTDOWN: i64 = 5_000;
const BUFFER: i64 = 10_000;
const PAUSE: i64 = 20_000;
/// Milliseconds after which a tool resends an answer; shorter than any rulebook's window for repetitions.
const IMPATIENCE: std::ops::Range<u64> = 900..7_000;

/// Plan of a contest in this stream; deterministic for a seed and a size.
#[must_use]
pub fn contest_plan(stream: StreamId, seed: u64, size: ContestSize) -> DemoPlan {
    let mut rng = SeededRng::new(seed);
    let teams = teams(size.teams, &mut rng);
    let tasks = tasks(size.tasks, &mut rng);
    let mut day = ContestPlanner { teams, steps: Vec::new(), now: 0 };
    day.prepare(&tasks);
    for (number, task) in tasks.iter().enumerate() {
        if number > 0 && number == size.tasks - size.tasks / 4 {
            day.organiser(day.now, json!({ "FreezeBoards": {} }));
        }
        day.hold(number, task, size.tasks, &mut rng.fork());
    }
    day.reveal();
    day.steps.sort_by_key(|step| step.after);
    DemoPlan { stream, steps: day.steps }
}

/// A contest's plan under construction.
struct ContestPlanner {
    teams: Vec<DemoTeam>,
    steps: Vec<DemoStep>,
    /// Milliseconds since the beginning.
    now: i64,
}

/// Time window of a round in which answers are accepted.
#[derive(Clone, Copy)]
struct RoundWindow {
    begins: i64,
    ends: i64,
}

impl ContestPlanner {
    fn prepare(&mut self, tasks: &[DemoTask]) {
        self.organiser(0, json!({ "OpenContest": { "name": "The evening contest" } }));
        for index in 0..self.teams.len() {
            let Some(DemoTeam { id, name, .. }) = self.teams.get(index) else { continue };
            let command = json!({ "RegisterTeam": { "team": id, "name": name } });
            self.organiser(0, command);
        }
        for task in tasks {
            self.organiser(0, task.add());
        }
        self.now = 2_000;
    }

    /// One task from its countdown to the pause after it, with an incident in the middle of the contest.
    fn hold(&mut self, number: usize, task: &DemoTask, count: usize, rng: &mut SeededRng) {
        let limit = i64::try_from(task.limit_seconds).unwrap_or_default() * 1_000;
        if number > 0 && number == count.div_ceil(2) {
            // The projector fails: the round is stopped, and its answers do not count.
            let course = self.start(task, 45_000);
            self.organiser(course.ends, json!({ "StopTask": { "task": task.id } }));
            self.compete(task, course, rng);
            self.now = course.ends + PAUSE;
        }
        let mut course = self.start(task, limit + BUFFER);
        if number > 0 && number == count.div_ceil(3) {
            let at = course.begins + limit / 2;
            self.organiser(at, json!({ "AdjustTask": { "task": task.id, "by_seconds": 30 } }));
            course.ends += 30_000;
        }
        if number == count && count > 1 {
            // It is late: the last task is stopped early.
            course.ends = course.begins + limit - 20_000;
            self.organiser(course.ends, json!({ "StopTask": { "task": task.id } }));
        }
        self.compete(task, course, rng);
        self.now = course.ends + PAUSE;
    }

    fn start(&mut self, task: &DemoTask, length: i64) -> RoundWindow {
        let seconds = |millis: i64| millis / 1_000;
        let times = json!({ "task": task.id, "buffer_seconds": seconds(BUFFER), "countdown_seconds": seconds(COUNTDOWN) });
        self.organiser(self.now, json!({ "StartTask": times }));
        let begins = self.now + COUNTDOWN;
        RoundWindow { begins, ends: begins + length }
    }

    fn compete(&mut self, task: &DemoTask, course: RoundWindow, rng: &mut SeededRng) {
        for index in 0..self.teams.len() {
            let Some(team) = self.teams.get(index) else { continue };
            let tries = tries(team, task, course, &mut rng.fork());
            self.steps.extend(tries);
        }
    }

    /// Reveals the teams from last to first, then unfreezes the boards.
    fn reveal(&mut self) {
        for _ in 0..self.teams.len() {
            self.organiser(self.now, json!({ "RevealTeam": {} }));
            self.now += 2_000;
        }
        self.organiser(self.now, json!({ "UnfreezeBoards": {} }));
    }

    fn organiser(&mut self, at: i64, command: Value) {
        let actor = Actor::new(Role::Admin, "organiser");
        self.steps.push(DemoStep { after: Millis(at), actor, command });
    }
}

/// A team's submissions in a round: wrong, repeated, right, and sometimes one more after that.
fn tries(team: &DemoTeam, task: &DemoTask, course: RoundWindow, rng: &mut SeededRng) -> Vec<DemoStep> {
    let mut steps = Vec::new();
    let limit = task.limit_seconds * 1_000;
    let mut send = |at: i64, aim: AnswerIntent, rng: &mut SeededRng| {
        let command = submit(task, &team.id, aim, rng);
        let mut at = at;
        loop {
            let actor = Actor::new(Role::Participant, team.id.clone());
            steps.push(DemoStep { after: Millis(at), actor, command: command.clone() });
            // The response is lost: the tool resends the answer.
            if !rng.chance(team.bad_network) {
                return at;
            }
            at += i64::try_from(rng.within(IMPATIENCE)).unwrap_or_default();
        }
    };
    // Few teams are very quick, most take a third of the time, some need all of it.
    let one = rng.within(60..1_000);
    let two = rng.within(250..1_000);
    let first = limit * one / 1_000 * two / 1_000 * team.slowness / 100;
    let mut at = course.begins + i64::try_from(first).unwrap_or_default();
    // A team that has run out of time tries once more, slightly too late.
    let last = course.ends + 3_000;
    for _ in 0..8 {
        if at > last {
            break;
        }
        let aim = aim(team, task, rng);
        let sent = send(at, aim, rng);
        if aim == AnswerIntent::Right {
            if rng.chance(40) {
                send(sent + 15_000, AnswerIntent::Wrong, rng);
            }
            break;
        }
        let thought = rng.within(4_000..limit / 4 + 4_001) * team.slowness / 100;
        at = sent + i64::try_from(thought).unwrap_or_default();
        // Most teams submit once more in the last seconds.
        if at > course.ends - 30_000 && rng.chance(700) {
            at = course.ends - i64::try_from(rng.within(0..9_000)).unwrap_or_default();
        }
        if at <= sent {
            break;
        }
    }
    steps
}

fn aim(team: &DemoTeam, task: &DemoTask, rng: &mut SeededRng) -> AnswerIntent {
    let finds = team.skill * task.difficulty / 1_000;
    match () {
        () if rng.chance(15) => AnswerIntent::Unreadable,
        () if rng.chance(finds) => AnswerIntent::Right,
        () if task.kind == TaskKind::Tr && rng.chance(450) => AnswerIntent::Part,
        () => AnswerIntent::Wrong,
    }
}
