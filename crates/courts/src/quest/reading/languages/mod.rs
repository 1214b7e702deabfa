//! The languages there are word lists for, and how a list is looked through.

mod english;
mod french;
mod german;
mod spanish;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::SignKind;
use super::text::Word;

/// What is known of a language.
pub(super) struct Language {
    pub(super) code: &'static str,
    /// Frequent words by which a text is known to be in this language.
    small: &'static [&'static str],
    /// Words that take back what follows.
    pub(super) negations: &'static [&'static str],
    lists: [(SignKind, &'static [&'static str]); 4],
    /// The entries by their first letter: most words of a text begin none.
    index: OnceLock<BTreeMap<u8, Vec<(SignKind, &'static str)>>>,
}

pub(super) static LANGUAGES: [&Language; 4] =
    [&english::ENGLISH, &german::GERMAN, &spanish::SPANISH, &french::FRENCH];

impl Language {
    pub(super) fn is_small(&self, word: &str) -> bool {
        self.small.contains(&word)
    }

    /// The longest entry that these words begin with, and how many words it has.
    pub(super) fn longest_match(&self, words: &[Word]) -> Option<(SignKind, &'static str, usize)> {
        let first = words.first()?.plain.bytes().next()?;
        let entries = self.index.get_or_init(|| self.by_first_letter()).get(&first)?.iter();
        let matching = entries.filter_map(|(kind, entry)| Some((*kind, *entry, begins_with(words, entry)?)));
        matching.max_by_key(|(_, entry, length)| (*length, entry.len()))
    }

    fn by_first_letter(&self) -> BTreeMap<u8, Vec<(SignKind, &'static str)>> {
        let mut index: BTreeMap<u8, Vec<_>> = BTreeMap::new();
        for (kind, entries) in &self.lists {
            for entry in *entries {
                index.entry(entry.bytes().next().unwrap_or_default()).or_default().push((*kind, *entry));
            }
        }
        index
    }
}

fn begins_with(words: &[Word], entry: &str) -> Option<usize> {
    let mut length = 0;
    for part in entry.split(' ') {
        let word = words.get(length)?;
        let same = match part.strip_suffix('*') {
            Some(stem) => word.plain.starts_with(stem),
            None => word.plain == part,
        };
        if !same {
            return None;
        }
        length += 1;
    }
    Some(length)
}
