//! Decides commands: events, or a refusal.

use assize_kernel::{CommandContext, Decision, Moment, Role, Rulebook, Ruling, SmolStr, check_name};

use super::document::{chart, checked};
use super::judging::{RadioFindings, RadioJudgement, judge_findings, judge_phase};
use super::messages::{RadioCommand, RadioEvent, SessionOutcome, TurnScore};
use super::refusals::RadioRefusal;
use super::rubric::FindingSource;
use super::rules::{RadioRules, SessionDifficulty};
use super::scenario::ScenarioPhase;
use super::state::{ClassSession, RadioState, failures};

type RadioResult = Result<Ruling<Decision<RadioEvent>>, RadioRefusal>;

/// A transmission as submitted.
struct TransmittedCall {
    text: String,
    confidence: Option<f64>,
    findings: Option<RadioFindings>,
}

pub(super) fn decide(
    book: &Rulebook<RadioRules>,
    state: &RadioState,
    command: RadioCommand,
    context: CommandContext<'_>,
) -> RadioResult {
    if let RadioCommand::OpenClass { name } = command {
        return open_class(book, state, name);
    }
    if state.rulebook.is_none() {
        return Err(RadioRefusal::NotOpen);
    }
    match command {
        RadioCommand::OpenClass { .. } => Err(RadioRefusal::AlreadyOpen),
        RadioCommand::OpenSession { session, student, scenario, difficulty } => {
            open_session(book, state, session, student, &scenario, difficulty)
        }
        RadioCommand::Transmit { session, student, text, confidence, findings } => {
            transmit(book, state, session, student, TransmittedCall { text, confidence, findings })
        }
        RadioCommand::EndIdleSession { session, turns } => end_idle(state, session, turns, context.at),
        RadioCommand::OverruleTurn { session, turn, findings, reason } => {
            overrule(book, state, session, turn, findings, reason, context)
        }
    }
}

/// The earliest idle deadline of all sessions.
pub(super) fn deadline(state: &RadioState) -> Option<(Moment, RadioCommand)> {
    let idle = state.sessions.iter().filter_map(|(name, session)| Some((session.idle_at()?, name, session)));
    let (at, name, session) = idle.min_by_key(|(at, ..)| *at)?;
    let turns = u32::try_from(session.turns.len()).unwrap_or(u32::MAX);
    Some((at, RadioCommand::EndIdleSession { session: name.clone(), turns }))
}

fn open_class(book: &Rulebook<RadioRules>, state: &RadioState, name: String) -> RadioResult {
    if state.rulebook.is_some() {
        return Err(RadioRefusal::AlreadyOpen);
    }
    if name.trim().is_empty() || name.len() > 200 {
        return Err(RadioRefusal::NameInvalid("a name has 1 to 200 bytes".to_owned()));
    }
    Ok(Decision::fact(RadioEvent::ClassOpened { name, rulebook: book.reference.clone() }).into())
}

fn open_session(
    book: &Rulebook<RadioRules>,
    state: &RadioState,
    session: SmolStr,
    student: SmolStr,
    scenario: &str,
    difficulty: SessionDifficulty,
) -> RadioResult {
    check_name(&session)?;
    check_name(&student)?;
    if state.sessions.contains_key(&session) {
        return Err(RadioRefusal::SessionExists(session));
    }
    let chart = chart(scenario)?.into_owned();
    let idle_ms = book.rules.session.idle().0;
    Ok(Decision::fact(RadioEvent::SessionOpened { session, student, chart, difficulty, idle_ms }).into())
}

/// Looks up a session and refuses one that has ended.
fn running<'s>(state: &'s RadioState, name: &SmolStr) -> Result<&'s ClassSession, RadioRefusal> {
    let session = state.sessions.get(name).ok_or_else(|| RadioRefusal::SessionUnknown(name.clone()))?;
    match session.ended {
        Some((outcome, _)) => Err(RadioRefusal::SessionOver(outcome.as_str())),
        None => Ok(session),
    }
}

fn transmit(
    book: &Rulebook<RadioRules>,
    state: &RadioState,
    name: SmolStr,
    student: SmolStr,
    said: TransmittedCall,
) -> RadioResult {
    let session = running(state, &name)?;
    if session.student != student {
        return Err(RadioRefusal::SessionForeign);
    }
    checked("text", &said.text)?;
    let phase = session.current().ok_or(RadioRefusal::SessionOver("completed"))?;
    let (judged, ended) = judged(book, session, &name, phase, said)?;
    let mut decisions = vec![judged];
    if let Some(outcome) = ended {
        decisions.push(Decision::fact(RadioEvent::SessionEnded { session: name, student, outcome }));
    }
    Ok(Ruling::Decided(decisions))
}

