//! The vocabulary of one article and its summary: numbers words and maps them to concepts.

use super::lexicon::{LexiconEntry, flag, lexicon};
use super::stems::stem_into;
use super::table::{HashedWord, WordTable, length};

/// The concept of a function word.
pub(super) const NO_CONCEPT: u32 = u32::MAX;

/// What a word is, the same wherever it stands in the two texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordForm {
    /// Its number: the same for the same letters, whatever their case.
    pub number: u32,
    /// What it means: the same for all forms of a word and for words that mean the same.
    pub concept: u32,
    pub stem: u32,
    pub flags: u32,
    pub value: f64,
}

pub(super) struct TextVocabulary {
    forms: WordTable<WordForm>,
    stems: WordTable<StemEntry>,
    room: String,
}

#[derive(Debug, Clone, Copy)]
struct StemEntry {
    concept: u32,
    known: Option<&'static LexiconEntry>,
}

impl TextVocabulary {
    pub(super) fn new() -> Self {
        Self {
            forms: WordTable::with_room_for(512),
            stems: WordTable::with_room_for(512),
            room: String::new(),
        }
    }

    /// What a word in lower case is.
    pub(super) fn form(&mut self, word: &str) -> WordForm {
        let word = HashedWord::from(word);
        let (slot, found) = self.forms.slot(word);
        if let Some(form) = found.and_then(|number| self.forms.value(number)) {
            return *form;
        }
        let form = WordForm { number: length(self.forms.len()), ..self.learn(word) };
        self.forms.put(slot, word, form);
        form
    }

    fn learn(&mut self, word: HashedWord<'_>) -> WordForm {
        let known = lexicon().find(word);
        let (mut flags, value) = known.map_or((0, 0.0), |known| (known.flags, known.value));
        if flags & flag::FUNCTION != 0 {
            return WordForm { number: 0, concept: NO_CONCEPT, stem: NO_CONCEPT, flags, value };
        }
        let form_of = known.and_then(|known| known.form_of);
        let mut room = std::mem::take(&mut self.room);
        stem_into(form_of.unwrap_or(word.word), &mut room);
        let (stem, StemEntry { concept, known: root }) = if room == word.word {
            self.stem(word, known)
        } else {
            let root = HashedWord::from(room.as_str());
            self.stem(root, lexicon().find(root))
        };
        self.room = room;
        // What is vague in one form is so in all, and so with what turns round and with what one feels; but a small word
        // has no forms: `noted` is none of `not`.
        for base in form_of.and_then(|base| lexicon().find(base)).into_iter().chain(root) {
            flags |= if base.flags & flag::FUNCTION == 0 { base.flags & INHERITED } else { 0 };
        }
        WordForm { number: 0, concept, stem, flags, value }
    }

    /// A stem and its number, by what the lexicon knows of it.
    fn stem(&mut self, word: HashedWord<'_>, known: Option<&'static LexiconEntry>) -> (u32, StemEntry) {
        let (slot, found) = self.stems.slot(word);
        if let Some((number, stem)) = found.and_then(|number| Some((number, *self.stems.value(number)?))) {
            return (number, stem);
        }
        let stem = StemEntry { concept: length(self.stems.len()), known };
        let number = self.stems.put(slot, word, stem);
        let chief = known.and_then(|known| known.same_as.as_deref()).filter(|chief| *chief != word.word);
        let Some(chief) = chief else { return (number, stem) };
        let chief = HashedWord::from(chief);
        let stem = StemEntry { concept: self.stem(chief, lexicon().find(chief)).0, known };
        self.stems.value_mut(number).map(|put| *put = stem).unwrap_or_default();
        (number, stem)
    }

    /// How many stems there are: concepts are below this.
    pub(super) fn len(&self) -> usize {
        self.stems.len()
    }

    pub(super) fn stem_text(&self, stem: u32) -> &str {
        self.stems.word(stem)
    }

    fn known(&self, stem: u32) -> Option<&'static LexiconEntry> {
        self.stems.value(stem).and_then(|stem| stem.known)
    }

    /// Whether two stems mean the opposite of each other.
    pub(super) fn are_opposites(&self, one: u32, other: u32) -> bool {
        matches!((self.known(one), self.known(other)), (Some(one), Some(other)) if one.opposes(other))
    }

    /// Whether two stems are different things of one kind.
    pub(super) fn are_of_one_kind(&self, one: u32, other: u32) -> bool {
        one != other
            && matches!((self.known(one), self.known(other)), (Some(one), Some(other)) if one.is_another(other))
    }

    pub(super) fn has_opposites(&self, stem: u32) -> bool {
        self.known(stem).is_some_and(|known| !known.sides.is_empty())
    }

    pub(super) fn is_of_a_kind(&self, stem: u32) -> bool {
        self.known(stem).is_some_and(|known| !known.kinds.is_empty())
    }

    /// The concepts that this is with a prefix that turns it round, or without one: `unsafe` and `safe`.
    pub(super) fn turned_round(&self, stem: u32) -> impl Iterator<Item = u32> {
        const PREFIXES: [&str; 8] = ["un", "in", "im", "dis", "non", "ir", "il", "dys"];
        // Stems that only look as if: to inform is not the opposite of to form.
        const OTHERS: [&str; 16] = [
            "inform", "impress", "import", "displai", "discover", "disclos", "discount", "impact", "intens",
            "invent", "inspir", "invest", "improv", "dispatch", "distract", "intent",
        ];
        let stem = self.stem_text(stem);
        PREFIXES.into_iter().flat_map(move |prefix| {
            let without = stem.strip_prefix(prefix).filter(|rest| rest.len() >= 4 && !OTHERS.contains(&stem));
            let without = without.and_then(|rest| self.stems.find(rest));
            let with = (stem.len() >= 4).then(|| format!("{prefix}{stem}"));
            let with = with.filter(|with| !OTHERS.contains(&with.as_str()));
            let with = with.and_then(|with| self.stems.find(with.as_str()));
            let concept = |stem| self.stems.value(stem).map_or(stem, |known| known.concept);
            without.into_iter().chain(with).map(concept)
        })
    }
}

const INHERITED: u32 = flag::VAGUE | flag::NEGATION | flag::POSITIVE | flag::NEGATIVE;
