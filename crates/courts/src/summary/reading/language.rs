//! Language detection: the reading refuses texts that are not English.

use super::lexicon::flag;
use super::text::TokenizedText;

/// Function words of other languages that are not English words.
const OTHERS: [(&str, &str); 8] = [
    ("German", "der die das und nicht ist ein eine einen dem den des mit von für auf sich auch werden wurde"),
    ("French", "le les des est dans une du et que qui pour sur avec pas ce sont il elle au aux été"),
    ("Spanish", "el los las es una que por con para del se no su como más pero al fue está"),
    ("Italian", "il che di e un una per non con sono della del le gli si anche dei nel alla"),
    ("Portuguese", "os as que uma para com não por mais dos das como foi ao ele se na no em"),
    ("Dutch", "het een van en is niet dat op te voor met zijn aan ook door bij naar werd wordt"),
    ("Vietnamese", "và của là có không được trong cho một những các với đã người này tại về"),
    ("Swedish", "och att det som en är av för på med den till inte om ett var han hade"),
];

/// The minimum number of words for a detection.
const LEAST_WORDS: usize = 8;

/// The language of a text that is not English, as far as it can be told; none for English.
pub(super) fn foreign(text: &TokenizedText<'_>) -> Option<&'static str> {
    let source = if text.source.is_ascii() { "" } else { text.source };
    let letters = source.chars().filter(|char| char.is_alphabetic());
    let (all, latin) =
        letters.fold((0, 0), |(all, latin), char| (all + 1, latin + usize::from(char < '\u{250}')));
    if all > 20 && latin * 10 < all * 7 && !is_vietnamese(text) {
        return Some("a language that is not written in Latin letters");
    }
    let words = text.tokens.len();
    let english = text.tokens.iter().filter(|token| token.is(flag::FUNCTION)).count();
    // In English prose two words of five are such; a list of names or a headline has fewer.
    if words < LEAST_WORDS || english * 100 >= words * 22 {
        return None;
    }
    let mut best = ("", 0);
    for (language, list) in OTHERS {
        let is_in = |word: &str| list.split(' ').any(|known| known.eq_ignore_ascii_case(word));
        let found =
            text.tokens.iter().filter(|token| is_in(text.words(token.start as usize..token.end as usize)));
        let found = found.count();
        if found > best.1 {
            best = (language, found);
        }
    }
    let (language, found) = best;
    (found > english && found * 100 >= words * 12).then_some(language)
}

fn is_vietnamese(text: &TokenizedText<'_>) -> bool {
    text.source.contains(['ư', 'ơ', 'đ'])
}
