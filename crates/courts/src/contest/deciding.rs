//! What follows from each command, or why nothing does.

use assize_kernel::{Decision, Digest, Millis, Moment, Occasion, Rulebook, Ruling, SmolStr, check_name};

use super::answer;
use super::fingerprint::Fingerprint;
use super::import::{self, ReadTask};
use super::judges;
use super::judging::{self, Circumstances};
use super::messages::{ContestCommand, ContestEvent};
use super::open_house;
use super::people::{self, Received};
use super::programme::running_rounds;
use super::refusals::ContestRefusal;
use super::rules::ContestRules;
use super::state::{Attempts, ContestState, Round, Task};
use super::submission::SubmittedAnswer;
use super::task::{TaskSpec, checked_seconds};

pub(super) type Decided = Result<Ruling<ContestEvent>, ContestRefusal>;

pub(super) fn decide(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    command: ContestCommand,
    occasion: Occasion<'_>,
) -> Decided {
    if let ContestCommand::OpenContest { name } = command {
        return open(book, state, name);
    }
    if state.rulebook.is_none() {
        return Err(ContestRefusal::NotOpen);
    }
    match command {
        ContestCommand::OpenContest { .. } => Err(ContestRefusal::AlreadyOpen),
        ContestCommand::RegisterTeam { team, name, contact } => register_team(state, team, name, contact),
        ContestCommand::AddTask {
            task,
            task_type,
            scene_id,
            video_id,
            points,
            answer,
            time_limit_seconds,
            hints,
            rehearsal,
        } => {
            let spec = TaskSpec {
                task_type,
                scene_id,
                video_id: video_id.unwrap_or_default(),
                points: points.map(|points| points.read()).transpose()?.unwrap_or_default(),
                answer,
                time_limit_seconds,
                hints,
                rehearsal,
            };
            add_task(state, task, spec)
        }
        ContestCommand::ImportTasks { csv } => import_tasks(state, &csv),
        ContestCommand::StartTask { task, time_limit_seconds, buffer_seconds, countdown_seconds } => {
            let times = (time_limit_seconds, buffer_seconds, countdown_seconds);
            start_task(book, state, task, times, occasion.at)
        }
        ContestCommand::AdjustTask { task, by_seconds } => adjust_task(state, task, by_seconds, occasion.at),
        ContestCommand::SetProgramme { pause_seconds } => set_programme(pause_seconds),
        ContestCommand::FreezeBoards {} if state.frozen.is_some() => Err(ContestRefusal::BoardsFrozen),
        ContestCommand::FreezeBoards {} => fact(ContestEvent::BoardsFrozen {}),
        ContestCommand::UnfreezeBoards {} if state.frozen.is_none() => Err(ContestRefusal::BoardsNotFrozen),
        ContestCommand::UnfreezeBoards {} => fact(ContestEvent::BoardsUnfrozen {}),
        ContestCommand::RevealTeam {} => reveal_team(state),
        ContestCommand::ShowHint { task, round, hint } => show_hint(state, task, round, hint),
        ContestCommand::StopTask { task } => stop_task(state, task, occasion.at),
        ContestCommand::CloseTask { task, round } => close_task(state, task, round, occasion.at),
        ContestCommand::SubmitAnswer { task, team, answers } => {
            known_team(state, &task, &team)?;
            submit_answer(book, state, (task, team), answers, occasion.at)
        }
        ContestCommand::SubmitOpenly { task, team, answers } => {
            open_house::submit(book, state, (task, team), answers, occasion.at)
        }
        ContestCommand::ResetTasks {} => reset_tasks(state),
        ContestCommand::TakeAnswer {} => judges::take(book, state, occasion),
        ContestCommand::RenewAnswer { answer } => judges::renew(book, state, answer, occasion),
        ContestCommand::GiveBackAnswer { answer } => judges::give_back(state, answer, occasion),
        ContestCommand::DecideAnswer { answer, outcome, note } => {
            judges::decide(book, state, answer, (outcome, note), occasion)
        }
    }
}

/// What happens next by itself.
pub(super) fn deadline(state: &ContestState) -> Option<(Moment, ContestCommand)> {
    state.due.as_ref().map(|due| (due.at, due.command.clone()))
}

