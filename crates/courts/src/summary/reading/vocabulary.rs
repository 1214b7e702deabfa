//! The words of one article and its summary, each known by a number.

use super::lexicon::{Known, Meaning, flag, lexicon};
use super::stems::stem_into;
use super::table::{Key, Table, length};

/// A word that says nothing by itself.
pub(super) const NO_CONCEPT: u32 = u32::MAX;

/// What a word is, the same wherever it stands in the two texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// Its number: the same for the same letters, whatever their case.
    pub number: u32,
    /// What it means: the same for all forms of a word and for words that mean the same.
    pub concept: u32,
    pub stem: u32,
    pub flags: u32,
    pub value: f64,
}

pub(super) struct Vocabulary {
    forms: Table<Form>,
    stems: Table<Stem>,
    room: String,
}

#[derive(Debug, Clone, Copy)]
struct Stem {
    concept: u32,
    meaning: Option<&'static Meaning>,
}

impl Vocabulary {
    pub(super) fn new() -> Self {
        Self { forms: Table::with_room_for(512), stems: Table::with_room_for(512), room: String::new() }
    }

    /// What a word in lower case is.
    pub(super) fn form(&mut self, word: &str) -> Form {
        let word = Key::from(word);
        let (slot, found) = self.forms.slot(word);
        if let Some(form) = found.and_then(|number| self.forms.value(number)) {
            return *form;
        }
        let form = Form { number: length(self.forms.len()), ..self.learn(word) };
        self.forms.put(slot, word, form);
        form
    }

    fn learn(&mut self, word: Key<'_>) -> Form {
        let known = lexicon().word(word).copied().unwrap_or_default();
        let Known { mut flags, value, form_of } = known;
        if flags & flag::FUNCTION != 0 {
            return Form { number: 0, concept: NO_CONCEPT, stem: NO_CONCEPT, flags, value };
        }
        let mut room = std::mem::take(&mut self.room);
        stem_into(form_of.unwrap_or(word.word), &mut room);
        let root = Key::from(room.as_str());
        let stem = self.stem(root);
        // What is vague in one form is so in all, and so with what turns round and with what one feels; but a small word
        // has no forms: `noted` is none of `not`.
        for base in form_of.map(Key::from).into_iter().chain(Some(root)) {
            let known = lexicon().word(base).filter(|known| known.flags & flag::FUNCTION == 0);
            flags |= known.map_or(0, |known| known.flags & INHERITED);
        }
        self.room = room;
        let concept = self.stems.value(stem).map_or(stem, |known| known.concept);
        Form { number: 0, concept, stem, flags, value }
    }

    fn stem(&mut self, stem: Key<'_>) -> u32 {
        if let Some(number) = self.stems.find(stem) {
            return number;
        }
        let meaning = lexicon().meaning(stem);
        let chief =
            meaning.and_then(|meaning| meaning.same_as.as_deref()).filter(|chief| *chief != stem.word);
        let chief = chief.map(|chief| self.stem(chief.into()));
        let number = self.stems.insert_with(stem, || Stem { concept: 0, meaning });
        if let Some(known) = self.stems.value_mut(number) {
            known.concept = chief.unwrap_or(number);
        }
        number
    }

    /// How many stems there are: concepts are below this.
    pub(super) fn len(&self) -> usize {
        self.stems.len()
    }

    pub(super) fn stem_text(&self, stem: u32) -> &str {
        self.stems.word(stem)
    }

    /// Whether two stems mean the opposite of each other.
    pub(super) fn are_opposites(&self, one: u32, other: u32) -> bool {
        let meaning = |stem| self.stems.value(stem).and_then(|known| known.meaning);
        matches!((meaning(one), meaning(other)), (Some(one), Some(other)) if one.opposes(other))
    }

    /// Whether two stems are different things of one kind.
    pub(super) fn are_of_one_kind(&self, one: u32, other: u32) -> bool {
        let meaning = |stem| self.stems.value(stem).and_then(|known| known.meaning);
        one != other
            && matches!((meaning(one), meaning(other)), (Some(one), Some(other)) if one.is_another(other))
    }

    pub(super) fn has_opposites(&self, stem: u32) -> bool {
        self.stems.value(stem).and_then(|known| known.meaning).is_some_and(|known| !known.sides.is_empty())
    }

    pub(super) fn is_of_a_kind(&self, stem: u32) -> bool {
        self.stems.value(stem).and_then(|known| known.meaning).is_some_and(|known| !known.kinds.is_empty())
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
