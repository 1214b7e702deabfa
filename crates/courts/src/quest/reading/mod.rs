//! Reading what people wrote beside a log, without a model: signs of exhaustion, ease, pain and injury.
//!
//! A word list for each language, a few words of context before a match that can take it back ("no pain"), and
//! nothing else. It may lower the safety score and ask for a review; it never gives or takes XP. What it cannot do:
//! irony, quotations, spelling mistakes beyond accents and case, languages it has no list for.

mod languages;
mod text;

use assize_kernel::SmolStr;
use serde::{Deserialize, Serialize};

use languages::{LANGUAGES, Language};
use text::{Word, words};

/// What verdicts call this reader.
pub(super) const NAME: &str = "word-list";
/// Counted up when the same text may be read differently.
pub(super) const VERSION: &str = "1";

/// How many words before a match can take it back.
const REACH: usize = 3;
/// Longer texts are read up to here.
const MOST_WORDS: usize = 400;

/// What was read in a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// In the order of the text.
    pub signs: Vec<Sign>,
}

/// One sign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sign {
    /// Of what.
    pub kind: SignKind,
    /// The language whose list has the words.
    pub language: SmolStr,
    /// The words of the list, not the writer's.
    pub words: SmolStr,
    /// Where they stand in the text, as byte offsets.
    pub span: (usize, usize),
}

/// What a sign is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignKind {
    /// It was too much.
    Exhaustion,
    /// It was easy.
    Ease,
    /// Something hurts.
    Pain,
    /// Something is damaged.
    Injury,
}

impl SignKind {
    /// Every kind, the gravest first.
    pub(super) const ALL: [Self; 4] = [Self::Injury, Self::Pain, Self::Exhaustion, Self::Ease];
}

impl Reading {
    /// Whether there is a sign of this kind.
    #[must_use]
    pub fn has(&self, kind: SignKind) -> bool {
        self.signs.iter().any(|sign| sign.kind == kind)
    }
}

/// Reads a text.
#[must_use]
pub fn read(text: &str) -> Reading {
    let words = words(text, MOST_WORDS);
    let mut signs: Vec<Sign> = Vec::new();
    for language in spoken(&words) {
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let Some((kind, entry, length)) = language.longest_match(rest) else {
                at += 1;
                continue;
            };
            if !taken_back(language, &words, at, entry) {
                signs.extend(sign(language, kind, entry, rest.get(..length)));
            }
            at += length;
        }
    }
    signs.sort_by_key(|sign| (sign.span, sign.kind));
    // Two languages may share a word: it is one sign.
    signs.dedup_by_key(|sign| (sign.span, sign.kind));
    Reading { signs }
}

fn sign(language: &Language, kind: SignKind, entry: &str, matched: Option<&[Word]>) -> Option<Sign> {
    let span = (matched?.first()?.span.0, matched?.last()?.span.1);
    Some(Sign { kind, language: language.code.into(), words: entry.into(), span })
}

/// The languages a text seems to be written in: those with the most small words; all when there are none.
fn spoken(words: &[Word]) -> impl Iterator<Item = &'static Language> {
    let counts = LANGUAGES.map(|language| words.iter().filter(|word| language.is_small(&word.plain)).count());
    let most = counts.into_iter().max().unwrap_or(0);
    LANGUAGES.into_iter().zip(counts).filter(move |(_, count)| *count == most).map(|(language, _)| language)
}

/// Whether a word shortly before says the opposite, in the same sentence. An entry that says it itself is as it is.
fn taken_back(language: &Language, words: &[Word], at: usize, entry: &str) -> bool {
    if entry.split(' ').any(|part| language.negations.contains(&part)) {
        return false;
    }
    let before = words.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let here = words.get(at).map_or(0, |word| word.sentence);
    let same = before.iter().filter(|word| word.sentence == here);
    same.into_iter().any(|word| language.negations.contains(&word.plain.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str, &str)]) {
        let read = read(text);
        let found: Vec<_> = read
            .signs
            .iter()
            .map(|sign| (format!("{:?}", sign.kind), sign.language.as_str(), &text[sign.span.0..sign.span.1]))
            .collect();
        let found: Vec<_> =
            found.iter().map(|(kind, language, text)| (kind.as_str(), *language, *text)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn english() {
        check("hard but fine", &[]);
        check("My knee hurts since the third set.", &[("Pain", "en", "hurts")]);
        check("I think I tore something, my hamstring", &[("Injury", "en", "tore")]);
        check("That was too easy!", &[("Ease", "en", "too easy")]);
        check("I am completely exhausted", &[("Exhaustion", "en", "completely exhausted")]);
    }

    #[test]
    fn what_is_taken_back_is_no_sign() {
        check("no pain at all, and it did not hurt", &[]);
        check("Not injured. But it hurts.", &[("Pain", "en", "hurts")]);
        check("keine Schmerzen, alles gut", &[]);
        check("sin dolor en la rodilla", &[]);
        check("je n'ai pas mal au dos", &[]);
    }

    #[test]
    fn german_spanish_and_french() {
        check("Mir tut das Knie weh, starke Schmerzen", &[("Pain", "de", "Schmerzen")]);
        check("Ich bin völlig erschöpft", &[("Exhaustion", "de", "völlig erschöpft")]);
        check("Me duele la espalda", &[("Pain", "es", "Me duele")]);
        check("Fue muy fácil para mí", &[("Ease", "es", "muy fácil")]);
        check("J'ai mal au genou depuis hier", &[("Pain", "fr", "J'ai mal")]);
        check("je me suis blessé à la cheville", &[("Injury", "fr", "blessé")]);
    }

    #[test]
    fn bread_is_no_pain() {
        check("j'ai mangé du pain et je suis content", &[]);
    }

    #[test]
    fn accents_and_case_do_not_matter() {
        check("JE SUIS EPUISEE", &[("Exhaustion", "fr", "EPUISEE")]);
    }

    #[test]
    fn what_it_cannot_do_is_known() {
        // Irony, and somebody else's pain.
        check("yeah, totally easy", &[("Ease", "en", "totally easy")]);
        check("my coach says it hurts the first week", &[("Pain", "en", "hurts")]);
    }
}
