//! Word-list reader for feedback and reports: finds signs of exhaustion, ease, pain and injury without a model.
//!
//! A word list for each language, a few words of context before a match that can take it back ("no pain"), and
//! nothing else. Pain and injury are read in all languages at once, so that no sentence in another one hides them. It
//! may lower the safety score and ask for a review; it never gives or takes XP. What it cannot do: irony, quotations,
//! spelling mistakes beyond accents and case, languages it has no list for.

mod languages;
mod text;

use assize_kernel::{Assessor, SmolStr};
use serde::{Deserialize, Serialize};

use languages::{LanguageSet, LexiconEntry, SignLexicon, negates};
use text::{TextWord, words};

/// What verdicts call this reader.
pub const WORD_LIST: &str = "word-list";
/// Counted up when the same text may be read differently.
const VERSION: &str = "2";

/// How many words before a match can take it back, and how many around it say which language it is in.
const REACH: usize = 3;
/// Longer texts are read up to here; hunters and reporters write at most 4,000 characters, which is no more words.
const MOST_WORDS: usize = 2_000;

/// What was read in a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// In the order of the text.
    pub signs: Vec<Sign>,
    /// Who has read it; none when it was the word list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Assessor>,
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

    /// Who has read.
    #[must_use]
    pub fn reader(&self) -> Assessor {
        self.by.clone().unwrap_or_else(own)
    }
}

/// Who has read, when it is this reader.
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

/// Whether a word shortly before says the opposite, in the same sentence: one of the entry's language, or the very
/// last one in the language that is spoken ("kein Pain"). An entry that says it itself is as it is.
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
        // Irony, and somebody else's pain.
        check("yeah, totally easy", &[("Ease", "en", "totally easy")]);
        check("my coach says it hurts the first week", &[("Pain", "en", "hurts")]);
    }
}
