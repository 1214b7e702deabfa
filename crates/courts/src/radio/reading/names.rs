//! Fuzzy comparison of names, which speech recognisers spell in many ways.

/// Names are truncated to this length for comparison.
const LONGEST: usize = 24;

/// Similarity of two names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameLikeness {
    /// The same, within recognition errors.
    Same,
    /// Undecided.
    Doubtful,
    /// A different name.
    Different,
}

/// Letters and digits of a name, in lower case and without gaps.
#[derive(Clone, Copy)]
pub(super) struct NameLetters {
    letters: [u8; LONGEST],
    len: usize,
}

impl NameLetters {
    pub(super) fn of(text: &str) -> Self {
        let mut letters = Self { letters: [0; LONGEST], len: 0 };
        for byte in text.bytes().filter(|byte| !byte.is_ascii() || byte.is_ascii_alphanumeric()) {
            let Some(place) = letters.letters.get_mut(letters.len) else { break };
            *place = byte.to_ascii_lowercase();
            letters.len += 1;
        }
        letters
    }

    fn as_slice(&self) -> &[u8] {
        self.letters.get(..self.len).unwrap_or_default()
    }
}

/// Edit distance of two names.
pub(super) fn distance(one: &str, other: &str) -> usize {
    changes(NameLetters::of(one).as_slice(), NameLetters::of(other).as_slice())
}

/// Compares two names: `Speedbird` and `speed bird`, `EasyJet` and `Easy`, `Swiss` and `Suisse`.
pub(super) fn likeness(one: &str, other: &str) -> NameLikeness {
    let one = NameLetters::of(one);
    let other = NameLetters::of(other);
    let one = one.as_slice();
    let other = other.as_slice();
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if short.is_empty() {
        return if long.is_empty() { NameLikeness::Same } else { NameLikeness::Doubtful };
    }
    if short.len() >= 3 && long.windows(short.len()).any(|part| part == short) {
        return NameLikeness::Same;
    }
    let changes = changes(short, long);
    match (changes * 100, long.len() * 40, long.len() * 65) {
        (changes, same, _) if changes <= same => NameLikeness::Same,
        (changes, _, doubtful) if changes <= doubtful => NameLikeness::Doubtful,
        _ => NameLikeness::Different,
    }
}

/// Levenshtein distance.
pub(super) fn changes(one: &[u8], other: &[u8]) -> usize {
    let mut row = [0_usize; LONGEST + 1];
    for (place, cost) in row.iter_mut().zip(0..) {
        *place = cost;
    }
    for (number, letter) in one.iter().enumerate() {
        let mut diagonal = number;
        let mut left = number + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (place, against) in row.iter_mut().skip(1).zip(other) {
            let change = diagonal + usize::from(letter != against);
            diagonal = *place;
            left = change.min(diagonal + 1).min(left + 1);
            *place = left;
        }
    }
    row.get(other.len().min(LONGEST)).copied().unwrap_or(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(one: &str, other: &str, expected: NameLikeness) {
        assert_eq!(likeness(one, other), expected, "{one} and {other}");
        assert_eq!(likeness(other, one), expected, "{other} and {one}");
    }

    #[test]
    fn a_name_is_known_however_it_was_written_down() {
        check("Speedbird", "speed bird", NameLikeness::Same);
        check("EasyJet", "easy", NameLikeness::Same);
        check("Swiss", "Suisse", NameLikeness::Same);
        check("Lufthansa", "Iberia", NameLikeness::Different);
        check("Ryanair", "Vueling", NameLikeness::Different);
    }

    #[test]
    fn changes_are_counted() {
        assert_eq!(changes(b"kitten", b"sitting"), 3);
        assert_eq!(changes(b"", b"abc"), 3);
        assert_eq!(changes(b"abc", b"abc"), 0);
    }
}
