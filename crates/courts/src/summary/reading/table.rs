//! A hash table for words with open addressing; never iterated, the same on every machine.

/// A hash table from words to values.
#[derive(Debug, Default)]
pub(super) struct WordTable<T> {
    /// Where the words are: their number plus one; 0 is free. As many as a power of two.
    slots: Vec<u32>,
    letters: String,
    entries: Vec<TableEntry<T>>,
}

#[derive(Debug)]
struct TableEntry<T> {
    start: u32,
    end: u32,
    hash: u32,
    value: T,
}

/// A word with its hash, computed once for lookups in several tables.
#[derive(Debug, Clone, Copy)]
pub(super) struct HashedWord<'a> {
    pub word: &'a str,
    hash: u32,
}

impl<'a> From<&'a str> for HashedWord<'a> {
    fn from(word: &'a str) -> Self {
        Self { word, hash: hash(word) }
    }
}

impl<T> WordTable<T> {
    pub(super) fn with_room_for(words: usize) -> Self {
        let slots = vec![0; (words * 2).next_power_of_two().max(16)];
        Self { slots, letters: String::with_capacity(words * 7), entries: Vec::with_capacity(words) }
    }

    /// The number of a word; none when it is not in here.
    pub(super) fn find<'w>(&self, word: impl Into<HashedWord<'w>>) -> Option<u32> {
        self.slot(word.into()).1
    }

    /// The number of a word, which is put in when it is not here yet.
    pub(super) fn insert_with<'w>(
        &mut self,
        word: impl Into<HashedWord<'w>>,
        value: impl FnOnce() -> T,
    ) -> u32 {
        let key = word.into();
        let (slot, found) = self.slot(key);
        found.unwrap_or_else(|| self.put(slot, key, value()))
    }

    /// Puts in a word that is not here, at the slot where it was looked for; nothing else was put in since.
    pub(super) fn put(&mut self, slot: usize, key: HashedWord<'_>, value: T) -> u32 {
        let start = length(self.letters.len());
        self.letters.push_str(key.word);
        let number = length(self.entries.len());
        self.entries.push(TableEntry { start, end: length(self.letters.len()), hash: key.hash, value });
        if let Some(place) = self.slots.get_mut(slot) {
            *place = number + 1;
        }
        if self.entries.len() * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    pub(super) fn value(&self, number: u32) -> Option<&T> {
        self.entries.get(number as usize).map(|entry| &entry.value)
    }

    pub(super) fn value_mut(&mut self, number: u32) -> Option<&mut T> {
        self.entries.get_mut(number as usize).map(|entry| &mut entry.value)
    }

    pub(super) fn word(&self, number: u32) -> &str {
        let entry = self.entries.get(number as usize);
        entry.and_then(|entry| self.letters.get(entry.start as usize..entry.end as usize)).unwrap_or_default()
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Where a word is or would be, and its number when it is here.
    pub(super) fn slot(&self, HashedWord { word, hash }: HashedWord<'_>) -> (usize, Option<u32>) {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots.get(slot) {
                None | Some(0) => return (slot, None),
                Some(number) => {
                    let number = number - 1;
                    let same = self.entries.get(number as usize).is_some_and(|entry| {
                        let letters = entry.start as usize..entry.end as usize;
                        entry.hash == hash && self.letters.as_bytes().get(letters) == Some(word.as_bytes())
                    });
                    if same {
                        return (slot, Some(number));
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let mut slots = vec![0; self.slots.len() * 2];
        let mask = slots.len() - 1;
        for (number, entry) in self.entries.iter().enumerate() {
            let mut slot = entry.hash as usize & mask;
            while slots.get(slot).is_some_and(|taken| *taken != 0) {
                slot = (slot + 1) & mask;
            }
            if let Some(place) = slots.get_mut(slot) {
                *place = length(number) + 1;
            }
        }
        self.slots = slots;
    }
}

/// Places in a text, which is far shorter than this.
pub(super) fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn hash(word: &str) -> u32 {
    let mixed =
        word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    mixed ^ (mixed >> 15)
}

#[cfg(test)]
mod tests {
    use super::WordTable;

    #[test]
    fn a_word_is_found_again_after_the_table_has_grown() {
        let mut table = WordTable::with_room_for(1);
        let numbers: Vec<u32> =
            (0..100_u32).map(|number| table.insert_with(number.to_string().as_str(), || number)).collect();
        assert_eq!(numbers, (0..100).collect::<Vec<u32>>());
        assert!((0..100_u32).all(|number| table.find(number.to_string().as_str()) == Some(number)));
        assert_eq!((table.find("x"), table.len(), table.word(42)), (None, 100, "42"));
    }
}
