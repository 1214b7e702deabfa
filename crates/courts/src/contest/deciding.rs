//! Decides commands: turns each into events or a refusal.

use assize_kernel::{
    CommandContext, Decision, Digest, Millis, Moment, Rulebook, Ruling, SmolStr, check_name,
};

use super::answer;
use super::fingerprint::AnswerFingerprint;
use super::import::{self, ImportedTask};
use super::judges;
use super::judging::{self, AttemptContext};
use super::messages::{ContestCommand, ContestEvent};
use super::open_house;
use super::people::{self, ReceivedAnswer};
use super::programme::running_rounds;
use super::refusals::ContestRefusal;
use super::rules::ContestRules;
use super::state::{ContestState, ContestTask, TaskRound, TeamAttempts};
use super::submission::SubmittedAnswer;
use super::task::{TaskSpec, checked_seconds};

pub(super) type ContestRuling = Result<Ruling<Decision<ContestEvent>>, ContestRefusal>;

pub(super) fn decide(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    command: ContestCommand,
    context: CommandContext<'_>,
) -> ContestRuling {
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
            start_task(book, state, task, time_limit_seconds, buffer_seconds, countdown_seconds, context.at)
        }
        ContestCommand::AdjustTask { task, by_seconds } => adjust_task(state, task, by_seconds, context.at),
        ContestCommand::SetProgramme { pause_seconds } => set_programme(pause_seconds),
        ContestCommand::FreezeBoards {} if state.frozen.is_some() => Err(ContestRefusal::BoardsFrozen),
        ContestCommand::FreezeBoards {} => fact(ContestEvent::BoardsFrozen {}),
        ContestCommand::UnfreezeBoards {} if state.frozen.is_none() => Err(ContestRefusal::BoardsNotFrozen),
        ContestCommand::UnfreezeBoards {} => fact(ContestEvent::BoardsUnfrozen {}),
        ContestCommand::RevealTeam {} => reveal_team(state),
        ContestCommand::ShowHint { task, round, hint } => show_hint(state, task, round, hint),
        ContestCommand::StopTask { task } => stop_task(state, task, context.at),
        ContestCommand::CloseTask { task, round } => close_task(state, task, round, context.at),
        ContestCommand::SubmitAnswer { task, team, answers } => {
            known_team(state, &task, &team)?;
            submit_answer(book, state, task, team, answers, context.at)
        }
        ContestCommand::SubmitOpenly { task, team, answers } => {
            open_house::submit(book, state, task, team, answers, context.at)
        }
        ContestCommand::ResetTasks {} => reset_tasks(state),
        ContestCommand::TakeAnswer {} => judges::take(book, state, context),
        ContestCommand::RenewAnswer { answer } => judges::renew(book, state, answer, context),
        ContestCommand::GiveBackAnswer { answer } => judges::give_back(state, answer, context),
        ContestCommand::DecideAnswer { answer, outcome, note } => {
            judges::decide(book, state, answer, outcome, note, context)
        }
    }
}

/// The next timer and the command that it fires.
pub(super) fn deadline(state: &ContestState) -> Option<(Moment, ContestCommand)> {
    state.due.as_ref().map(|due| (due.at, due.command.clone()))
}

/// Judges a recorded answer again, on the state just before it.
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
        let received = ReceivedAnswer {
            name: task,
            task: known,
            round: current,
            team,
            answers,
            elapsed: Millis(*elapsed_ms),
        };
        let decision = people::judged(book, &received, known.word_again(*fingerprint, decided));
        return decision.map(|decision| hidden_if_frozen(decision, state));
    }
    let matching = book.rules.matching;
    let read = answer::read(matching, known.spec.task_type, answers).ok()?;
    let decision = judged(
        book,
        known,
        current,
        task.clone(),
        team.clone(),
        answers.clone(),
        AnswerFingerprint::of(matching, &read),
        &read,
        Millis(*elapsed_ms),
    );
    Some(hidden_if_frozen(decision, state))
}

