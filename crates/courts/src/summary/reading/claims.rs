//! What the summary claims, and whether the article backs each of it.

use std::ops::Range;

use super::alignment::{Aligner, Alignment, Word, words_of};
use super::clauses;
use super::contradictions::{Checks, Contradiction};
use super::copies::Copies;
use super::index::{Index, Met, weight};
use super::passages::{of_sentence, of_tokens};
use super::text::{Text, Token};
use crate::summary::findings::{Claim, Label, Objection};

/// A clause with everything that was seen of it.
pub(super) struct Read {
    pub tokens: Range<usize>,
    pub words: Vec<Word>,
    pub alignment: Alignment,
    pub against: Vec<Contradiction>,
    pub label: Label,
    parts: Vec<Part>,
}

/// What a clause claims: a part of it between commas and conjunctions, with a label of its own.
struct Part {
    tokens: Range<usize>,
    weight: f64,
    label: Label,
    /// The sentences of the article that it was compared with.
    sentences: Vec<usize>,
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

/// Every clause of the summary, in its order.
pub(super) fn read(
    summary: &Text<'_>,
    met: &[Met],
    copies: &Copies,
    aligner: &mut Aligner<'_>,
    checks: &Checks<'_>,
) -> Vec<Read> {
    let clauses = summary.sentences.iter().flat_map(|sentence| clauses::of(summary, sentence));
    let claims = clauses.map(|tokens| {
        let all = summary.tokens.get(tokens.clone()).unwrap_or_default();
        let words = words_of(all, met.get(tokens.clone()).unwrap_or_default());
        let copied = copies.has(tokens.clone());
        let alignment = if copied {
            Alignment::copied(sentences(copies, checks.index, tokens.clone()))
        } else {
            aligner.align(&words)
        };
        let nearly = copies.nearly(tokens.start).and_then(|place| checks.article.tokens.get(place));
        let against = if copied { Vec::new() } else { checks.check(all, &words, &alignment, nearly) };
        let mut claim =
            Read { tokens, words, alignment, against, label: Label::Supported, parts: Vec::new() };
        claim.parts = if copied {
            copied_parts(summary, copies, checks.index, &claim)
        } else {
            parts(summary, met, aligner, &claim)
        };
        let labels = || claim.parts.iter().map(|part| part.label);
        claim.label = match () {
            () if labels().any(|label| label == Label::Unsupported) => Label::Unsupported,
            () if labels().any(|label| label == Label::Partially) => Label::Partially,
            () => Label::Supported,
        };
        claim
    });
    claims.filter(|claim| !claim.words.is_empty()).collect()
}

/// The parts of a clause that stands in the article word for word: nothing can be wrong with them.
fn copied_parts(summary: &Text<'_>, copies: &Copies, index: &Index, clause: &Read) -> Vec<Part> {
    let parts = clauses::parts(summary, clause.tokens.clone()).into_iter().map(|tokens| {
        let all = summary.tokens.get(tokens.clone()).unwrap_or_default();
        let sentences = sentences(copies, index, tokens.clone());
        Part { tokens, weight: all.iter().map(weight).sum(), label: Label::Supported, sentences }
    });
    parts.collect()
}

/// The sentences of the article that these tokens were copied from.
fn sentences(copies: &Copies, index: &Index, tokens: Range<usize>) -> Vec<usize> {
    let mut sentences: Vec<usize> =
        tokens.filter_map(|at| copies.place(at)).map(|place| index.sentence_of(place) as usize).collect();
    sentences.dedup();
    sentences
}

/// From this much on that one sentence carries, a part is backed.
const SUPPORTED: f64 = 0.9;
/// Below this share that the whole article carries, a clause is not.
const UNSUPPORTED: f64 = 0.35;

/// The parts of a clause. What speaks against the clause, or that hardly anything of it is there, speaks against all of
/// them; otherwise each is backed when one sentence carries it, measured as in `support`.
fn parts(summary: &Text<'_>, met: &[Met], aligner: &mut Aligner<'_>, clause: &Read) -> Vec<Part> {
    let condemned = clause.credit() < 0.35 || clause.alignment.carriers.in_article < UNSUPPORTED;
    let parts = clauses::parts(summary, clause.tokens.clone()).into_iter().map(|tokens| {
        let all = summary.tokens.get(tokens.clone()).unwrap_or_default();
        let words = words_of(all, met.get(tokens.clone()).unwrap_or_default());
        let weight = words.iter().map(|word| word.weight).sum();
        let sentences = &clause.alignment.carriers.sentences;
        let carried = if condemned { None } else { aligner.carried_by(&words, sentences) };
        let doubted = clause.against.iter().any(|found| is_in(&found.token, all));
        let (label, sentences) = match carried {
            _ if condemned => (Label::Unsupported, sentences.clone()),
            Some((sentence, carried)) if carried + 1e-9 >= SUPPORTED && !doubted => {
                (Label::Supported, vec![sentence])
            }
            _ => (Label::Partially, sentences.clone()),
        };
        Part { tokens, weight, label, sentences }
    });
    parts.collect()
}

fn is_in(token: &Token, tokens: &[Token]) -> bool {
    tokens.iter().any(|other| other.start == token.start)
}

/// The claims as they are reported: so many at most, those that nothing backs first, then those that say most.
pub(super) fn reported(claims: &[Read], most: usize, summary: &Text<'_>, article: &Text<'_>) -> Vec<Claim> {
    let mut parts: Vec<(&Read, &Part)> =
        claims.iter().flat_map(|claim| claim.parts.iter().map(move |part| (claim, part))).collect();
    let backed = |part: &Part| part.label != Label::Unsupported;
    parts.sort_by(|(_, one), (_, other)| {
        let said = other.weight.total_cmp(&one.weight).then(one.tokens.start.cmp(&other.tokens.start));
        backed(one).cmp(&backed(other)).then(said)
    });
    parts.truncate(most);
    parts.sort_by_key(|(_, part)| part.tokens.start);
    parts.into_iter().map(|(claim, part)| report(claim, part, summary, article)).collect()
}

fn report(claim: &Read, part: &Part, summary: &Text<'_>, article: &Text<'_>) -> Claim {
    let sentences = part.sentences.iter().filter_map(|number| article.sentences.get(*number));
    let tokens = summary.tokens.get(part.tokens.clone()).unwrap_or_default();
    let concerns = |found: &&Contradiction| part.label == Label::Unsupported || is_in(&found.token, tokens);
    let against = claim.against.iter().filter(concerns).map(|found| {
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
        claim: of_tokens(summary, part.tokens.clone()),
        label: part.label,
        evidence: sentences.map(|sentence| of_sentence(article, sentence)).collect(),
        against: against.collect(),
    }
}
