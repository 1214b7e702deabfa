//! Questions: a fact of one text with a word taken out, answered by finding that word again in the other.

use std::ops::Range;

use super::copies::Copies;
use super::index::{ABSENT, Index, Met, weight};
use super::lexicon::flag;
use super::passages::{of_tokens, words_of_tokens};
use super::text::{Text, Token, place};
use crate::summary::findings::{Question, Status};

/// When this share of the words around the gap stands with the answer, the answer belongs there.
const BELONGS: f64 = 0.3;

/// A word that may be asked for: the higher its rank, the sooner.
struct Gap {
    token: usize,
    rank: u32,
}

/// The other text, in which answers are looked for.
pub(super) struct Answering<'a> {
    pub text: &'a Text<'a>,
    pub index: &'a Index,
    /// What each token of the text that is asked about is there.
    pub met: &'a [Met],
    /// With less than this share of the words around the gap, it says nothing of what was asked.
    pub least: f64,
    /// What the text that is asked about has from the other, word for word.
    pub copies: Option<&'a Copies>,
}

/// Asks for words of these passages of `asked`, one of each in turn, until there are enough questions.
/// What `doubted` says is asked for first, and answered wrongly.
pub(super) fn ask(
    asked: &Text<'_>,
    passages: &[Range<usize>],
    answering: &Answering<'_>,
    doubted: &dyn Fn(&Token) -> bool,
    wanted: usize,
) -> Vec<Question> {
    let gaps: Vec<Vec<Gap>> = passages.iter().map(|passage| gaps(asked, passage, doubted)).collect();
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
            let status = if doubted(token) { Status::Wrong } else { status };
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
fn gaps(text: &Text<'_>, passage: &Range<usize>, doubted: &dyn Fn(&Token) -> bool) -> Vec<Gap> {
    let rank = |token: &Token| match () {
        () if doubted(token) => 5,
        () if token.is(flag::NUMBER) => 4,
        () if token.is(place::NAME | flag::DATE) => 3,
        () if token.is(flag::VAGUE | flag::NEGATION) => 0,
        () if token.is(place::VERB | place::ADVERB) => 1,
        () => 2,
    };
    let mut gaps: Vec<Gap> = Vec::with_capacity(passage.len());
    for at in passage.clone() {
        if let Some(token) = text.tokens.get(at).filter(|token| token.is_content()) {
            gaps.push(Gap { token: at, rank: rank(token) });
        }
    }
    gaps.sort_by(|one, other| other.rank.cmp(&one.rank).then(one.token.cmp(&other.token)));
    gaps
}

fn with_gap(text: &Text<'_>, passage: &Range<usize>, gap: usize) -> String {
    let before = words_of_tokens(text, passage.start..gap);
    let after = words_of_tokens(text, gap + 1..passage.end);
    let space = |beside: &str| if beside.is_empty() { "" } else { " " };
    [before, space(before), "____", space(after), after].concat()
}

impl Answering<'_> {
    /// Where the answer stands in the other text, and whether its neighbours are those of the question.
    fn answer(
        &self,
        asked: &Text<'_>,
        passage: &Range<usize>,
        gap: usize,
        used: &[u32],
    ) -> (Status, Option<u32>) {
        if let Some(place) = self.copies.and_then(|copies| copies.place(gap)) {
            return (Status::Correct, Some(place));
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
            None => (Status::Wrong, None),
            // There, but in quite another connection.
            Some((belongs, place)) if belongs < self.least => (Status::Wrong, Some(place)),
            Some((belongs, place)) if belongs >= BELONGS && met.presence >= 1.0 => {
                (Status::Correct, Some(place))
            }
            Some((_, place)) => (Status::Partial, Some(place)),
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