/// Hides the outcome of an answer from the public while the boards are frozen.
pub(super) fn hidden_if_frozen(
    mut decision: Decision<ContestEvent>,
    state: &ContestState,
) -> Decision<ContestEvent> {
    if let ContestEvent::AnswerJudged { frozen, .. } = &mut decision.event {
        *frozen = state.frozen.is_some();
    }
    decision
}

fn open(book: &Rulebook<ContestRules>, state: &ContestState, name: String) -> ContestRuling {
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
) -> ContestRuling {
    check_name(&team)?;
    if let Some(name) = &name {
        check_title(name)?;
    }
    if state.teams.contains_key(&team) {
        return Err(ContestRefusal::TeamExists(team));
    }
    fact(ContestEvent::TeamRegistered { team, name, contact })
}

fn set_programme(pause_seconds: Option<f64>) -> ContestRuling {
    checked_seconds("pause_seconds", pause_seconds)?;
    let pause_ms = pause_seconds.map(|pause| Millis::from_seconds(pause).0);
    fact(ContestEvent::ProgrammeSet { pause_ms })
}

fn reset_tasks(state: &ContestState) -> ContestRuling {
    let rounds = state.tasks.values().filter(|task| task.round.is_some()).count();
    fact(ContestEvent::TasksReset { rounds: u32::try_from(rounds).unwrap_or(u32::MAX) })
}

fn add_task(state: &ContestState, task: SmolStr, spec: TaskSpec) -> ContestRuling {
    check_name(&task)?;
    if state.tasks.contains_key(&task) {
        return Err(ContestRefusal::TaskExists(task));
    }
    checked_seconds("time_limit_seconds", spec.time_limit_seconds)?;
    fact(ContestEvent::TaskAdded { task, spec: spec.checked()? })
}

fn import_tasks(state: &ContestState, csv: &str) -> ContestRuling {
    let tasks = import::read(csv, |name| state.tasks.contains_key(name));
    let tasks = tasks.map_err(ContestRefusal::ImportInvalid)?;
    let added = |ImportedTask { task, spec, .. }| Decision::fact(ContestEvent::TaskAdded { task, spec });
    Ok(Ruling::Decided(tasks.into_iter().map(added).collect()))
}

