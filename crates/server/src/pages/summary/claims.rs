//! Claims of a summary with their evidence and objections, and the coverage of the article's key points.

use assize_courts::summary::{Claim, ClaimLabel, Findings, PointCoverage};
use maud::{Markup, html};

use crate::pages::layout::sentence;

/// The claims, in the order of the summary.
pub(super) fn claims(findings: &Findings) -> Markup {
    html! { ol class="claims" { @for (place, each) in findings.claims.iter().enumerate() { (claim(place + 1, each)) } } }
}

fn claim(number: usize, claim: &Claim) -> Markup {
    let (word, class) = match claim.label {
        ClaimLabel::Supported => ("supported", "badge right"),
        ClaimLabel::Partially => ("partly supported", "badge lively"),
        ClaimLabel::Unsupported => ("not supported", "badge wrong"),
    };
    html! {
        li id=(format!("claim-{number}")) {
            p { mark class=(format!("tie tie-{}", (number - 1) % 6 + 1)) { (claim.claim.text) } " " span class=(class) { (word) } }
            details id=(format!("evidence-{number}")) {
                summary { "Evidence" }
                @if claim.evidence.is_empty() { p { "The article has nothing that carries it." } }
                @for passage in &claim.evidence { blockquote { (passage.text) } }
                @for objection in &claim.against {
                    p class="against" { "✗ " (sentence(&objection.problem)) " " q { (objection.summary.text) }
                        @if let Some(article) = &objection.article { " – the article: " q { (article.text) } } }
                }
            }
        }
    }
}

/// Key points of the article, each with its coverage.
pub(super) fn key_points(findings: &Findings) -> Markup {
    html! {
        h2 { "What of the article is there" }
        ul class="points" {
            @for point in &findings.key_points {
                li {
                    span class=(match point.coverage { PointCoverage::Fully => "badge right", PointCoverage::Partial => "badge lively", PointCoverage::Not => "badge" }) {
                        (match point.coverage { PointCoverage::Fully => "there", PointCoverage::Partial => "partly there", PointCoverage::Not => "missing" })
                    }
                    " " (point.point.text)
                }
            }
        }
    }
}
