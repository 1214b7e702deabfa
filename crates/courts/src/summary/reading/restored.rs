//! Near copies: a sentence with a few changed words must not score higher than the original sentence.

use super::copies::NearCopy;
use super::passages::of_tokens;
use super::text::TokenizedText;
use crate::summary::findings::{
    AnswerStatus, DriftAspect, DriftDegree, Findings, PointCoverage, ReadingNote, SummaryTone,
};

/// No more summaries than this are read beside the one there is, and no more than two of one that has so many words.
const MOST: usize = 6;
const LONG: usize = 2_000;

/// The summary with the article's words in the place of what is nearly the same; several, when it is nearly the same
/// as several. A line that ends there may have ended here or not: both are tried.
pub(super) fn summaries(
    summary: &TokenizedText<'_>,
    article: &TokenizedText<'_>,
    near: &[NearCopy],
) -> Vec<String> {
    let choices = near.iter().map(|near| near.places.len()).max().unwrap_or_default();
    let mut restored: Vec<String> = Vec::new();
    for choice in 0..choices {
        for in_lines in [false, true] {
            let text = summary_with(summary, article, near, choice, in_lines);
            if text != summary.source && !restored.contains(&text) {
                restored.push(text);
            }
        }
    }
    restored.truncate(if summary.tokens.len() > LONG { 2 } else { MOST });
    restored
}

fn summary_with(
    summary: &TokenizedText<'_>,
    article: &TokenizedText<'_>,
    near: &[NearCopy],
    choice: usize,
    in_lines: bool,
) -> String {
    let mut text = String::with_capacity(summary.source.len() + 64);
    let mut written = 0;
    for near in near {
        let Some(place) = near.places.get(choice).or(near.places.last()) else { continue };
        let own = of_tokens(summary, near.tokens.clone()).span.unwrap_or_default();
        text.push_str(summary.words(written..own.0));
        let there = of_tokens(article, place.clone()).text;
        text.push_str(&if in_lines { there } else { there.replace('\n', " ") });
        written = own.1;
    }
    text.push_str(summary.words(written..summary.source.len()));
    text
}

/// Lowers every finding that is better than in the restored summary, and adds a note.
///
/// Claims, segments and issues are left alone: in a copy all of them are backed, contained and quoted.
pub(super) fn bound(findings: &mut Findings, restored: Findings, wanted: usize) {
    let before = findings.clone();
    for (point, other) in findings.key_points.iter_mut().zip(&restored.key_points) {
        if amount(other.coverage) < amount(point.coverage) {
            point.coverage = other.coverage;
            point.evidence.retain(|_| other.coverage != PointCoverage::Not);
        }
    }
    for (question, other) in findings.article_questions.iter_mut().zip(&restored.article_questions) {
        if worth(other.status) < worth(question.status) {
            question.status = other.status;
        }
    }
    findings.summary_questions.truncate(restored.summary_questions.len());
    if findings.summary_questions.len() < wanted && !findings.notes.contains(&ReadingNote::QuestionsFew) {
        findings.notes.push(ReadingNote::QuestionsFew);
    }
    for deviation in restored.deviations {
        let (aspect, degree) = (deviation.aspect, depth(deviation.degree));
        let mut own = findings.deviations.iter_mut().filter(|own| own.aspect == aspect);
        match own.next() {
            _ if aspect == DriftAspect::Meaning => {}
            None => findings.deviations.push(deviation),
            Some(own) if depth(own.degree) < degree => *own = deviation,
            Some(_) => {}
        }
    }
    if cost(restored.tone) > cost(findings.tone) {
        findings.tone = restored.tone;
    }
    findings.support = lower(findings.support, restored.support);
    findings.recall = lower(findings.recall, restored.recall);
    if *findings != before && !findings.notes.contains(&ReadingNote::NearlyCopied) {
        findings.notes.push(ReadingNote::NearlyCopied);
    }
}

fn lower(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.zip(other).map(|(one, other)| one.min(other))
}

const fn amount(coverage: PointCoverage) -> u8 {
    match coverage {
        PointCoverage::Not => 0,
        PointCoverage::Partial => 1,
        PointCoverage::Fully => 2,
    }
}

const fn worth(status: AnswerStatus) -> u8 {
    match status {
        AnswerStatus::Wrong => 0,
        AnswerStatus::Partial => 1,
        AnswerStatus::Correct => 2,
    }
}

const fn depth(degree: DriftDegree) -> u8 {
    match degree {
        DriftDegree::Mild => 0,
        DriftDegree::Moderate => 1,
        DriftDegree::Severe => 2,
    }
}

/// A tone that is charged more than another.
const fn cost(tone: SummaryTone) -> u8 {
    match tone {
        SummaryTone::Neutral | SummaryTone::Unclear => 0,
        SummaryTone::Subjective => 1,
        SummaryTone::Hostile => 2,
    }
}