fn start_task(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    task: SmolStr,
    limit: Option<f64>,
    buffer: Option<f64>,
    countdown: Option<f64>,
    at: Moment,
) -> ContestRuling {
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

/// Moves the closing time, never into the past; the scoring of answers does not change.
fn adjust_task(state: &ContestState, task: SmolStr, by_seconds: f64, at: Moment) -> ContestRuling {
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

/// Reveals the lowest team that is still hidden; among equals, the last by name.
fn reveal_team(state: &ContestState) -> ContestRuling {
    let frozen = state.frozen.as_ref().ok_or(ContestRefusal::BoardsNotFrozen)?;
    let hidden = state.teams.iter().filter(|(name, _)| !frozen.revealed.contains(*name));
    let last = hidden.min_by(|(a, left), (b, right)| left.total.cmp_standing(&right.total).then(b.cmp(a)));
    let (team, _) = last.ok_or(ContestRefusal::NobodyToReveal)?;
    fact(ContestEvent::TeamRevealed { team: team.clone() })
}

/// Shows a hint. Idempotent: a hint that was shown is not shown again.
fn show_hint(state: &ContestState, task: SmolStr, round: u32, hint: usize) -> ContestRuling {
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

fn stop_task(state: &ContestState, task: SmolStr, at: Moment) -> ContestRuling {
    let round = known_task(state, &task)?.round.as_ref();
    match round.filter(|round| round.is_running() && round.called_at <= at) {
        Some(round) => fact(ContestEvent::TaskStopped { round: round.number, task }),
        None => Err(ContestRefusal::TaskNotRunning(task)),
    }
}

/// Closes every task whose time is up, because several may end at the same moment. Idempotent.
fn close_task(state: &ContestState, task: SmolStr, round: u32, at: Moment) -> ContestRuling {
    let named = known_task(state, &task)?.round.as_ref();
    if named.is_some_and(|named| named.number == round && named.is_running() && at < named.closes_at()) {
        return Err(ContestRefusal::TaskRunning(task));
    }
    let due = running_rounds(state).filter(|(_, _, round)| round.closes_at() <= at);
    let close = |(task, _, round): (&SmolStr, &ContestTask, &TaskRound)| {
        Decision::fact(ContestEvent::TaskClosed { task: task.clone(), round: round.number })
    };
    Ok(Ruling::Decided(due.map(close).collect()))
}

/// Judges an answer of a registered team, or of a team that this answer registers.
pub(super) fn submit_answer(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    task: SmolStr,
    team: SmolStr,
    answers: Vec<SubmittedAnswer>,
    at: Moment,
) -> ContestRuling {
    let known = known_task(state, &task)?;
    let begun = |round: &&TaskRound| round.started_at <= at && round.started_at <= round.open_until();
    let round = known.round.as_ref().filter(begun);
    let Some(round) = round else { return Err(ContestRefusal::TaskNotStarted(task)) };
    let matching = book.rules.matching;
    let read = answer::read(matching, known.spec.task_type, &answers);
    let read = read.map(|read| (AnswerFingerprint::of(matching, &read), read));

    // Checked first: a client that retries a request after a lost response must get the original verdict.
    if let (Ok((fingerprint, _)), Some(member)) = (&read, state.teams.get(&team))
        && let Some(position) = member
            .recent
            .same(&task, round.number, *fingerprint, at, round.repeat)
            // While an equal answer waits for a judge, a repetition cannot be meant as another attempt.
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
    let (fingerprint, read) =
        read.map_err(|problem| ContestRefusal::AnswerMalformed { task_type, problem })?;
    // If the ground truth was added later, earlier human decisions on equal answers still stand, and a team's
    // answer never overtakes an earlier one that is still waiting.
    let by_people = known.spec.is_judged_by_people() || round.waits(&team);
    if by_people || known.remembered.contains_key(&fingerprint) {
        let received =
            ReceivedAnswer { name: &task, task: known, round, team: &team, answers: &answers, elapsed };
        return judges::receive(book, state, &received, fingerprint);
    }
    let decision = judged(book, known, round, task, team, answers, fingerprint, &read, elapsed);
    Ok(hidden_if_frozen(decision, state).into())
}

/// Refuses further answers of a team that has completed the task.
pub(super) fn already_completed(attempts: &TeamAttempts) -> Option<ContestRefusal> {
    let completed_at = attempts.completed_at?;
    let score = attempts.best.map_or(0.0, |best| best.points);
    Some(ContestRefusal::AlreadyCompleted { score, completed_at })
}

fn judged(
    book: &Rulebook<ContestRules>,
    task: &ContestTask,
    round: &TaskRound,
    name: SmolStr,
    team: SmolStr,
    answers: Vec<SubmittedAnswer>,
    fingerprint: AnswerFingerprint,
    read: &answer::ParsedAnswer,
    elapsed: Millis,
) -> Decision<ContestEvent> {
    let wrong_before = round.attempts.get(&team).map_or(0, |attempts| attempts.wrong);
    let circumstances = AttemptContext { elapsed, limit: round.time_limit, wrong_before };
    let judgement = judging::judge(book, &task.spec, read, circumstances);
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

pub(super) fn fact(event: ContestEvent) -> ContestRuling {
    Ok(Decision::fact(event).into())
}

fn known_task<'a>(state: &'a ContestState, task: &str) -> Result<&'a ContestTask, ContestRefusal> {
    state.tasks.get(task).ok_or_else(|| ContestRefusal::TaskUnknown(answer::shown(task).into()))
}

fn known_team(state: &ContestState, task: &str, team: &SmolStr) -> Result<(), ContestRefusal> {
    known_task(state, task)?;
    match state.teams.contains_key(team) {
        true => Ok(()),
        false => Err(ContestRefusal::TeamUnknown(team.clone())),
    }
}

/// A display name is any short text without control characters.
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