/// Judges a turn; also returns the outcome if the turn ends the session.
fn judged(
    book: &Rulebook<RadioRules>,
    session: &ClassSession,
    name: &SmolStr,
    phase: &ScenarioPhase,
    said: TransmittedCall,
) -> Result<(Decision<RadioEvent>, Option<SessionOutcome>), RadioRefusal> {
    let TransmittedCall { text, confidence, findings } = said;
    let judgement = match &findings {
        Some(findings) => judge_findings(book, findings).map_err(RadioRefusal::FindingsInvalid)?,
        None => judge_phase(book, session.difficulty, &session.chart, phase, &text),
    };
    let score = TurnScore::of(&judgement);
    let next = if judgement.stays { Some(phase.name.clone()) } else { phase.next.clone() };
    let ended = match failures(session.failures, &score) {
        many if many >= book.rules.session.safety_failures => Some(SessionOutcome::SafetyBlock),
        _ => next.is_none().then_some(SessionOutcome::Completed),
    };
    let event = RadioEvent::TurnJudged {
        session: name.clone(),
        student: session.student.clone(),
        turn: u32::try_from(session.turns.len() + 1).unwrap_or(u32::MAX),
        phase: phase.name.clone(),
        text,
        confidence,
        findings,
        score,
        next,
    };
    Ok((Decision::judged(event, &judgement.verdict), ended))
}

fn end_idle(state: &RadioState, name: SmolStr, turns: u32, at: Moment) -> RadioResult {
    let session = running(state, &name)?;
    let same = u32::try_from(session.turns.len()).is_ok_and(|now| now == turns);
    if !same || session.idle_at().is_none_or(|due| at < due) {
        return Err(RadioRefusal::NotIdle);
    }
    let student = session.student.clone();
    let outcome = SessionOutcome::Timeout;
    Ok(Decision::fact(RadioEvent::SessionEnded { session: name, student, outcome }).into())
}

fn overrule(
    book: &Rulebook<RadioRules>,
    state: &RadioState,
    name: SmolStr,
    turn: u32,
    findings: RadioFindings,
    reason: String,
    context: CommandContext<'_>,
) -> RadioResult {
    let session = state.sessions.get(&name).ok_or_else(|| RadioRefusal::SessionUnknown(name.clone()))?;
    let known = usize::try_from(turn).ok().and_then(|turn| session.turns.get(turn.checked_sub(1)?));
    let known = known.ok_or(RadioRefusal::TurnUnknown(turn))?;
    let by_bench = context.actor.role == Role::System;
    // A bench cannot overrule an instructor.
    if by_bench && known.overruled.as_ref().is_some_and(|overruled| !overruled.is_by_bench()) {
        return Err(RadioRefusal::TurnOverruled);
    }
    if reason.trim().is_empty() {
        return Err(RadioRefusal::ReasonMissing);
    }
    let by = if by_bench { findings.by } else { FindingSource::Person };
    let findings = RadioFindings { by, ..findings };
    let judgement = judge_findings(book, &findings).map_err(RadioRefusal::FindingsInvalid)?;
    let event = RadioEvent::TurnOverruled {
        session: name,
        student: session.student.clone(),
        turn,
        findings,
        reason,
        by: context.actor.to_string(),
        score: TurnScore::of(&judgement),
    };
    Ok(Decision::judged(event, &judgement.verdict).into())
}

/// Judges a recorded turn again, on the state just before it.
pub(super) fn judge_again(
    book: &Rulebook<RadioRules>,
    state: &RadioState,
    event: &RadioEvent,
) -> Option<Decision<RadioEvent>> {
    match event {
        RadioEvent::TurnJudged { session: name, phase, text, confidence, findings, .. } => {
            let said =
                TransmittedCall { text: text.clone(), confidence: *confidence, findings: findings.clone() };
            let session = state.sessions.get(name)?;
            let phase = session.chart.scenario.phase(phase)?;
            let (decision, _) = judged(book, session, name, phase, said).ok()?;
            Some(decision)
        }
        RadioEvent::TurnOverruled { findings, .. } => {
            let judgement = judge_findings(book, findings).ok()?;
            let mut again = event.clone();
            if let RadioEvent::TurnOverruled { score, .. } = &mut again {
                *score = TurnScore::of(&judgement);
            }
            Some(Decision::judged(again, &judgement.verdict))
        }
        _ => None,
    }
}

impl TurnScore {
    pub(super) fn of(judgement: &RadioJudgement) -> Self {
        let detail = &judgement.verdict.detail;
        Self {
            normalized: detail.normalized,
            score_delta: detail.score_delta,
            safety_flag: detail.safety_flag,
            blocked: judgement.is_blocked(),
            phrase_accuracy: detail.phrase_accuracy,
            ordering: detail.ordering,
            omissions: detail.omissions,
            safety: detail.safety,
        }
    }
}
