//! Command handling: turns each command into events, or refuses it.

use assize_kernel::{Decision, Rulebook, RulebookRef, Ruling, check_name};

use super::document::{assess, weigh};
use super::messages::{SummaryCommand, SummaryEvent};
use super::refusals::SummaryRefusal;
use super::rules::SummaryRules;
use super::state::SummaryState;
use super::{TextPair, judging, reading};

type SummaryResult = Result<Ruling<Decision<SummaryEvent>>, SummaryRefusal>;

pub(super) fn decide(
    book: &Rulebook<SummaryRules>,
    state: &SummaryState,
    command: &SummaryCommand,
) -> SummaryResult {
    match command {
        SummaryCommand::OpenRun { name } => open(book, state, name),
        _ if state.rulebook.is_none() => Err(SummaryRefusal::NotOpen),
        SummaryCommand::JudgeSummary { item, model, article, summary, findings, assessor, remarks } => {
            check_name(item)?;
            if let Some(model) = model {
                check_name(model)?;
            }
            if state.items.contains_key(item) {
                return Err(SummaryRefusal::ItemExists(item.clone()));
            }
            let texts = TextPair { article, summary };
            let mut verdict = match (findings, assessor) {
                (None, _) => assess(book, texts)?,
                // The server did the reading before it submitted the command, so that it does not block the
                // writer.
                (Some(findings), Some(assessor)) if *assessor == reading::ASSESSOR => {
                    judging::judge(book, texts, (**findings).clone(), assessor.clone())
                }
                (Some(findings), Some(assessor)) => {
                    weigh(book, texts, (**findings).clone(), assessor.clone())?
                }
                (Some(_), None) => return Err(SummaryRefusal::FindingsMissing("assessor".to_owned())),
            };
            verdict.reasons.extend(remarks.iter().cloned());
            let event = SummaryEvent::SummaryJudged {
                item: item.clone(),
                model: model.clone(),
                article: article.clone(),
                summary: summary.clone(),
                findings: Box::new(verdict.detail.findings.clone()),
                assessor: verdict.assessor.clone(),
                twin_lock: verdict.detail.twin_lock.total,
                judge_lock: verdict.detail.judge_lock.total,
                remarks: remarks.clone(),
            };
            Ok(Decision::judged(event, &verdict).into())
        }
    }
}

fn open(book: &Rulebook<SummaryRules>, state: &SummaryState, name: &str) -> SummaryResult {
    if state.rulebook.is_some() {
        return Err(SummaryRefusal::AlreadyOpen);
    }
    let good = !name.trim().is_empty() && name.chars().count() <= 200 && !name.chars().any(char::is_control);
    if !good {
        return Err(SummaryRefusal::NameInvalid("name: must have 1 to 200 characters".to_owned()));
    }
    let event = SummaryEvent::RunOpened { name: name.to_owned(), rulebook: book.reference.clone() };
    Ok(Decision::fact(event).into())
}

/// Computes a recorded verdict again from the recorded findings.
pub(super) fn judge_again(
    book: &Rulebook<SummaryRules>,
    event: &SummaryEvent,
) -> Option<Decision<SummaryEvent>> {
    let SummaryEvent::SummaryJudged { item, model, article, summary, findings, assessor, remarks, .. } =
        event
    else {
        return None;
    };
    let mut verdict =
        judging::judge(book, TextPair { article, summary }, (**findings).clone(), assessor.clone());
    verdict.reasons.extend(remarks.iter().cloned());
    let again = SummaryEvent::SummaryJudged {
        item: item.clone(),
        model: model.clone(),
        article: article.clone(),
        summary: summary.clone(),
        findings: findings.clone(),
        assessor: assessor.clone(),
        twin_lock: verdict.detail.twin_lock.total,
        judge_lock: verdict.detail.judge_lock.total,
        remarks: remarks.clone(),
    };
    Some(Decision::judged(again, &verdict))
}

/// The opening event of a run under another rulebook; none for other events.
pub(super) fn under(event: &SummaryEvent, rulebook: &RulebookRef) -> Option<SummaryEvent> {
    match event {
        SummaryEvent::RunOpened { name, .. } => {
            Some(SummaryEvent::RunOpened { name: name.clone(), rulebook: rulebook.clone() })
        }
        SummaryEvent::SummaryJudged { .. } => None,
    }
}