/// Judges a recorded answer once more, on the state just before it.
pub(super) fn judge_again(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    event: &ContestEvent,
) -> Option<Decision<ContestEvent>> {
    let ContestEvent::AnswerJudged { task, round, team, answers, fingerprint, elapsed_ms, decided, .. } =
        event
    else {
        return None;
    };
    let known = state.tasks.get(task)?;
    let current = known.round.as_ref().filter(|current| current.number == *round)?;
    if let Some(decided) = decided {
        let (round, elapsed) = (current, Millis(*elapsed_ms));
        let received = Received { name: task, task: known, round, team, answers, elapsed };
        let decision = people::judged(book, &received, known.word_again(*fingerprint, decided));
        return decision.map(|decision| hidden_if_frozen(decision, state));
    }
    let matching = book.rules.matching;
    let read = answer::read(matching, known.spec.task_type, answers).ok()?;
    let names = (task.clone(), team.clone());
    let read = (Fingerprint::of(matching, &read), read);
    let decision = judged(book, known, current, names, answers.clone(), read, Millis(*elapsed_ms));
    Some(hidden_if_frozen(decision, state))
}

/// While the boards are frozen, what comes of an answer is not for the public.
pub(super) fn hidden_if_frozen(
    mut decision: Decision<ContestEvent>,
    state: &ContestState,
) -> Decision<ContestEvent> {
    if let ContestEvent::AnswerJudged { frozen, .. } = &mut decision.event {
        *frozen = state.frozen.is_some();
    }
    decision
}

fn open(book: &Rulebook<ContestRules>, state: &ContestState, name: String) -> Decided {
    if state.rulebook.is_some() {
        return Err(ContestRefusal::AlreadyOpen);
    }
    check_title(&name)?;
    fact(ContestEvent::ContestOpened { name, rulebook: book.reference.clone() })
}

fn register_team(
    state: &ContestState,
    team: SmolStr,
    name: Option<String>,
    contact: Option<Digest>,
) -> Decided {
    check_name(&team)?;
    if let Some(name) = &name {
        check_title(name)?;
    }
    if state.teams.contains_key(&team) {
        return Err(ContestRefusal::TeamExists(team));
    }
    fact(ContestEvent::TeamRegistered { team, name, contact })
}

fn set_programme(pause_seconds: Option<f64>) -> Decided {
    checked_seconds("pause_seconds", pause_seconds)?;
    let pause_ms = pause_seconds.map(|pause| Millis::from_seconds(pause).0);
    fact(ContestEvent::ProgrammeSet { pause_ms })
}

fn reset_tasks(state: &ContestState) -> Decided {
    let rounds = state.tasks.values().filter(|task| task.round.is_some()).count();
    fact(ContestEvent::TasksReset { rounds: u32::try_from(rounds).unwrap_or(u32::MAX) })
}

fn add_task(state: &ContestState, task: SmolStr, spec: TaskSpec) -> Decided {
    check_name(&task)?;
    if state.tasks.contains_key(&task) {
        return Err(ContestRefusal::TaskExists(task));
    }
    checked_seconds("time_limit_seconds", spec.time_limit_seconds)?;
    fact(ContestEvent::TaskAdded { task, spec: spec.checked()? })
}

fn import_tasks(state: &ContestState, csv: &str) -> Decided {
    let tasks = import::read(csv, |name| state.tasks.contains_key(name));
    let tasks = tasks.map_err(ContestRefusal::ImportInvalid)?;
    let added = |ReadTask { task, spec, .. }| Decision::fact(ContestEvent::TaskAdded { task, spec });
    Ok(Ruling::Decided(tasks.into_iter().map(added).collect()))
}

