//! Deterministic pseudo-random generator, seeded from text.

use crate::split_mix::SplitMix64;

/// A pseudo-random sequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeterministicRng(SplitMix64);

impl DeterministicRng {
    /// Seeds the generator from words (FNV-1a).
    pub(super) fn of(words: &[&str]) -> Self {
        let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
        Self(SplitMix64::new(bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })))
    }

    /// The next choice among `many`.
    pub(super) fn next(&mut self, many: usize) -> usize {
        usize::try_from(self.0.roll() % u64::try_from(many.max(1)).unwrap_or(1)).unwrap_or_default()
    }
}
