//! Finds a quotation in a text, ignoring differences in whitespace, case and quotation marks.

/// The byte range of `quote` in `text`; none when the text does not contain it.
pub(super) fn find(text: &str, quote: &str) -> Option<(usize, usize)> {
    let quote = quote.trim();
    if quote.is_empty() {
        return None;
    }
    if let Some(start) = text.find(quote) {
        return Some((start, start + quote.len()));
    }
    let (plain, places) = plain(text);
    let (wanted, _) = self::plain(quote);
    // Punctuation that assessors add around a quotation.
    let wanted = wanted.trim_matches(|sign: char| matches!(sign, ' ' | '"' | '\'' | '.' | '…'));
    if wanted.is_empty() {
        return None;
    }
    let at = plain.find(wanted)?;
    let first = plain.get(..at)?.chars().count();
    let last = first + wanted.chars().count() - 1;
    Some((places.get(first)?.0, places.get(last)?.1))
}

/// The text in lower case with single blanks and plain punctuation, and the byte range of each of its
/// characters.
fn plain(text: &str) -> (String, Vec<(usize, usize)>) {
    let (mut plain, mut places) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    let mut blank = true;
    for (at, letter) in text.char_indices() {
        let place = (at, at + letter.len_utf8());
        if letter.is_whitespace() {
            if !blank {
                plain.push(' ');
                places.push(place);
            }
            blank = true;
            continue;
        }
        blank = false;
        for small in alike(letter).to_lowercase() {
            plain.push(small);
            places.push(place);
        }
    }
    (plain, places)
}

/// Maps typographic variants of a character to one of them.
const fn alike(letter: char) -> char {
    match letter {
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' | '‚' | '`' => '\'',
        '–' | '—' | '‑' => '-',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[track_caller]
    fn check(text: &str, quote: &str, expected: Option<&str>) {
        let found = find(text, quote).and_then(|(from, to)| text.get(from..to));
        assert_eq!(found, expected, "`{quote}` in `{text}`");
    }

    #[test]
    fn words_are_found_as_they_stand() {
        check("The mayor opened the bridge.", "opened the bridge", Some("opened the bridge"));
    }

    #[test]
    fn blanks_case_and_signs_may_differ() {
        check("The  mayor\nsaid “no”.", "the mayor said \"no\"", Some("The  mayor\nsaid “no"));
        check("It’s done – finally", "it's done - FINALLY.", Some("It’s done – finally"));
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        check("The mayor opened the bridge.", "the mayor closed the bridge", None);
        check("The mayor opened the bridge.", "  ", None);
        check("The mayor opened the bridge.", "\"\"", None);
    }
}