fn start_task(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    task: SmolStr,
    (limit, buffer, countdown): (Option<f64>, Option<f64>, Option<f64>),
    at: Moment,
) -> Decided {
    let known = known_task(state, &task)?;
    checked_seconds("time_limit_seconds", limit)?;
    checked_seconds("buffer_seconds", buffer)?;
    checked_seconds("countdown_seconds", countdown)?;
    if known.round.as_ref().is_some_and(|round| round.closed_at.is_none_or(|closed| at < closed)) {
        return Err(ContestRefusal::TaskRunning(task));
    }
    let time = &book.rules.time;
    let limit = limit.or(known.spec.time_limit_seconds).map_or(time.limit(), Millis::from_seconds);
    fact(ContestEvent::TaskStarted {
        task,
        round: known.last_round() + 1,
        time_limit_ms: limit.0,
        buffer_ms: buffer.map_or(time.buffer(), Millis::from_seconds).0,
        repeat_ms: time.repeat().0,
        countdown_ms: countdown.map_or(0, |countdown| Millis::from_seconds(countdown).0),
    })
}

/// The closing moves, never into the past; what answers earn stays as it was.
fn adjust_task(state: &ContestState, task: SmolStr, by_seconds: f64, at: Moment) -> Decided {
    checked_seconds("by_seconds", Some(by_seconds.abs()))?;
    let round = known_task(state, &task)?.round.as_ref();
    let Some(round) = round.filter(|round| round.is_running() && round.called_at <= at) else {
        return Err(ContestRefusal::TaskNotRunning(task));
    };
    let by = Millis::from_seconds(by_seconds);
    if round.closes_at() + by <= at.max(round.started_at) {
        return Err(ContestRefusal::TaskOver(task));
    }
    fact(ContestEvent::TaskAdjusted { round: round.number, task, by_ms: by.0 })
}

/// The last of those that the public does not know of; of equal ones, the last by name.
fn reveal_team(state: &ContestState) -> Decided {
    let frozen = state.frozen.as_ref().ok_or(ContestRefusal::BoardsNotFrozen)?;
    let hidden = state.teams.iter().filter(|(name, _)| !frozen.revealed.contains(*name));
    let last = hidden.min_by(|(a, left), (b, right)| left.total.cmp_standing(&right.total).then(b.cmp(a)));
    let (team, _) = last.ok_or(ContestRefusal::NobodyToReveal)?;
    fact(ContestEvent::TeamRevealed { team: team.clone() })
}

/// Twice changes nothing: a hint that was shown is not shown again.
fn show_hint(state: &ContestState, task: SmolStr, round: u32, hint: usize) -> Decided {
    let known = known_task(state, &task)?;
    let current = known.round.as_ref().filter(|current| current.number == round && current.is_running());
    let (Some(current), Some(shown)) = (current, known.spec.hints.get(hint)) else {
        return Err(ContestRefusal::TaskNotRunning(task));
    };
    if current.hints_shown != hint {
        return Ok(Ruling::Decided(Vec::new()));
    }
    fact(ContestEvent::HintShown { round, hint, shown: shown.clone(), task })
}

fn stop_task(state: &ContestState, task: SmolStr, at: Moment) -> Decided {
    let round = known_task(state, &task)?.round.as_ref();
    match round.filter(|round| round.is_running() && round.called_at <= at) {
        Some(round) => fact(ContestEvent::TaskStopped { round: round.number, task }),
        None => Err(ContestRefusal::TaskNotRunning(task)),
    }
}

/// Closes every task whose time is up, because two may end at the same moment; twice changes nothing.
fn close_task(state: &ContestState, task: SmolStr, round: u32, at: Moment) -> Decided {
    let named = known_task(state, &task)?.round.as_ref();
    if named.is_some_and(|named| named.number == round && named.is_running() && at < named.closes_at()) {
        return Err(ContestRefusal::TaskRunning(task));
    }
    let due = running_rounds(state).filter(|(_, _, round)| round.closes_at() <= at);
    let close = |(task, _, round): (&SmolStr, &Task, &Round)| {
        Decision::fact(ContestEvent::TaskClosed { task: task.clone(), round: round.number })
    };
    Ok(Ruling::Decided(due.map(close).collect()))
}

