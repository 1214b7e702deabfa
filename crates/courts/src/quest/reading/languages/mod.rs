//! The lexicon: the word lists of all languages and the lookup over all of them at once.

mod english;
mod french;
mod german;
mod spanish;

use std::cmp::Reverse;
use std::sync::OnceLock;

use super::text::TextWord;
use super::{REACH, SignKind};

/// The word lists of a language. Entries are in lower case and without accents, like the words they are
/// compared with; a star matches any ending.
pub(super) struct Language {
    pub(super) code: &'static str,
    /// Frequent words that identify the language of a text.
    small: &'static [&'static str],
    /// Words that negate a following match.
    negations: &'static [&'static str],
    /// False friends: words that match an entry of any language but mean something else in this one.
    innocent: &'static [&'static str],
    lists: [(SignKind, &'static [&'static str]); 4],
}

static LANGUAGES: [&Language; 4] = [&english::ENGLISH, &german::GERMAN, &spanish::SPANISH, &french::FRENCH];

/// A set of languages as a bit mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LanguageSet(u8);

/// An entry of a word list.
#[derive(Clone, Copy)]
pub(super) struct LexiconEntry {
    pub(super) kind: SignKind,
    pub(super) text: &'static str,
    pub(super) language: &'static Language,
    /// The index of its language.
    place: usize,
}

/// The word lists of all languages.
pub(super) struct SignLexicon {
    /// The entries by first letter, so that most words of a text need no comparison.
    entries: Vec<Vec<LexiconEntry>>,
    /// The frequent words, sorted, with their languages.
    small: Vec<(&'static str, LanguageSet)>,
}

impl LanguageSet {
    pub(super) const ALL: Self = Self(0b1111);

    const fn has(self, place: usize) -> bool {
        self.0 & (1 << place) != 0
    }

    fn languages(self) -> impl Iterator<Item = &'static Language> {
        LANGUAGES.into_iter().enumerate().filter(move |(place, _)| self.has(*place)).map(|(_, own)| own)
    }
}

impl SignLexicon {
    /// The shared lexicon, built on first use.
    pub(super) fn of_all() -> &'static Self {
        static LEXICON: OnceLock<SignLexicon> = OnceLock::new();
        LEXICON.get_or_init(Self::new)
    }

    fn new() -> Self {
        let mut entries: Vec<Vec<LexiconEntry>> = vec![Vec::new(); 128];
        let mut small: Vec<(&'static str, LanguageSet)> = Vec::new();
        for (place, language) in LANGUAGES.into_iter().enumerate() {
            for (kind, list) in &language.lists {
                for text in *list {
                    let entry = LexiconEntry { kind: *kind, text, language, place };
                    entries.get_mut(first_letter(text)).into_iter().for_each(|letter| letter.push(entry));
                }
            }
            small.extend(language.small.iter().map(|word| (*word, LanguageSet(1 << place))));
        }
        small.sort_by_key(|(word, _)| *word);
        small.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1.0 |= if same { next.1.0 } else { 0 };
            same
        });
        Self { entries, small }
    }

    /// Detects the languages of some words: those with the most frequent words, or `otherwise` if there are
    /// none.
    pub(super) fn spoken(&self, words: &[TextWord], otherwise: LanguageSet) -> LanguageSet {
        let mut counts = [0_usize; LANGUAGES.len()];
        for word in words {
            let found = self.small.binary_search_by_key(&word.plain.as_str(), |(small, _)| small);
            let Some((_, tongues)) = found.ok().and_then(|at| self.small.get(at)) else { continue };
            counts
                .iter_mut()
                .enumerate()
                .for_each(|(place, count)| *count += usize::from(tongues.has(place)));
        }
        let most = counts.into_iter().max().unwrap_or(0);
        if most == 0 {
            return otherwise;
        }
        let places = counts.into_iter().enumerate().filter(|(_, count)| *count == most);
        LanguageSet(places.fold(0, |tongues, (place, _)| tongues | 1 << place))
    }

    /// The longest entry that matches at this word, and its length in words; `spoken` is the sentence's
    /// language.
    pub(super) fn longest_match(
        &self,
        words: &[TextWord],
        at: usize,
        spoken: LanguageSet,
    ) -> Option<(LexiconEntry, usize)> {
        let rest = words.get(at..)?;
        let entries = self.entries.get(first_letter(&rest.first()?.plain))?.iter();
        let matching = entries.filter_map(|entry| Some((*entry, begins_with(rest, entry.text)?)));
        matching.clone().next()?;
        // A sentence may change its language halfway.
        let near = self.spoken(around(words, at), spoken);
        let meant = matching.filter(|(entry, _)| entry.is_meant(rest, spoken, near));
        meant.max_by_key(|(entry, length)| {
            (*length, entry.text.len(), spoken.has(entry.place), Reverse(entry.place))
        })
    }
}

impl LexiconEntry {
    /// Pain and injury are matched in every language, unless the word is a false friend in the language
    /// around it.
    fn is_meant(&self, words: &[TextWord], spoken: LanguageSet, near: LanguageSet) -> bool {
        let grave = matches!(self.kind, SignKind::Pain | SignKind::Injury);
        let is_innocent = |language: &Language| {
            language.innocent.iter().any(|innocent| begins_with(words, innocent).is_some())
        };
        let elsewhere = || !near.has(self.place) && near.languages().any(is_innocent);
        (grave || spoken.has(self.place)) && !is_innocent(self.language) && !elsewhere()
    }

    /// Whether the entry contains a negation itself.
    pub(super) fn is_negative(&self) -> bool {
        self.text.split(' ').any(|part| self.language.negates(part))
    }
}

impl Language {
    pub(super) fn negates(&self, word: &str) -> bool {
        self.negations.contains(&word)
    }
}

/// Whether the word is a negation in one of these languages.
pub(super) fn negates(spoken: LanguageSet, word: &str) -> bool {
    spoken.languages().any(|language| language.negates(word))
}

/// The words within `REACH` of this one in the same sentence.
fn around(words: &[TextWord], at: usize) -> &[TextWord] {
    let sentence = |word: &TextWord| words.get(at).is_some_and(|here| here.sentence == word.sentence);
    let last = words.len().min(at + REACH + 1);
    let near = words.get(at.saturating_sub(REACH)..last).unwrap_or_default();
    let strangers = near.iter().take_while(|word| !sentence(word)).count();
    let own = near.iter().skip(strangers).take_while(|word| sentence(word)).count();
    near.get(strangers..strangers + own).unwrap_or_default()
}

fn first_letter(word: &str) -> usize {
    word.bytes().next().unwrap_or_default().into()
}

fn begins_with(words: &[TextWord], entry: &str) -> Option<usize> {
    let mut length = 0;
    for part in entry.split(' ') {
        let word = words.get(length)?;
        let same = match part.strip_suffix('*') {
            Some(stem) => word.plain.starts_with(stem),
            None => word.plain == part,
        };
        if !same {
            return None;
        }
        length += 1;
    }
    Some(length)
}
