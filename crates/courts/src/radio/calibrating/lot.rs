//! Choices that look arbitrary and are always the same: drawn from the names of things.

/// A row of choices, begun from a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lot(u64);

impl Lot {
    /// The choices that belong to these words (FNV-1a).
    pub(super) fn of(words: &[&str]) -> Self {
        let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
        Self(bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    /// The next choice among `many` (SplitMix64).
    pub(super) fn next(&mut self, many: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mixed = mixed ^ (mixed >> 31);
        usize::try_from(mixed % u64::try_from(many.max(1)).unwrap_or(1)).unwrap_or_default()
    }
}