/// Judges an answer of a team that takes part, or will with this answer.
pub(super) fn submit_answer(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    (task, team): (SmolStr, SmolStr),
    answers: Vec<SubmittedAnswer>,
    at: Moment,
) -> Decided {
    let known = known_task(state, &task)?;
    let begun = |round: &&Round| round.started_at <= at && round.started_at <= round.open_until();
    let round = known.round.as_ref().filter(begun);
    let Some(round) = round else { return Err(ContestRefusal::TaskNotStarted(task)) };
    let matching = book.rules.matching;
    let read = answer::read(matching, known.spec.task_type, &answers);
    let read = read.map(|read| (Fingerprint::of(matching, &read), read));

    // First of all: whoever repeats a request after a lost answer must get that answer.
    if let (Ok((fingerprint, _)), Some(member)) = (&read, state.teams.get(&team))
        && let Some(position) = member
            .recent
            .same((&task, round.number), *fingerprint, at, round.repeat)
            // As long as it waits for a judge, there is no verdict after which it could be meant as another attempt.
            .or_else(|| round.waiting_equal(&team, *fingerprint))
    {
        return Ok(Ruling::AsBefore(position));
    }
    let elapsed = at - round.started_at;
    if at > round.open_until() {
        let open_for = round.open_until() - round.started_at;
        return Err(ContestRefusal::TimeLimitExceeded { elapsed, limit: round.time_limit, open_for });
    }
    if let Some(completed) = round.attempts.get(&team).and_then(already_completed) {
        return Err(completed);
    }
    let task_type = known.spec.task_type;
    let read = read.map_err(|problem| ContestRefusal::AnswerMalformed { task_type, problem })?;
    // Where the ground truth came later, what people have said of an equal answer stands, and nobody overtakes
    // their own answer that still waits.
    let by_people = known.spec.is_judged_by_people() || round.waits(&team);
    if by_people || known.remembered.contains_key(&read.0) {
        let received = Received { name: &task, task: known, round, team: &team, answers: &answers, elapsed };
        return judges::receive(book, state, &received, read.0);
    }
    let decision = judged(book, known, round, (task, team), answers, read, elapsed);
    Ok(hidden_if_frozen(decision, state).into())
}

/// Nothing more is taken of a team that is done with the task.
pub(super) fn already_completed(attempts: &Attempts) -> Option<ContestRefusal> {
    let (completed_at, best) = (attempts.completed_at?, attempts.best);
    Some(ContestRefusal::AlreadyCompleted { score: best.map_or(0.0, |best| best.points), completed_at })
}

fn judged(
    book: &Rulebook<ContestRules>,
    task: &Task,
    round: &Round,
    (name, team): (SmolStr, SmolStr),
    answers: Vec<SubmittedAnswer>,
    (fingerprint, read): (Fingerprint, answer::Answer),
    elapsed: Millis,
) -> Decision<ContestEvent> {
    let wrong_before = round.attempts.get(&team).map_or(0, |attempts| attempts.wrong);
    let circumstances = Circumstances { elapsed, limit: round.time_limit, wrong_before };
    let judgement = judging::judge(book, &task.spec, &read, circumstances);
    let event = ContestEvent::AnswerJudged {
        task: name,
        round: round.number,
        team,
        answers,
        fingerprint,
        elapsed_ms: elapsed.0,
        wrong_before,
        outcome: judgement.outcome,
        points: judgement.points,
        completes: judgement.completes,
        frozen: false,
        decided: None,
    };
    Decision::judged(event, &judgement.verdict)
}

pub(super) fn fact(event: ContestEvent) -> Decided {
    Ok(Decision::fact(event).into())
}

fn known_task<'a>(state: &'a ContestState, task: &str) -> Result<&'a Task, ContestRefusal> {
    state.tasks.get(task).ok_or_else(|| ContestRefusal::TaskUnknown(answer::shown(task).into()))
}

/// What people call something: any short text that can be seen.
fn known_team(state: &ContestState, task: &str, team: &SmolStr) -> Result<(), ContestRefusal> {
    known_task(state, task)?;
    match state.teams.contains_key(team) {
        true => Ok(()),
        false => Err(ContestRefusal::TeamUnknown(team.clone())),
    }
}

fn check_title(title: &str) -> Result<(), ContestRefusal> {
    let good =
        !title.trim().is_empty() && title.chars().count() <= 200 && !title.chars().any(char::is_control);
    if good {
        return Ok(());
    }
    Err(ContestRefusal::NameInvalid(format!(
        "`{}` is not a name of 1 to 200 characters",
        answer::shown(title)
    )))
}
