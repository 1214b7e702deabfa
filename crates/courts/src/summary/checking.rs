//! Validation of findings against the two texts and against each other.

use super::TextPair;
use super::findings::{AnswerStatus, ClaimLabel, Findings, Passage, Question, ReadingNote};
use super::refusals::SummaryRefusal;
use super::rules::SummaryRules;

/// Checks everything that must hold for the findings of any assessor.
pub(super) fn check(
    rules: &SummaryRules,
    findings: &Findings,
    texts: TextPair<'_>,
) -> Result<(), SummaryRefusal> {
    check_counts(rules, findings)?;
    check_measures(findings)?;
    for (number, point) in findings.key_points.iter().enumerate() {
        let field = format!("key_points[{number}]");
        let least = rules.judge_lock.key_point_tokens as usize;
        if point.point.text.split_whitespace().count() < least {
            return wrong(field, format!("has fewer than {least} words"));
        }
        placed(&format!("{field}.point"), &point.point, texts.article)?;
        quoted(&format!("{field}.evidence"), &point.evidence, texts.summary)?;
    }
    for (number, claim) in findings.claims.iter().enumerate() {
        let field = format!("claims[{number}]");
        if claim.label == ClaimLabel::Supported && !claim.against.is_empty() {
            return wrong(field, "is Supported, and something speaks against it".to_owned());
        }
        placed(&format!("{field}.claim"), &claim.claim, texts.summary)?;
        quoted(&format!("{field}.evidence"), &claim.evidence, texts.article)?;
    }
    check_questions("article_questions", &findings.article_questions, texts.summary)?;
    check_questions("summary_questions", &findings.summary_questions, texts.article)?;
    quoted("extraneous", &findings.extraneous, texts.summary)?;
    for (number, issue) in findings.issues.iter().enumerate() {
        quoted(&format!("issues[{number}].words"), std::slice::from_ref(&issue.words), texts.summary)?;
    }
    Ok(())
}

fn check_counts(rules: &SummaryRules, findings: &Findings) -> Result<(), SummaryRefusal> {
    let least = rules.twin_lock.key_points_min.min(rules.judge_lock.key_points_min) as usize;
    let most = rules.twin_lock.key_points_max.max(rules.judge_lock.key_points_max) as usize;
    let points = findings.key_points.len();
    let short = findings.notes.contains(&ReadingNote::ArticleShort);
    if points > most || points == 0 || points < least && !short {
        let problem =
            format!("must be {least} to {most}, or fewer with the note `article_short`, are {points}");
        return wrong("key_points".to_owned(), problem);
    }
    let questions = rules.questions as usize;
    for (field, count, most) in [
        ("claims", findings.claims.len(), rules.claims as usize),
        ("article_questions", findings.article_questions.len(), questions),
        ("summary_questions", findings.summary_questions.len(), questions),
    ] {
        if count > most {
            return wrong(field.to_owned(), format!("at most {most}, are {count}"));
        }
    }
    for (field, empty) in [("claims", findings.claims.is_empty()), ("segments", findings.segments.is_empty())]
    {
        if empty {
            return Err(SummaryRefusal::FindingsMissing(field.to_owned()));
        }
    }
    Ok(())
}

fn check_measures(findings: &Findings) -> Result<(), SummaryRefusal> {
    let measures = [("support", findings.support), ("recall", findings.recall)];
    let segments = findings.segments.iter().flat_map(|segment| {
        [("segments.containment", Some(segment.containment)), ("segments.jaccard", Some(segment.jaccard))]
    });
    for (field, value) in measures.into_iter().chain(segments) {
        if value.is_some_and(|value| !(0.0..=1.0).contains(&value)) {
            return wrong(field.to_owned(), "must be from 0 to 1".to_owned());
        }
    }
    Ok(())
}

fn check_questions(field: &str, questions: &[Question], text: &str) -> Result<(), SummaryRefusal> {
    for (number, question) in questions.iter().enumerate() {
        let field = format!("{field}[{number}]");
        match &question.evidence {
            Some(evidence) => quoted(&format!("{field}.evidence"), std::slice::from_ref(evidence), text)?,
            None if question.status == AnswerStatus::Correct => {
                return wrong(field, "is Correct without evidence".to_owned());
            }
            None => {}
        }
    }
    Ok(())
}

/// Checks that a passage with a span stands there; one without a span may be a paraphrase.
fn placed(field: &str, passage: &Passage, text: &str) -> Result<(), SummaryRefusal> {
    let Some((start, end)) = passage.span else { return Ok(()) };
    if text.get(start..end) == Some(passage.text.as_str()) {
        return Ok(());
    }
    wrong(field.to_owned(), format!("`{}` does not stand at {start} to {end}", passage.text))
}

/// Checks that every passage is a verbatim quotation of the text.
fn quoted(field: &str, passages: &[Passage], text: &str) -> Result<(), SummaryRefusal> {
    for passage in passages {
        placed(field, passage, text)?;
        if passage.text.is_empty() || !text.contains(&passage.text) {
            return wrong(field.to_owned(), format!("`{}` is not in the text", passage.text));
        }
    }
    Ok(())
}

fn wrong(field: String, problem: String) -> Result<(), SummaryRefusal> {
    Err(SummaryRefusal::FindingsContradictory { field, problem })
}
