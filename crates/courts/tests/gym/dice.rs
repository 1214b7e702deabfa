//! Deterministic random number generator (SplitMix64).

use assize_courts::split_mix::SplitMix64;

pub(crate) struct Dice(SplitMix64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// A number from 0, below this.
    pub(crate) fn below(&mut self, most: u32) -> u32 {
        u32::try_from(self.0.roll() % u64::from(most.max(1))).unwrap()
    }

    pub(crate) fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance
    }
}
