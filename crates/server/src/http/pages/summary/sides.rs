//! Article and summary side by side, claims and what carries them joined by colour and number.

use assize_courts::summary::{Findings, Passage};
use maud::{Markup, html};

use super::judge::Pasted;

/// How many colours there are; after that they come again, with other numbers.
const COLOURS: usize = 6;

/// Words that belong to claims.
#[derive(Debug, PartialEq, Eq)]
struct Tie {
    span: (usize, usize),
    /// Of which claim, from 1.
    claim: usize,
    /// Whether they speak against it.
    against: bool,
}

/// Both texts.
pub(super) fn sides(pasted: &Pasted, findings: &Findings) -> Markup {
    let (article, summary) = ties(pasted, findings);
    html! {
        div class="pair sides" {
            section aria-label="Article" { h3 { "Article" } (text(&pasted.article, &article, "the-article")) }
            section aria-label="Summary" { h3 { "Summary" } (text(&pasted.summary, &summary, "the-summary")) }
        }
    }
}

/// What is tied in the article, and in the summary.
fn ties(pasted: &Pasted, findings: &Findings) -> (Vec<Tie>, Vec<Tie>) {
    let (mut article, mut summary) = (Vec::new(), Vec::new());
    for (place, claim) in findings.claims.iter().enumerate() {
        let number = place + 1;
        let tie = |text: &str, passage: &Passage, against| {
            Some(Tie { span: found(text, passage)?, claim: number, against })
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

/// Where a passage stands: where it says, or where its words are.
fn found(text: &str, passage: &Passage) -> Option<(usize, usize)> {
    let said = passage.span.filter(|(from, to)| from < to && text.get(*from..*to).is_some());
    said.or_else(|| text.find(&passage.text).map(|at| (at, at + passage.text.len())))
        .filter(|(from, to)| from < to)
}

/// Cut at every border, so that what lies inside something else is marked inside it.
fn text(text: &str, ties: &[Tie], name: &str) -> Markup {
    let mut cuts: Vec<usize> = ties.iter().flat_map(|tie| [tie.span.0, tie.span.1]).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let pieces = cuts.windows(2).filter_map(|cut| {
        let [from, to] = *cut else { return None };
        let over: Vec<&Tie> = ties.iter().filter(|tie| tie.span.0 <= from && to <= tie.span.1).collect();
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
    let ties =
        vec![Tie { span: (0, 7), claim: 1, against: false }, Tie { span: (2, 7), claim: 1, against: true }];
    let drawn = text("a storm came", &ties, "summary").into_string();
    assert!(drawn.contains(r#"<mark class="tie tie-1">a </mark>"#), "{drawn}");
    assert!(drawn.contains(r#"<mark class="tie tie-1 against">"#) && drawn.ends_with(" came</p>"), "{drawn}");
}
