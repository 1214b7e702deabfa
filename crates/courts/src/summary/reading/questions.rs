//! Cloze questions: a fact of one text with a word left out, answered by finding that word in the other text.

use std::ops::Range;

use super::copies::CopiedSentences;
use super::index::{ABSENT, ConceptIndex, ConceptMatch, weight};
use super::lexicon::flag;
use super::passages::{of_tokens, words_of_tokens};
use super::text::{TextToken, TokenizedText, place};
use crate::summary::findings::{AnswerStatus, Question};

/// The share of the words around the gap that must stand with the answer for it to be correct.
const BELONGS: f64 = 0.3;

/// A word that may be asked for: the higher its rank, the sooner.
struct QuestionGap {
    token: usize,
    rank: u32,
}

/// The other text, in which answers are looked for.
pub(super) struct AnswerSearch<'a> {
    pub text: &'a TokenizedText<'a>,
    pub index: &'a ConceptIndex,
    /// What each token of the text that is asked about is there.
    pub met: &'a [ConceptMatch],
    /// With less than this share of the words around the gap, it says nothing of what was asked.
    pub least: f64,
    /// What the text that is asked about has from the other, word for word.
    pub copies: Option<&'a CopiedSentences>,
}

/// Asks for words of these passages of `asked`, one of each in turn, until there are enough questions.
/// What `doubted` says is asked for first, and answered wrongly.
pub(super) fn ask(
    asked: &TokenizedText<'_>,
    passages: &[Range<usize>],
    answering: &AnswerSearch<'_>,
    doubted: &dyn Fn(&TextToken) -> bool,
    wanted: usize,
) -> Vec<Question> {
    let gaps: Vec<Vec<QuestionGap>> = passages.iter().map(|passage| gaps(asked, passage, doubted)).collect();
    let mut questions: Vec<Question> = Vec::new();
    let mut taken: Vec<u32> = Vec::new();
    let mut used: Vec<u32> = Vec::new();
    for turn in 0..gaps.iter().map(Vec::len).max().unwrap_or_default() {
        for (passage, gaps) in passages.iter().zip(&gaps) {
            let gap = gaps.get(turn).and_then(|gap| asked.tokens.get(gap.token).map(|token| (gap, token)));
            let Some((gap, token)) = gap.filter(|(_, token)| !taken.contains(&token.concept)) else {
                continue;
            };
            if questions.len() >= wanted {
                return questions;
            }
            taken.push(token.concept);
            let (status, place) = answering.answer(asked, passage, gap.token, &used);
            let status = if doubted(token) { AnswerStatus::Wrong } else { status };
            used.extend(place);
            questions.push(Question {
                question: with_gap(asked, passage, gap.token),
                answer: words_of_tokens(asked, gap.token..gap.token + 1).to_owned(),
                status,
                evidence: place.map(|place| of_tokens(answering.text, place as usize..place as usize + 1)),
            });
        }
    }
    questions
}

/// Numbers first, then names, then what is no verb; within these as they stand.
fn gaps(
    text: &TokenizedText<'_>,
    passage: &Range<usize>,
    doubted: &dyn Fn(&TextToken) -> bool,
) -> Vec<QuestionGap> {
    let rank = |token: &TextToken| match () {
        () if doubted(token) => 5,
        () if token.is(flag::NUMBER) => 4,
        () if token.is(place::NAME | flag::DATE) => 3,
        () if token.is(flag::VAGUE | flag::NEGATION) => 0,
        () if token.is(place::VERB | place::ADVERB) => 1,
        () => 2,
    };
    let mut gaps: Vec<QuestionGap> = Vec::with_capacity(passage.len());
    for at in passage.clone() {
        if let Some(token) = text.tokens.get(at).filter(|token| token.is_content()) {
            gaps.push(QuestionGap { token: at, rank: rank(token) });
        }
    }
    gaps.sort_by(|one, other| other.rank.cmp(&one.rank).then(one.token.cmp(&other.token)));
    gaps
}

fn with_gap(text: &TokenizedText<'_>, passage: &Range<usize>, gap: usize) -> String {
    let before = words_of_tokens(text, passage.start..gap);
    let after = words_of_tokens(text, gap + 1..passage.end);
    let space = |beside: &str| if beside.is_empty() { "" } else { " " };
    [before, space(before), "____", space(after), after].concat()
}

impl AnswerSearch<'_> {
    /// Where the answer stands in the other text, and whether its neighbours are those of the question.
    fn answer(
        &self,
        asked: &TokenizedText<'_>,
        passage: &Range<usize>,
        gap: usize,
        used: &[u32],
    ) -> (AnswerStatus, Option<u32>) {
        if let Some(place) = self.copies.and_then(|copies| copies.place(gap)) {
            return (AnswerStatus::Correct, Some(place));
        }
        let met_at = |at: usize| self.met.get(at).copied().unwrap_or(ABSENT);
        let met = met_at(gap);
        let context = passage.clone().filter(|at| *at != gap).filter_map(|at| {
            let other = asked.tokens.get(at).filter(|other| other.is_content())?;
            Some((met_at(at).concept, weight(other)))
        });
        let context: Vec<(u32, f64)> = context.collect();
        let all: f64 = context.iter().map(|(_, weight)| weight).sum();
        let mut best: Option<(f64, u32)> = None;
        for place in self.index.places(met.concept).iter().filter(|place| !used.contains(place)) {
            let belongs = if all > 0.0 { self.near(*place, &context) / all } else { 1.0 };
            if best.is_none_or(|(most, _)| belongs > most) {
                best = Some((belongs, *place));
            }
        }
        match best {
            None => (AnswerStatus::Wrong, None),
            // There, but in quite another connection.
            Some((belongs, place)) if belongs < self.least => (AnswerStatus::Wrong, Some(place)),
            Some((belongs, place)) if belongs >= BELONGS && met.presence >= 1.0 => {
                (AnswerStatus::Correct, Some(place))
            }
            Some((_, place)) => (AnswerStatus::Partial, Some(place)),
        }
    }

    /// The weight of the question's other words that stand in the sentence of this place.
    fn near(&self, place: u32, context: &[(u32, f64)]) -> f64 {
        let sentence = self.text.sentences.get(self.index.sentence_of(place) as usize);
        let tokens = sentence.map_or(&[][..], |sentence| self.text.of(sentence));
        let there = |concept: u32| tokens.iter().any(|token| token.is_content() && token.concept == concept);
        context.iter().filter(|(concept, _)| there(*concept)).map(|(_, weight)| weight).sum()
    }
}
