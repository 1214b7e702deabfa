//! The English lexicon, built once from the word lists.

use std::sync::LazyLock;

use super::stems::stem_into;
use super::table::{HashedWord, WordTable};
use super::words;

/// Flags of a word.
pub(super) mod flag {
    pub(in super::super) const FUNCTION: u32 = 1;
    pub(in super::super) const NEGATION: u32 = 1 << 1;
    pub(in super::super) const BEFORE_NOUN: u32 = 1 << 2;
    pub(in super::super) const BEFORE_VERB: u32 = 1 << 3;
    pub(in super::super) const PRONOUN: u32 = 1 << 4;
    pub(in super::super) const VAGUE: u32 = 1 << 5;
    pub(in super::super) const NUMBER: u32 = 1 << 6;
    pub(in super::super) const SCALE: u32 = 1 << 7;
    pub(in super::super) const DATE: u32 = 1 << 8;
    pub(in super::super) const APPROXIMATE: u32 = 1 << 9;
    pub(in super::super) const POSITIVE: u32 = 1 << 10;
    pub(in super::super) const NEGATIVE: u32 = 1 << 11;
    pub(in super::super) const SUBJECTIVE: u32 = 1 << 12;
    pub(in super::super) const BIASED: u32 = 1 << 13;
    pub(in super::super) const HOSTILE: u32 = 1 << 14;
    pub(in super::super) const PROFANE: u32 = 1 << 15;
    pub(in super::super) const SLUR: u32 = 1 << 16;
    pub(in super::super) const GROUP: u32 = 1 << 17;
    pub(in super::super) const TRAIT: u32 = 1 << 18;
}

/// What is known of a word as it is written, in lower case, and of a stem that is written so.
#[derive(Debug, Clone, Default)]
pub(super) struct LexiconEntry {
    pub flags: u32,
    /// Of a number, or of a scale.
    pub value: f64,
    /// The word that this is an irregular form of.
    pub form_of: Option<&'static str>,
    /// The stem that stands for all stems that mean the same.
    pub same_as: Option<String>,
    /// The pairs of opposites this stem is in, and on which side.
    pub sides: Vec<(u16, bool)>,
    /// The kinds of thing this stem is.
    pub kinds: Vec<u16>,
}

pub(super) struct EnglishLexicon {
    words: WordTable<LexiconEntry>,
}

static LEXICON: LazyLock<EnglishLexicon> = LazyLock::new(EnglishLexicon::make);

pub(super) fn lexicon() -> &'static EnglishLexicon {
    &LEXICON
}

impl EnglishLexicon {
    pub(super) fn find<'w>(&self, word: impl Into<HashedWord<'w>>) -> Option<&LexiconEntry> {
        self.words.find(word).and_then(|number| self.words.value(number))
    }

    fn make() -> Self {
        let mut lexicon = Self { words: WordTable::with_room_for(4096) };
        let lists = [
            (words::FUNCTION, flag::FUNCTION),
            (words::NEGATION, flag::NEGATION | flag::FUNCTION),
            (words::DENIAL, flag::NEGATION),
            (words::BEFORE_NOUN, flag::BEFORE_NOUN),
            (words::BEFORE_VERB, flag::BEFORE_VERB),
            (words::PRONOUNS, flag::PRONOUN),
            (words::DATES, flag::DATE),
            (words::APPROXIMATE, flag::APPROXIMATE),
            (words::SUBJECTIVE, flag::SUBJECTIVE),
            (words::BIASED, flag::BIASED),
            (words::HOSTILE, flag::HOSTILE),
            (words::PROFANE, flag::PROFANE),
            (words::SLURS, flag::SLUR),
            (words::GROUPS, flag::GROUP),
            (words::TRAITS, flag::TRAIT),
            (words::VAGUE, flag::VAGUE),
            (words::POSITIVE, flag::POSITIVE),
            (words::NEGATIVE, flag::NEGATIVE),
        ];
        for (list, flags) in lists {
            list.split_whitespace().for_each(|word| lexicon.know(word, |known| known.flags |= flags));
        }
        for (number, value) in words::NUMBERS {
            lexicon.know(number, |known| (known.flags, known.value) = (known.flags | flag::NUMBER, value));
        }
        for (scale, value) in words::SCALES {
            lexicon.know(scale, |known| (known.flags, known.value) = (known.flags | flag::SCALE, value));
        }
        for line in words::FORMS.lines() {
            let mut forms = line.split_whitespace();
            let Some(word) = forms.next() else { continue };
            forms.for_each(|form| lexicon.know(form, |known| known.form_of = Some(word)));
        }
        lexicon.learn_synonyms();
        lexicon.learn_opposites();
        lexicon.learn_kinds();
        lexicon
    }

    fn know(&mut self, word: &str, learn: impl FnOnce(&mut LexiconEntry)) {
        let number = self.words.insert_with(word, LexiconEntry::default);
        self.words.value_mut(number).map(learn).unwrap_or_default();
    }

    fn learn_synonyms(&mut self) {
        for line in words::SYNONYMS.lines() {
            let mut words = line.split_whitespace().map(stem);
            let Some(first) = words.next() else { continue };
            // A word in two groups stays in the first: groups do not flow together.
            let chief =
                self.find(first.as_str()).and_then(|known| known.same_as.clone()).unwrap_or(first.clone());
            for word in std::iter::once(first).chain(words) {
                self.know(&word, |known| _ = known.same_as.get_or_insert_with(|| chief.clone()));
            }
        }
    }

    fn learn_opposites(&mut self) {
        for (pair, line) in (0_u16..).zip(words::OPPOSITES.lines()) {
            let Some((one, other)) = line.split_once('|') else { continue };
            for (side, words) in [(false, one), (true, other)] {
                for word in words.split_whitespace().map(stem) {
                    self.know(&word, |known| known.sides.push((pair, side)));
                }
            }
        }
    }

    fn learn_kinds(&mut self) {
        for (kind, line) in (0_u16..).zip(words::KINDS.lines()) {
            for word in line.split_whitespace().map(stem) {
                self.know(&word, |known| known.kinds.push(kind));
            }
        }
    }
}

impl LexiconEntry {
    /// Whether the two are different things of one kind.
    pub(super) fn is_another(&self, other: &Self) -> bool {
        self.kinds.iter().any(|kind| other.kinds.contains(kind))
    }

    /// Whether the two stand on different sides of some pair, and on the same side of none.
    pub(super) fn opposes(&self, other: &Self) -> bool {
        let shared = |same: bool| {
            self.sides.iter().any(|(pair, side)| {
                other.sides.iter().any(|(other, against)| pair == other && (side == against) == same)
            })
        };
        shared(false) && !shared(true)
    }
}

fn stem(word: &str) -> String {
    let mut stem = String::new();
    stem_into(word, &mut stem);
    stem
}
