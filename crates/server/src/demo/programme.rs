//! The course of a contest that plays itself: a rehearsal, one task after the other, what goes wrong on such a day,
//! and at the end the boards revealed from the last to the first.

use assize_kernel::{Actor, Millis, Role, StreamId};
use serde_json::{Value, json};

use super::answers::{Aim, submit};
use super::dice::Dice;
use super::tasks::{Kind, Task, tasks};
use super::teams::{Team, teams};
use super::{Plan, Size, Step};

const COUNTDOWN: i64 = 5_000;
const BUFFER: i64 = 10_000;
const PAUSE: i64 = 20_000;
/// After this long without an answer a tool sends the same again; shorter than any rulebook's window for that.
const IMPATIENCE: std::ops::Range<u64> = 900..7_000;

/// A contest in this stream, the same for the same seed and size.
#[must_use]
pub fn contest_plan(stream: StreamId, seed: u64, size: Size) -> Plan {
    let mut dice = Dice::new(seed);
    let (teams, tasks) = (teams(size.teams, &mut dice), tasks(size.tasks, &mut dice));
    let mut day = Day { teams, steps: Vec::new(), now: 0 };
    day.prepare(&tasks);
    for (number, task) in tasks.iter().enumerate() {
        if number > 0 && number == size.tasks - size.tasks / 4 {
            day.organiser(day.now, json!({ "FreezeBoards": {} }));
        }
        day.hold(number, task, size.tasks, &mut dice.fork());
    }
    day.reveal();
    day.steps.sort_by_key(|step| step.after);
    Plan { stream, steps: day.steps }
}

/// A day in the making.
struct Day {
    teams: Vec<Team>,
    steps: Vec<Step>,
    /// Milliseconds since the beginning.
    now: i64,
}

/// A round of a task: when it begins, until when answers are taken.
#[derive(Clone, Copy)]
struct Course {
    begins: i64,
    ends: i64,
}

impl Day {
    fn prepare(&mut self, tasks: &[Task]) {
        self.organiser(0, json!({ "OpenContest": { "name": "The evening contest" } }));
        for index in 0..self.teams.len() {
            let Some(Team { id, name, .. }) = self.teams.get(index) else { continue };
            let command = json!({ "RegisterTeam": { "team": id, "name": name } });
            self.organiser(0, command);
        }
        for task in tasks {
            self.organiser(0, task.add());
        }
        self.now = 2_000;
    }

    /// One task from its countdown to the pause after it; in the middle of the day something goes wrong.
    fn hold(&mut self, number: usize, task: &Task, count: usize, dice: &mut Dice) {
        let limit = i64::try_from(task.limit_seconds).unwrap_or_default() * 1_000;
        if number > 0 && number == count.div_ceil(2) {
            // The projector fails: what was answered until then is put aside.
            let course = self.start(task, 45_000);
            self.organiser(course.ends, json!({ "StopTask": { "task": task.id } }));
            self.compete(task, course, dice);
            self.now = course.ends + PAUSE;
        }
        let mut course = self.start(task, limit + BUFFER);
        if number > 0 && number == count.div_ceil(3) {
            let at = course.begins + limit / 2;
            self.organiser(at, json!({ "AdjustTask": { "task": task.id, "by_seconds": 30 } }));
            course.ends += 30_000;
        }
        if number == count && count > 1 {
            // It is late: the last one is stopped before its time.
            course.ends = course.begins + limit - 20_000;
            self.organiser(course.ends, json!({ "StopTask": { "task": task.id } }));
        }
        self.compete(task, course, dice);
        self.now = course.ends + PAUSE;
    }

    fn start(&mut self, task: &Task, length: i64) -> Course {
        let seconds = |millis: i64| millis / 1_000;
        let times = json!({ "task": task.id, "buffer_seconds": seconds(BUFFER), "countdown_seconds": seconds(COUNTDOWN) });
        self.organiser(self.now, json!({ "StartTask": times }));
        let begins = self.now + COUNTDOWN;
        Course { begins, ends: begins + length }
    }

    fn compete(&mut self, task: &Task, course: Course, dice: &mut Dice) {
        for index in 0..self.teams.len() {
            let Some(team) = self.teams.get(index) else { continue };
            let tries = tries(team, task, course, &mut dice.fork());
            self.steps.extend(tries);
        }
    }

    /// The boards from the last to the first, then everything.
    fn reveal(&mut self) {
        for _ in 0..self.teams.len() {
            self.organiser(self.now, json!({ "RevealTeam": {} }));
            self.now += 2_000;
        }
        self.organiser(self.now, json!({ "UnfreezeBoards": {} }));
    }

    fn organiser(&mut self, at: i64, command: Value) {
        let actor = Actor::new(Role::Admin, "organiser");
        self.steps.push(Step { after: Millis(at), actor, command });
    }
}

/// What a team does in a round: looks, tries, errs, repeats itself, finds, and sometimes goes on after that.
fn tries(team: &Team, task: &Task, course: Course, dice: &mut Dice) -> Vec<Step> {
    let mut steps = Vec::new();
    let limit = task.limit_seconds * 1_000;
    let mut send = |at: i64, aim: Aim, dice: &mut Dice| {
        let command = submit(task, &team.id, aim, dice);
        let mut at = at;
        loop {
            let actor = Actor::new(Role::Participant, team.id.clone());
            steps.push(Step { after: Millis(at), actor, command: command.clone() });
            // The answer to it is lost: the tool sends the same again.
            if !dice.chance(team.bad_network) {
                return at;
            }
            at += i64::try_from(dice.within(IMPATIENCE)).unwrap_or_default();
        }
    };
    // Few are very quick, most take a third of the time, some need all of it.
    let (one, two) = (dice.within(60..1_000), dice.within(250..1_000));
    let first = limit * one / 1_000 * two / 1_000 * team.slowness / 100;
    let mut at = course.begins + i64::try_from(first).unwrap_or_default();
    // Whoever has run out of time tries once more, a moment too late.
    let last = course.ends + 3_000;
    for _ in 0..8 {
        if at > last {
            break;
        }
        let aim = aim(team, task, dice);
        let sent = send(at, aim, dice);
        if aim == Aim::Right {
            if dice.chance(40) {
                send(sent + 15_000, Aim::Wrong, dice);
            }
            break;
        }
        let thought = dice.within(4_000..limit / 4 + 4_001) * team.slowness / 100;
        at = sent + i64::try_from(thought).unwrap_or_default();
        // In the last half minute everybody hits enter.
        if at > course.ends - 30_000 && dice.chance(700) {
            at = course.ends - i64::try_from(dice.within(0..9_000)).unwrap_or_default();
        }
        if at <= sent {
            break;
        }
    }
    steps
}

fn aim(team: &Team, task: &Task, dice: &mut Dice) -> Aim {
    let finds = team.skill * task.difficulty / 1_000;
    match () {
        () if dice.chance(15) => Aim::Unreadable,
        () if dice.chance(finds) => Aim::Right,
        () if task.kind == Kind::Tr && dice.chance(450) => Aim::Part,
        () => Aim::Wrong,
    }
}
