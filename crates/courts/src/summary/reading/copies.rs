//! Copy detection: sentences of the summary that are exact or near copies of the article's.

use std::ops::Range;

use super::index::ConceptIndex;
use super::searching::{ArticleSearch, LEAST_WORDS};
use super::table::length;
use super::text::{Sentence, TokenizedText};

/// A sentence with more near matches than this is searched together with its neighbours.
const MOST_PLACES: usize = 3;
/// No copy, in `Copies::places`.
const NOWHERE: u32 = u32::MAX;

/// The exact and near copies in the summary.
pub(super) struct CopiedSentences {
    /// For each token of the summary that of the article which it repeats, when its sentence stands there word for word.
    places: Vec<u32>,
    /// What is the article's but for a few words, in the summary's order.
    pub near: Vec<NearCopy>,
}

/// Tokens of the summary, and those of the article that they may have been before a few were changed.
pub(super) struct NearCopy {
    pub tokens: Range<usize>,
    pub places: Vec<Range<usize>>,
}

impl CopiedSentences {
    /// What stands in the article word for word, alone.
    pub(super) fn exact(
        summary: &TokenizedText<'_>,
        article: &TokenizedText<'_>,
        index: &ConceptIndex,
    ) -> Self {
        let mut copies = Self { places: vec![NOWHERE; summary.tokens.len()], near: Vec::new() };
        let search = ArticleSearch { article, index };
        for sentence in &summary.sentences {
            if let Some(start) = search.exact(summary.of(sentence)) {
                copies.take(sentence, start);
            }
        }
        copies
    }

    /// That, and what is nearly so.
    pub(super) fn find(
        summary: &TokenizedText<'_>,
        article: &TokenizedText<'_>,
        index: &ConceptIndex,
    ) -> Self {
        let mut copies = Self::exact(summary, article, index);
        let search = ArticleSearch { article, index };
        let mut found: Vec<Option<Vec<Range<usize>>>> = Vec::with_capacity(summary.sentences.len());
        for sentence in &summary.sentences {
            let tokens = summary.of(sentence);
            let exact = copies.place(sentence.tokens.start).map(|start| start as usize);
            let places = match exact {
                Some(start) => search.around_exact(start..start + tokens.len()),
                None => search.with_whole(search.near(tokens)),
            };
            found.push(Some(places).filter(|places| exact.is_some() || !places.is_empty()));
        }
        for (number, (sentence, places)) in summary.sentences.iter().zip(&found).enumerate() {
            let few = places.as_ref().is_some_and(|places| places.len() <= MOST_PLACES);
            if !few {
                copies.add_between(number, summary, &search, &found);
            }
            // Nothing else was found in its place.
            let places = places.iter().flatten().take(MOST_PLACES).cloned().collect();
            copies.add(sentence.tokens.clone(), places);
        }
        copies
    }

    /// Searches a sentence without a match together with its neighbours, as when its only word was changed.
    fn add_between(
        &mut self,
        number: usize,
        summary: &TokenizedText<'_>,
        search: &ArticleSearch<'_>,
        found: &[Option<Vec<Range<usize>>>],
    ) {
        let short =
            |number: usize| summary.sentences.get(number).is_some_and(|one| one.tokens.len() < LEAST_WORDS);
        let joins = |other: usize| short(other) || short(number) || matches!(found.get(other), Some(Some(_)));
        let sentence = |number: usize| summary.sentences.get(number).map(|sentence| &sentence.tokens);
        let before = number.checked_sub(1).filter(|before| joins(*before)).and_then(sentence);
        let after = Some(number + 1).filter(|after| joins(*after)).and_then(sentence);
        let Some(own) = sentence(number).filter(|_| before.is_some() || after.is_some()) else { return };
        let range = before.unwrap_or(own).start..after.unwrap_or(own).end;
        let tokens = summary.tokens.get(range.clone()).unwrap_or_default();
        self.add(range, search.with_whole(search.near(tokens)));
    }

    /// Takes the place of what was found in a part of the same tokens.
    fn add(&mut self, tokens: Range<usize>, places: Vec<Range<usize>>) {
        let covered = self.near.last().is_some_and(|last| last.tokens.end >= tokens.end);
        if places.is_empty() || covered {
            return;
        }
        while self.near.pop_if(|last| last.tokens.end > tokens.start).is_some() {}
        self.near.push(NearCopy { tokens, places });
    }

    fn take(&mut self, sentence: &Sentence, start: usize) {
        let places = self.places.get_mut(sentence.tokens.clone()).unwrap_or_default();
        places.iter_mut().zip(start..).for_each(|(place, token)| *place = length(token));
    }

    /// The token of the article that this one of the summary repeats.
    pub(super) fn place(&self, token: usize) -> Option<u32> {
        self.places.get(token).copied().filter(|place| *place != NOWHERE)
    }

    /// The tokens of the article that the sentence of this token nearly repeats.
    pub(super) fn nearly(&self, token: usize) -> Option<Range<usize>> {
        let near = self.near.get(self.near.partition_point(|near| near.tokens.end <= token))?;
        near.places.first().filter(|_| near.tokens.contains(&token)).cloned()
    }

    /// Whether all of these tokens are repeated.
    pub(super) fn has(&self, tokens: Range<usize>) -> bool {
        self.places.get(tokens).is_some_and(|places| !places.contains(&NOWHERE))
    }
}
