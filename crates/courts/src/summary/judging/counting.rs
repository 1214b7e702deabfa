//! Counts over the findings that both frameworks compute with.

use std::collections::BTreeSet;

use super::super::TextPair;
use super::super::findings::{AnswerStatus, ClaimLabel, Findings, Passage, PointCoverage, Question};
use super::super::rules::{OverlapMeasure, SummaryRules};
use super::count;
use super::detail::SegmentLabel;

/// The counts that both frameworks share.
pub(super) struct FindingCounts {
    pub claims: usize,
    pub unsupported: usize,
    pub partially: usize,
    /// The text of the first unsupported claim.
    pub worst: Option<String>,
    pub unsupported_fraction: f64,
    pub extraneous_tokens: usize,
    pub summary_tokens: usize,
    pub segments: Vec<SegmentLabel>,
    pub article_questions: AnswerCounts,
    pub summary_questions: AnswerCounts,
    /// The number of distinct evidence passages.
    pub distinct_evidence: usize,
}

/// Counts of the answers to one set of questions.
pub(super) struct AnswerCounts {
    pub correct: usize,
    pub partial: usize,
    pub asked: usize,
    /// The mean over the number of questions in the rulebook; missing questions count as wrong.
    pub mean: f64,
    /// Whether two answers have the same evidence.
    pub repeated: bool,
}

/// Counts of the key points that one framework considers.
pub(super) struct KeyPointCounts {
    pub fully: usize,
    pub partial: usize,
    pub not: usize,
}

impl FindingCounts {
    pub(super) fn of(rules: &SummaryRules, findings: &Findings, texts: TextPair<'_>) -> Self {
        let claims = || findings.claims.iter().take(rules.claims as usize);
        let labelled = |label| claims().filter(|claim| claim.label == label).count();
        let unsupported = labelled(ClaimLabel::Unsupported);
        let partially = labelled(ClaimLabel::Partially);
        let worst = claims().find(|claim| claim.label == ClaimLabel::Unsupported);
        let (summary_tokens, extraneous_tokens) = tokens(findings, texts.summary);
        Self {
            claims: claims().count(),
            unsupported,
            partially,
            worst: worst.map(|claim| claim.claim.text.clone()),
            unsupported_fraction: (count(unsupported) + 0.5 * count(partially))
                / count(claims().count()).max(1.0),
            extraneous_tokens,
            summary_tokens,
            segments: segments(rules, findings),
            article_questions: AnswerCounts::of(rules, &findings.article_questions),
            summary_questions: AnswerCounts::of(rules, &findings.summary_questions),
            distinct_evidence: distinct_evidence(findings),
        }
    }

    /// The share of the summary's tokens that are not extraneous.
    pub(super) fn precision(&self) -> f64 {
        let extraneous = count(self.extraneous_tokens.min(self.summary_tokens));
        1.0 - extraneous / count(self.summary_tokens).max(1.0)
    }

    pub(super) fn has_foreign_segment(&self) -> bool {
        self.segments.contains(&SegmentLabel::None)
    }
}

impl AnswerCounts {
    fn of(rules: &SummaryRules, questions: &[Question]) -> Self {
        let asked = rules.questions as usize;
        let questions = questions.iter().take(asked);
        let with = |status| questions.clone().filter(|question| question.status == status).count();
        let correct = with(AnswerStatus::Correct);
        let partial = with(AnswerStatus::Partial);
        let mut seen = BTreeSet::new();
        let mut evidence = questions.clone().filter_map(|question| question.evidence.as_ref());
        let repeated = !evidence.all(|passage| seen.insert(passage));
        Self {
            correct,
            partial,
            asked,
            mean: (count(correct) + 0.5 * count(partial)) / count(asked),
            repeated,
        }
    }
}

impl KeyPointCounts {
    pub(super) fn of(findings: &Findings, most: u32) -> Self {
        let points = findings.key_points.iter().take(most as usize);
        let with = |coverage| points.clone().filter(|point| point.coverage == coverage).count();
        Self {
            fully: with(PointCoverage::Fully),
            partial: with(PointCoverage::Partial),
            not: with(PointCoverage::Not),
        }
    }

    pub(super) const fn total(&self) -> usize {
        self.fully + self.partial + self.not
    }

    pub(super) fn recall(&self) -> f64 {
        (count(self.fully) + 0.5 * count(self.partial)) / count(self.total()).max(1.0)
    }
}

/// The number of words of the summary, and of extraneous words, each counted once.
fn tokens(findings: &Findings, summary: &str) -> (usize, usize) {
    let spans: Vec<(usize, usize)> = findings.extraneous.iter().filter_map(|passage| passage.span).collect();
    let without_place = findings.extraneous.iter().filter(|passage| passage.span.is_none());
    let mut extraneous: usize = without_place.map(|passage| passage.text.split_whitespace().count()).sum();
    let mut all = 0;
    let origin = summary.as_ptr() as usize;
    for word in summary.split_whitespace() {
        let start = word.as_ptr() as usize - origin;
        all += 1;
        extraneous += usize::from(spans.iter().any(|(from, to)| start < *to && *from < start + word.len()));
    }
    (all, extraneous)
}

fn segments(rules: &SummaryRules, findings: &Findings) -> Vec<SegmentLabel> {
    let label = |overlap: f64| match overlap {
        overlap if overlap + 1e-9 >= rules.high => SegmentLabel::High,
        overlap if overlap + 1e-9 >= rules.some => SegmentLabel::Some,
        _ => SegmentLabel::None,
    };
    let overlaps = findings.segments.iter().map(|segment| match rules.overlap {
        OverlapMeasure::Containment => segment.containment,
        OverlapMeasure::Jaccard => segment.jaccard,
    });
    overlaps.map(label).collect()
}

fn distinct_evidence(findings: &Findings) -> usize {
    let points = findings.key_points.iter().flat_map(|point| &point.evidence);
    let claims = findings.claims.iter().flat_map(|claim| &claim.evidence);
    let in_summary = findings.article_questions.iter().filter_map(|question| question.evidence.as_ref());
    let in_article = findings.summary_questions.iter().filter_map(|question| question.evidence.as_ref());
    let summary: BTreeSet<&Passage> = points.chain(in_summary).collect();
    let article: BTreeSet<&Passage> = claims.chain(in_article).collect();
    summary.len() + article.len()
}
