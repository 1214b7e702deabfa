//! Stemmer: removes endings, so that `announced` and `announces` are the same.

/// The stem of a word in lower case, written into `stem`.
pub(super) fn stem_into(word: &str, stem: &mut String) {
    stem.clear();
    stem.push_str(word);
    if word.len() < 4 || !word.is_ascii() {
        return;
    }
    take_plural(stem);
    take_ending(stem);
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
}

fn take_plural(stem: &mut String) {
    if stem.ends_with("sses") || stem.ends_with("ches") || stem.ends_with("shes") || stem.ends_with("xes") {
        stem.truncate(stem.len() - 2);
    } else if stem.ends_with("ies") && stem.len() > 4 {
        stem.truncate(stem.len() - 3);
        stem.push('y');
    } else if stem.ends_with('s') && !ends_in(stem, &["ss", "us", "is", "as"]) {
        stem.pop();
    }
}

fn take_ending(stem: &mut String) {
    const SIMPLE: [(&str, &str); 10] = [
        ("ization", "ize"),
        ("isation", "ize"),
        ("ise", "ize"),
        ("fulness", "ful"),
        ("iveness", "ive"),
        ("ously", "ous"),
        ("ally", "al"),
        ("ily", "y"),
        ("ly", ""),
        ("our", "or"),
    ];
    if take_past(stem) {
        // As `criticise` is `criticize`.
        if stem.len() >= 5 && stem.ends_with("is") {
            stem.pop();
            stem.push('z');
        }
        return;
    }
    for (ending, instead) in SIMPLE {
        if stem.len() >= ending.len() + 3 && stem.ends_with(ending) {
            stem.truncate(stem.len() - ending.len());
            stem.push_str(instead);
            return;
        }
    }
}

/// `-ed` and `-ing`, with the doubled consonant that they bring along.
fn take_past(stem: &mut String) -> bool {
    let ending = match () {
        () if stem.ends_with("ied") && stem.len() > 4 => {
            stem.truncate(stem.len() - 3);
            stem.push('y');
            return true;
        }
        () if stem.ends_with("eed") => return false,
        () if stem.ends_with("ed") => 2,
        () if stem.ends_with("ing") => 3,
        () => return false,
    };
    let root = stem.len() - ending;
    if root < 3 || !stem.bytes().take(root).any(is_vowel) {
        return false;
    }
    stem.truncate(root);
    let mut last = stem.bytes().rev();
    if let (Some(last), Some(before)) = (last.next(), last.next())
        && last == before
        && !is_vowel(last)
        && !matches!(last, b'l' | b's' | b'z')
    {
        stem.pop();
    }
    true
}

fn ends_in(text: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| text.ends_with(ending))
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// The letters that all relatives of a stem share with it.
pub(super) type StemRoot = [u8; 4];

/// None for a stem that is too short to have relatives.
pub(super) fn root(stem: &str) -> Option<StemRoot> {
    stem.as_bytes().first_chunk().copied()
}

/// Whether two stems grow from one root: `invad` and `invas`, `ukrain` and `ukrainian`.
pub(super) fn are_related(one: &str, other: &str) -> bool {
    let common = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let rest = one.len().max(other.len()) - common;
    common >= 6 && rest <= 5 || common >= 4 && rest <= 4 && common >= rest
}

#[cfg(test)]
mod tests {
    use super::{are_related, stem_into};

    #[track_caller]
    fn same(one: &str, other: &str) {
        let (mut first, mut second) = (String::new(), String::new());
        stem_into(one, &mut first);
        stem_into(other, &mut second);
        assert_eq!(first, second, "{one} and {other}");
    }

    #[test]
    fn forms_of_one_word_have_one_stem() {
        for (one, other) in [
            ("announced", "announces"),
            ("stopped", "stopping"),
            ("parties", "party"),
            ("organisation", "organization"),
            ("calls", "calling"),
            ("churches", "church"),
            ("making", "make"),
            ("criticised", "criticize"),
            ("advised", "advise"),
        ] {
            same(one, other);
        }
    }

    #[test]
    fn words_of_one_family_are_related_and_strangers_are_not() {
        assert!(are_related("invad", "invas"));
        assert!(are_related("ukrain", "ukrainian"));
        assert!(!are_related("min", "minister"));
        assert!(!are_related("car", "care"));
    }
}
