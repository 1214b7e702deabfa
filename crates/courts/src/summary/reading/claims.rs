//! What the summary claims, and whether the article backs each of it.

use std::ops::Range;

use super::alignment::{Aligner, Alignment, Word, words_of};
use super::contradictions::{Checks, Contradiction};
use super::index::Met;
use super::passages::{of_sentence, of_tokens};
use super::text::{Sentence, Text, Token};
use crate::summary::findings::{Claim, Label, Objection};

/// Clauses shorter than this stay with their neighbours.
const CLAUSE_WORDS: usize = 4;

/// A claim with everything that was seen of it.
pub(super) struct Read {
    pub tokens: Range<usize>,
    pub words: Vec<Word>,
    pub alignment: Alignment,
    pub against: Vec<Contradiction>,
    pub label: Label,
}

impl Read {
    pub(super) fn weight(&self) -> f64 {
        self.words.iter().map(|word| word.weight).sum()
    }

    /// What is left of the support when something speaks against it.
    pub(super) fn credit(&self) -> f64 {
        self.against.iter().map(|found| found.against.credit()).fold(1.0, f64::min)
    }
}

/// Every claim of the summary, in its order.
pub(super) fn read(
    summary: &Text<'_>,
    met: &[Met],
    aligner: &mut Aligner<'_>,
    checks: &Checks<'_>,
) -> Vec<Read> {
    let clauses = summary.sentences.iter().flat_map(|sentence| clauses(summary, sentence));
    let claims = clauses.map(|tokens| {
        let all = summary.tokens.get(tokens.clone()).unwrap_or_default();
        let words = words_of(all, met.get(tokens.clone()).unwrap_or_default());
        let alignment = aligner.align(&words);
        let against = checks.check(all, &words, &alignment);
        let label = label(&alignment, &against);
        Read { tokens, words, alignment, against, label }
    });
    claims.filter(|claim| !claim.words.is_empty()).collect()
}

/// A sentence, cut where another statement begins.
fn clauses(text: &Text<'_>, sentence: &Sentence) -> Vec<Range<usize>> {
    let mut cuts = vec![sentence.tokens.start];
    let (mut last, mut content) = (sentence.tokens.start, 0);
    for at in sentence.tokens.clone() {
        let Some(token) = text.tokens.get(at) else { continue };
        if content >= CLAUSE_WORDS && at > last && begins_clause(text, at) {
            let rest = text.tokens.get(at..sentence.tokens.end).unwrap_or_default();
            if rest.iter().filter(|token| token.is_content()).count() >= CLAUSE_WORDS {
                cuts.push(at);
                (last, content) = (at, 0);
            }
        }
        content += usize::from(token.is_content());
    }
    cuts.push(sentence.tokens.end);
    cuts.windows(2).filter_map(|pair| Some(*pair.first()?..*pair.last()?)).collect()
}

/// Whether a semicolon, or a comma and a conjunction, stand before a token.
fn begins_clause(text: &Text<'_>, at: usize) -> bool {
    const CONJUNCTIONS: [&str; 9] =
        ["and", "but", "while", "although", "though", "whereas", "who", "which", "before"];
    let (Some(before), Some(token)) =
        (at.checked_sub(1).and_then(|at| text.tokens.get(at)), text.tokens.get(at))
    else {
        return false;
    };
    let between = text.words(before.end as usize..token.start as usize);
    let word = text.words(token.start as usize..token.end as usize);
    between.contains(';')
        || between.contains(',') && CONJUNCTIONS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// From this much on that one sentence carries, a claim is backed: what makes a segment High as well.
const SUPPORTED: f64 = 0.8;
/// Below this share that the whole article carries, it is not.
const UNSUPPORTED: f64 = 0.35;

/// By the same measure as `support`, so that the frameworks and the fine measure do not disagree.
fn label(alignment: &Alignment, against: &[Contradiction]) -> Label {
    let worst = against.iter().map(|found| found.against.credit()).fold(1.0, f64::min);
    if worst < 0.35 || alignment.in_article < UNSUPPORTED {
        Label::Unsupported
    } else if worst < 1.0 || alignment.carried() + 1e-9 < SUPPORTED {
        Label::Partially
    } else {
        Label::Supported
    }
}

/// The claims as they are reported: so many at most, those that say most.
pub(super) fn reported(claims: &[Read], most: usize, summary: &Text<'_>, article: &Text<'_>) -> Vec<Claim> {
    let mut order: Vec<usize> = (0..claims.len()).collect();
    let weight = |at: &usize| claims.get(*at).map_or(0.0, Read::weight);
    order.sort_by(|one, other| weight(other).total_cmp(&weight(one)).then(one.cmp(other)));
    order.truncate(most);
    order.sort_unstable();
    order.iter().filter_map(|at| claims.get(*at)).map(|claim| report(claim, summary, article)).collect()
}

fn report(claim: &Read, summary: &Text<'_>, article: &Text<'_>) -> Claim {
    let sentences = claim.alignment.sentences.iter().filter_map(|number| article.sentences.get(*number));
    let against = claim.against.iter().map(|found| {
        let of = |text: &Text<'_>, token: &Token| {
            let at = text.tokens.iter().position(|other| other.start == token.start).unwrap_or_default();
            of_tokens(text, at..at + 1)
        };
        let in_summary = of(summary, &found.token);
        let in_article = found.other.map(|other| of(article, &other));
        let problem =
            found.against.problem(&in_summary.text, in_article.as_ref().map(|passage| passage.text.as_str()));
        Objection { problem, summary: in_summary, article: in_article }
    });
    Claim {
        claim: of_tokens(summary, claim.tokens.clone()),
        label: claim.label,
        evidence: sentences.map(|sentence| of_sentence(article, sentence)).collect(),
        against: against.collect(),
    }
}
