//! Names that were heard: the same one is written in many ways.

/// Longer names are compared by their beginnings.
const LONGEST: usize = 24;

/// How two names relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// The same, give or take what a recogniser makes of it.
    Same,
    /// Nobody could say.
    Doubtful,
    /// Another one.
    Different,
}

/// A name as its letters in lower case, without gaps.
#[derive(Clone, Copy)]
pub(super) struct Letters {
    letters: [u8; LONGEST],
    len: usize,
}

impl Letters {
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

/// How far one name is from another, in letters.
pub(super) fn distance(one: &str, other: &str) -> usize {
    changes(Letters::of(one).as_slice(), Letters::of(other).as_slice())
}

/// Compares two names: `Speedbird` and `speed bird`, `EasyJet` and `Easy`, `Swiss` and `Suisse`.
pub(super) fn likeness(one: &str, other: &str) -> Likeness {
    let (one, other) = (Letters::of(one), Letters::of(other));
    let (one, other) = (one.as_slice(), other.as_slice());
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if short.is_empty() {
        return if long.is_empty() { Likeness::Same } else { Likeness::Doubtful };
    }
    if short.len() >= 3 && long.windows(short.len()).any(|part| part == short) {
        return Likeness::Same;
    }
    let changes = changes(short, long);
    match (changes * 100, long.len() * 40, long.len() * 65) {
        (changes, same, _) if changes <= same => Likeness::Same,
        (changes, _, doubtful) if changes <= doubtful => Likeness::Doubtful,
        _ => Likeness::Different,
    }
}

/// How many letters must be changed, added or left out to make one of the other.
pub(super) fn changes(one: &[u8], other: &[u8]) -> usize {
    let mut row = [0_usize; LONGEST + 1];
    for (place, cost) in row.iter_mut().zip(0..) {
        *place = cost;
    }
    for (number, letter) in one.iter().enumerate() {
        let (mut diagonal, mut left) = (number, number + 1);
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
    fn check(one: &str, other: &str, expected: Likeness) {
        assert_eq!(likeness(one, other), expected, "{one} and {other}");
        assert_eq!(likeness(other, one), expected, "{other} and {one}");
    }

    #[test]
    fn a_name_is_known_however_it_was_written_down() {
        check("Speedbird", "speed bird", Likeness::Same);
        check("EasyJet", "easy", Likeness::Same);
        check("Swiss", "Suisse", Likeness::Same);
        check("Lufthansa", "Iberia", Likeness::Different);
        check("Ryanair", "Vueling", Likeness::Different);
    }

    #[test]
    fn changes_are_counted() {
        assert_eq!(changes(b"kitten", b"sitting"), 3);
        assert_eq!(changes(b"", b"abc"), 3);
        assert_eq!(changes(b"abc", b"abc"), 0);
    }
}
