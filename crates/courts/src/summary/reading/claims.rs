//! Claims of the summary and whether the article supports them.

use std::ops::Range;

use super::alignment::{ClaimAligner, ClaimAlignment, ClaimWord, words_of};
use super::clauses;
use super::contradictions::{Contradiction, ContradictionChecks};
use super::copies::CopiedSentences;
use super::index::{ConceptIndex, ConceptMatch, weight};
use super::passages::{of_sentence, of_tokens};
use super::text::{TextToken, TokenizedText};
use crate::summary::findings::{Claim, ClaimLabel, Objection};

/// A clause of the summary with its alignment, contradictions and label.
pub(super) struct ReadClause {
    pub tokens: Range<usize>,
    pub words: Vec<ClaimWord>,
    pub alignment: ClaimAlignment,
    pub against: Vec<Contradiction>,
    pub label: ClaimLabel,
    parts: Vec<ClausePart>,
}

/// What a clause claims: a part of it between commas and conjunctions, with a label of its own.
struct ClausePart {
    tokens: Range<usize>,
    weight: f64,
    label: ClaimLabel,
    /// The sentences of the article that it was compared with.
    sentences: Vec<usize>,
}

impl ReadClause {
    pub(super) fn weight(&self) -> f64 {
        self.words.iter().map(|word| word.weight).sum()
    }

    /// What is left of the support when something speaks against it.
    pub(super) fn credit(&self) -> f64 {
        self.against.iter().map(|found| found.against.credit()).fold(1.0, f64::min)
    }
}

/// Every clause of the summary, in its order.
pub(super) fn read(
    summary: &TokenizedText<'_>,
    met: &[ConceptMatch],
    copies: &CopiedSentences,
    aligner: &mut ClaimAligner<'_>,
    checks: &ContradictionChecks<'_>,
) -> Vec<ReadClause> {
    let clauses = summary.sentences.iter().flat_map(|sentence| clauses::of(summary, sentence));
    let claims = clauses.map(|tokens| {
        let all = summary.tokens.get(tokens.clone()).unwrap_or_default();
        let words = words_of(all, met.get(tokens.clone()).unwrap_or_default());
        let copied = copies.has(tokens.clone());
        let alignment = if copied {
            ClaimAlignment::copied(sentences(copies, checks.index, tokens.clone()))
        } else {
            aligner.align(&words)
        };
        let nearly = copies.nearly(tokens.start).and_then(|place| checks.article.tokens.get(place));
        let against = if copied { Vec::new() } else { checks.check(all, &words, &alignment, nearly) };
        let mut claim =
            ReadClause { tokens, words, alignment, against, label: ClaimLabel::Supported, parts: Vec::new() };
        claim.parts = if copied {
            copied_parts(summary, copies, checks.index, &claim)
        } else {
            parts(summary, met, aligner, &claim)
        };
        let labels = || claim.parts.iter().map(|part| part.label);
        claim.label = match () {
            () if labels().any(|label| label == ClaimLabel::Unsupported) => ClaimLabel::Unsupported,
            () if labels().any(|label| label == ClaimLabel::Partially) => ClaimLabel::Partially,
            () => ClaimLabel::Supported,
        };
        claim
    });
    claims.filter(|claim| !claim.words.is_empty()).collect()
}

/// The parts of a clause that stands in the article word for word: nothing can be wrong with them.
fn copied_parts(
    summary: &TokenizedText<'_>,
    copies: &CopiedSentences,
    index: &ConceptIndex,
    clause: &ReadClause,
) -> Vec<ClausePart> {
    let parts = clauses::parts(summary, clause.tokens.clone()).into_iter().map(|tokens| {
        let all = summary.tokens.get(tokens.clone()).unwrap_or_default();
        let sentences = sentences(copies, index, tokens.clone());
        ClausePart { tokens, weight: all.iter().map(weight).sum(), label: ClaimLabel::Supported, sentences }
    });
    parts.collect()
}

