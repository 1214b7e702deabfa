//! Word-list reader for feedback and reports: finds signs of exhaustion, ease, pain and injury without a
//! model.
//!
//! It uses a word list for each language and the few words before a match, which can negate it ("no pain").
//! Pain and injury are matched in all languages at once, so that a sentence in another language cannot hide
//! them. A sign may lower the safety score and request a review; it never changes XP. Not supported: irony,
//! quotations, misspellings beyond accents and case, and languages without a list.

mod languages;
mod text;

use assize_kernel::{Assessor, SmolStr};
use serde::{Deserialize, Serialize};

use languages::{LanguageSet, LexiconEntry, SignLexicon, negates};
use text::{TextWord, words};

/// The assessor name of this reader.
pub const WORD_LIST: &str = "word-list";
/// Incremented when the same text may be read differently.
const VERSION: &str = "2";

/// The number of words before a match that can negate it, and around it that decide its language.
const REACH: usize = 3;
/// Longer texts are cut off here. Feedback and reports have at most 4,000 characters: 2,000 words.
const MOST_WORDS: usize = 2_000;

/// The result of reading a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The signs, in text order.
    pub signs: Vec<Sign>,
    /// The assessor; `None` for the word list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Assessor>,
}

/// A sign found in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sign {
    /// The kind of sign.
    pub kind: SignKind,
    /// The language of the matched entry.
    pub language: SmolStr,
    /// The matched entry of the word list, not the writer's words.
    pub words: SmolStr,
    /// The byte offsets in the text.
    pub span: (usize, usize),
}

/// The kind of a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignKind {
    /// The workout was too much.
    Exhaustion,
    /// The workout was easy.
    Ease,
    /// Something hurts.
    Pain,
    /// Something is damaged.
    Injury,
}

impl SignKind {
    /// Every kind, most severe first.
    pub(super) const ALL: [Self; 4] = [Self::Injury, Self::Pain, Self::Exhaustion, Self::Ease];
}

impl Reading {
    /// Whether there is a sign of this kind.
    #[must_use]
    pub fn has(&self, kind: SignKind) -> bool {
        self.signs.iter().any(|sign| sign.kind == kind)
    }

    /// The assessor of this reading.
    #[must_use]
    pub fn reader(&self) -> Assessor {
        self.by.clone().unwrap_or_else(own)
    }
}

/// The word list as an assessor.
pub(super) fn own() -> Assessor {
    Assessor { name: WORD_LIST.into(), version: VERSION.into() }
}

/// Reads a text.
#[must_use]
pub fn read(text: &str) -> Reading {
    let words = words(text, MOST_WORDS);
    let lexicon = SignLexicon::of_all();
    let mostly = lexicon.spoken(&words, LanguageSet::ALL);
    let mut signs: Vec<Sign> = Vec::new();
    let mut at = 0;
    let mut end = 0;
    for sentence in words.chunk_by(|one, next| one.sentence == next.sentence) {
        let spoken = lexicon.spoken(sentence, mostly);
        end += sentence.len();
        while at < end {
            let Some((entry, length)) = lexicon.longest_match(&words, at, spoken) else {
                at += 1;
                continue;
            };
            if !taken_back(&entry, &words, at, spoken) {
                signs.extend(sign(&entry, words.get(at..at + length)));
            }
            at += length;
        }
    }
    Reading { signs, by: None }
}

fn sign(entry: &LexiconEntry, matched: Option<&[TextWord]>) -> Option<Sign> {
    let span = (matched?.first()?.span.0, matched?.last()?.span.1);
    Some(Sign { kind: entry.kind, language: entry.language.code.into(), words: entry.text.into(), span })
}

/// Whether a nearby word before the match, in the same sentence, negates it: a negation in the entry's
/// language, or the directly preceding word in the sentence's language ("kein Pain"). Entries with their own
/// negation are exempt.
fn taken_back(entry: &LexiconEntry, words: &[TextWord], at: usize, spoken: LanguageSet) -> bool {
    if entry.is_negative() {
        return false;
    }
    let here = words.get(at).map_or(0, |word| word.sentence);
    let before = words.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let mut before = before.iter().filter(|word| word.sentence == here);
    let directly = before.clone().next_back().is_some_and(|word| negates(spoken, &word.plain));
    directly || before.any(|word| entry.language.negates(&word.plain))
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
    fn a_sentence_in_another_language_hides_nothing() {
        check(
            "I did all of it and it was a good day. Ich habe mir das Knie verletzt. I am happy with that.",
            &[("Injury", "de", "verletzt")],
        );
        check("The plan was fine, me duele la rodilla, but I did it", &[("Pain", "es", "me duele")]);
        check("Es war alles gut und ich bin froh. My hamstring is torn", &[("Injury", "en", "torn")]);
        check("C'était très bien mais I have pain in my knee. Je suis content", &[("Pain", "en", "pain")]);
        check("I did not stop at all. Me lesioné.", &[("Injury", "es", "Me lesioné")]);
    }

    #[test]
    fn many_words_hide_nothing() {
        let text = format!("{}I tore it", "it was fine. ".repeat(300));
        let start = text.len() - "tore it".len();
        let expected = Sign {
            kind: SignKind::Injury,
            language: "en".into(),
            words: "tore".into(),
            span: (start, start + 4),
        };
        assert_eq!(read(&text).signs, [expected]);
    }

    #[test]
    fn what_is_taken_back_in_another_language_is_no_sign() {
        check("I had a good day, sin dolor en la rodilla, and I am happy", &[]);
        check("Heute kein Pain, alles gut und ich bin froh", &[]);
        check("the knee is fine, keine Schmerzen", &[]);
    }

    #[test]
    fn false_friends_are_no_signs() {
        check("j'ai mangé du pain et je suis content", &[]);
        check("I feel blessed and grateful for this day", &[]);
        check("Ich habe drei Tore geschossen und bin froh", &[]);
        check("it was my turn on the rota, and sangria with my friends", &[]);
        check("I was in Luxembourg with Dolores", &[]);
        check("je n'aime pas les injures, mais c'est le jeu", &[]);
        check("fue un día muy largo y me fue mal a la tercera serie", &[]);
        check("I climbed the wall with my crampons", &[]);
    }

    #[test]
    fn only_pain_and_injury_are_read_in_every_language() {
        check("I had a bout of the flu and it was fine", &[]);
        check("it was fine, totalmente agotado", &[]);
    }

    #[test]
    fn accents_and_case_do_not_matter() {
        check("JE SUIS EPUISEE", &[("Exhaustion", "fr", "EPUISEE")]);
    }

    #[test]
    fn what_it_cannot_do_is_known() {
        // Irony, and another person's pain.
        check("yeah, totally easy", &[("Ease", "en", "totally easy")]);
        check("my coach says it hurts the first week", &[("Pain", "en", "hurts")]);
    }
}
