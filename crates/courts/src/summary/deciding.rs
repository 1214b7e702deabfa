//! What follows from each command, or why nothing does.

use assize_kernel::{Decision, Rulebook, RulebookRef, Ruling, check_name};

use super::document::{assess, weigh};
use super::messages::{SummaryCommand, SummaryEvent};
use super::refusals::SummaryRefusal;
use super::rules::SummaryRules;
use super::state::SummaryState;
use super::{Texts, judging, reading};

type Decided = Result<Ruling<SummaryEvent>, SummaryRefusal>;

pub(super) fn decide(
    book: &Rulebook<SummaryRules>,
    state: &SummaryState,
    command: &SummaryCommand,
) -> Decided {
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
            let texts = Texts { article, summary };
            let mut verdict = match (findings, assessor) {
                (None, _) => assess(book, texts)?,
                // Read before it came here, so that nobody has to wait for it.
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

fn open(book: &Rulebook<SummaryRules>, state: &SummaryState, name: &str) -> Decided {
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

/// Computes a recorded verdict once more, from the findings that were recorded with it.
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
        judging::judge(book, Texts { article, summary }, (**findings).clone(), assessor.clone());
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

/// The opening of a run as it would have been under another rulebook; none for any other event.
pub(super) fn under(event: &SummaryEvent, rulebook: &RulebookRef) -> Option<SummaryEvent> {
    match event {
        SummaryEvent::RunOpened { name, .. } => {
            Some(SummaryEvent::RunOpened { name: name.clone(), rulebook: rulebook.clone() })
        }
        SummaryEvent::SummaryJudged { .. } => None,
    }
}
