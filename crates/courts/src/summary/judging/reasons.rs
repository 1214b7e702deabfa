//! The reasons of a verdict, with passages of both texts as evidence.

use assize_kernel::{Evidence, Reason, Severity};

use super::super::findings::{
    Claim, ClaimLabel, DriftDegree, Findings, IssueKind, Passage, PointCoverage, ReadingNote,
};
use super::counting::FindingCounts;
use super::detail::SegmentLabel;

/// Lists unsupported claims first, then issues, deviations, foreign segments, partial claims and missing
/// points.
pub(super) fn of(findings: &Findings, counted: &FindingCounts) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let claims = || findings.claims.iter().take(counted.claims);
    reasons.extend(claims().filter(|claim| claim.label == ClaimLabel::Unsupported).map(unsupported));
    reasons.extend(findings.issues.iter().filter(|issue| !issue.quoted).map(|issue| {
        let (code, severity, what) = match issue.kind {
            IssueKind::Slur => ("summary.issue.slur", Severity::Critical, "a slur"),
            IssueKind::Profanity => ("summary.issue.profanity", Severity::Major, "a coarse word"),
            IssueKind::Insult => ("summary.issue.insult", Severity::Major, "an insult"),
            IssueKind::Stereotype => ("summary.issue.stereotype", Severity::Major, "a stereotype"),
            IssueKind::BiasedWording => {
                ("summary.issue.biased_wording", Severity::Minor, "words that take a side")
            }
        };
        showing(Reason::new(code, severity, what), "summary", [&issue.words])
    }));
    reasons.extend(findings.deviations.iter().map(|deviation| {
        let severity = match deviation.degree {
            DriftDegree::Mild => Severity::Minor,
            DriftDegree::Moderate => Severity::Major,
            DriftDegree::Severe => Severity::Critical,
        };
        let reason = Reason::new("summary.alignment.deviation", severity, deviation.description.clone());
        showing(reason, "summary", &deviation.evidence)
    }));
    let segments = findings.segments.iter().zip(&counted.segments);
    reasons.extend(segments.filter(|(_, label)| **label == SegmentLabel::None).map(|(segment, _)| {
        let message = "shares nothing with the article";
        showing(
            Reason::new("summary.segment.foreign", Severity::Major, message),
            "summary",
            [&segment.segment],
        )
    }));
    reasons.extend(claims().filter(|claim| claim.label == ClaimLabel::Partially).map(partially));
    reasons.extend(findings.key_points.iter().filter(|point| point.coverage == PointCoverage::Not).map(
        |point| {
            let message = "a key point is missing";
            showing(
                Reason::new("summary.key_point.missing", Severity::Minor, message),
                "article",
                [&point.point],
            )
        },
    ));
    reasons.extend(findings.notes.iter().map(|note| noted(*note)));
    reasons
}

fn unsupported(claim: &Claim) -> Reason {
    let problems: Vec<&str> = claim.against.iter().map(|objection| objection.problem.as_str()).collect();
    let message = match problems.as_slice() {
        [] => "not in the article".to_owned(),
        problems => problems.join("; "),
    };
    with_places(Reason::new("summary.claim.unsupported", Severity::Critical, message), claim)
}

fn partially(claim: &Claim) -> Reason {
    let problems: Vec<&str> = claim.against.iter().map(|objection| objection.problem.as_str()).collect();
    let message = match problems.as_slice() {
        [] => "only partly in the article".to_owned(),
        problems => problems.join("; "),
    };
    with_places(Reason::new("summary.claim.partially", Severity::Minor, message), claim)
}

fn with_places(reason: Reason, claim: &Claim) -> Reason {
    showing(showing(reason, "summary", [&claim.claim]), "article", &claim.evidence)
}

fn showing<'a>(
    mut reason: Reason,
    source: &'static str,
    passages: impl IntoIterator<Item = &'a Passage>,
) -> Reason {
    reason.evidence.extend(passages.into_iter().map(|passage| Evidence {
        source: source.into(),
        text: passage.text.clone(),
        span: passage.span,
    }));
    reason
}

fn noted(note: ReadingNote) -> Reason {
    let (code, message) = match note {
        ReadingNote::ArticleShort => {
            ("summary.note.article_short", "the article is too short for all its key points")
        }
        ReadingNote::SegmentsShort => {
            ("summary.note.segments_short", "every segment is short, so the summary is taken as one")
        }
        ReadingNote::QuestionsFew => (
            "summary.note.questions_few",
            "fewer questions could be made than are wanted; the others count as wrong",
        ),
        ReadingNote::NearlyCopied => (
            "summary.note.nearly_copied",
            "a sentence is the article's but for a few words; it counts for no more than the article's own would",
        ),
    };
    Reason::new(code, Severity::Info, message)
}
