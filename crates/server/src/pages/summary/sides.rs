//! Article and summary side by side, with claims and their evidence linked by colour and number.

use assize_courts::summary::{Findings, Passage};
use maud::{Markup, html};

use super::judge::PastedTexts;

/// Number of colours; further claims reuse them with other numbers.
const COLOURS: usize = 6;

/// A span of text that belongs to a claim.
#[derive(Debug, PartialEq, Eq)]
struct ClaimSpan {
    span: (usize, usize),
    /// Number of the claim, from 1.
    claim: usize,
    /// Whether the span contradicts the claim.
    against: bool,
}

/// Both texts.
pub(super) fn sides(pasted: &PastedTexts, findings: &Findings) -> Markup {
    let (article, summary) = ties(pasted, findings);
    html! {
        div class="pair sides" {
            section aria-label="Article" { h3 { "Article" } (text(&pasted.article, &article, "the-article")) }
            section aria-label="Summary" { h3 { "Summary" } (text(&pasted.summary, &summary, "the-summary")) }
        }
    }
}

/// The spans in the article and in the summary.
fn ties(pasted: &PastedTexts, findings: &Findings) -> (Vec<ClaimSpan>, Vec<ClaimSpan>) {
    let mut article = Vec::new();
    let mut summary = Vec::new();
    for (place, claim) in findings.claims.iter().enumerate() {
        let number = place + 1;
        let tie = |text: &str, passage: &Passage, against| {
            Some(ClaimSpan { span: found(text, passage)?, claim: number, against })
        };
        for objection in &claim.against {
            summary.extend(tie(&pasted.summary, &objection.summary, true));
            article.extend(objection.article.as_ref().and_then(|words| tie(&pasted.article, words, true)));
        }
        summary.extend(tie(&pasted.summary, &claim.claim, false));
        article.extend(claim.evidence.iter().filter_map(|words| tie(&pasted.article, words, false)));
    }
    (article, summary)
}

/// Span of a passage: its own if valid, otherwise the first occurrence of its text.
fn found(text: &str, passage: &Passage) -> Option<(usize, usize)> {
    let said = passage.span.filter(|(from, to)| from < to && text.get(*from..*to).is_some());
    said.or_else(|| text.find(&passage.text).map(|at| (at, at + passage.text.len())))
        .filter(|(from, to)| from < to)
}

/// Splits the text at every border of a span, so that overlapping spans are all marked.
fn text(text: &str, ties: &[ClaimSpan], name: &str) -> Markup {
    let mut cuts: Vec<usize> = ties.iter().flat_map(|tie| [tie.span.0, tie.span.1]).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let pieces = cuts.windows(2).filter_map(|cut| {
        let [from, to] = *cut else { return None };
        let over: Vec<&ClaimSpan> =
            ties.iter().filter(|tie| tie.span.0 <= from && to <= tie.span.1).collect();
        Some((text.get(from..to)?, over, to))
    });
    html! {
        p class="prose" id=(name) {
            @for (words, over, to) in pieces {
                @match over.iter().find(|tie| !tie.against).or(over.first()) {
                    None => (words),
                    Some(tie) => {
                        @let against = over.iter().any(|tie| tie.against);
                        mark class=(format!("tie tie-{}{}", (tie.claim - 1) % COLOURS + 1, if against { " against" } else { "" })) {
                            @if against { span class="hidden" { "against: " } } (words)
                            @if over.iter().any(|tie| tie.span.1 == to) { a class="ref" href=(format!("#claim-{}", tie.claim)) { (if against { "✗" } else { "" }) (tie.claim) } }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn passages_are_found_where_they_say_or_by_their_words() {
    let passage = |text: &str, span| Passage { text: text.into(), span };
    assert_eq!(found("a storm came", &passage("storm", Some((2, 7)))), Some((2, 7)));
    assert_eq!(found("a storm came", &passage("storm", Some((2, 99)))), Some((2, 7)));
    assert_eq!(found("a storm came", &passage("wind", None)), None);
    assert_eq!(found("a storm came", &passage("", None)), None);
}

#[test]
fn words_are_cut_at_every_border_and_nothing_is_lost() {
    let ties = vec![
        ClaimSpan { span: (0, 7), claim: 1, against: false },
        ClaimSpan { span: (2, 7), claim: 1, against: true },
    ];
    let drawn = text("a storm came", &ties, "summary").into_string();
    assert!(drawn.contains(r#"<mark class="tie tie-1">a </mark>"#), "{drawn}");
    assert!(drawn.contains(r#"<mark class="tie tie-1 against">"#) && drawn.ends_with(" came</p>"), "{drawn}");
}