/// The sentences of the article that these tokens were copied from.
fn sentences(copies: &CopiedSentences, index: &ConceptIndex, tokens: Range<usize>) -> Vec<usize> {
    let mut sentences: Vec<usize> =
        tokens.filter_map(|at| copies.place(at)).map(|place| index.sentence_of(place) as usize).collect();
    sentences.dedup();
    sentences
}

/// The share in one sentence from which a part is supported.
const SUPPORTED: f64 = 0.9;
/// The share in the whole article below which a clause is unsupported.
const UNSUPPORTED: f64 = 0.35;

/// The parts of a clause. What speaks against the clause, or that hardly anything of it is there, speaks against all of
/// them; otherwise each is backed when one sentence carries it, measured as in `support`.
fn parts(
    summary: &TokenizedText<'_>,
    met: &[ConceptMatch],
    aligner: &mut ClaimAligner<'_>,
    clause: &ReadClause,
) -> Vec<ClausePart> {
    let condemned = clause.credit() < 0.35 || clause.alignment.carriers.in_article < UNSUPPORTED;
    let parts = clauses::parts(summary, clause.tokens.clone()).into_iter().map(|tokens| {
        let all = summary.tokens.get(tokens.clone()).unwrap_or_default();
        let words = words_of(all, met.get(tokens.clone()).unwrap_or_default());
        let weight = words.iter().map(|word| word.weight).sum();
        let sentences = &clause.alignment.carriers.sentences;
        let carried = if condemned { None } else { aligner.carried_by(&words, sentences) };
        let doubted = clause.against.iter().any(|found| is_in(&found.token, all));
        let (label, sentences) = match carried {
            _ if condemned => (ClaimLabel::Unsupported, sentences.clone()),
            Some((sentence, carried)) if carried + 1e-9 >= SUPPORTED && !doubted => {
                (ClaimLabel::Supported, vec![sentence])
            }
            _ => (ClaimLabel::Partially, sentences.clone()),
        };
        ClausePart { tokens, weight, label, sentences }
    });
    parts.collect()
}

fn is_in(token: &TextToken, tokens: &[TextToken]) -> bool {
    tokens.iter().any(|other| other.start == token.start)
}

/// The claims for the findings, up to the limit: unsupported ones first, then those with most content.
pub(super) fn reported(
    claims: &[ReadClause],
    most: usize,
    summary: &TokenizedText<'_>,
    article: &TokenizedText<'_>,
) -> Vec<Claim> {
    let mut parts: Vec<(&ReadClause, &ClausePart)> =
        claims.iter().flat_map(|claim| claim.parts.iter().map(move |part| (claim, part))).collect();
    let backed = |part: &ClausePart| part.label != ClaimLabel::Unsupported;
    parts.sort_by(|(_, one), (_, other)| {
        let said = other.weight.total_cmp(&one.weight).then(one.tokens.start.cmp(&other.tokens.start));
        backed(one).cmp(&backed(other)).then(said)
    });
    parts.truncate(most);
    parts.sort_by_key(|(_, part)| part.tokens.start);
    parts.into_iter().map(|(claim, part)| report(claim, part, summary, article)).collect()
}

fn report(
    claim: &ReadClause,
    part: &ClausePart,
    summary: &TokenizedText<'_>,
    article: &TokenizedText<'_>,
) -> Claim {
    let sentences = part.sentences.iter().filter_map(|number| article.sentences.get(*number));
    let tokens = summary.tokens.get(part.tokens.clone()).unwrap_or_default();
    let concerns =
        |found: &&Contradiction| part.label == ClaimLabel::Unsupported || is_in(&found.token, tokens);
    let against = claim.against.iter().filter(concerns).map(|found| {
        let of = |text: &TokenizedText<'_>, token: &TextToken| {
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
        claim: of_tokens(summary, part.tokens.clone()),
        label: part.label,
        evidence: sentences.map(|sentence| of_sentence(article, sentence)).collect(),
        against: against.collect(),
    }
}
