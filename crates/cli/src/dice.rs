//! A seeded random generator for resampling, the same on every machine.

use assize_courts::split_mix::SplitMix64;

/// A stream of numbers from a seed.
pub(crate) struct SeededRandom(SplitMix64);

impl SeededRandom {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub(crate) const fn roll(&mut self) -> u64 {
        self.0.roll()
    }

    /// A whole number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let wide = u128::from(self.roll()) * end as u128;
        usize::try_from(wide >> 64).unwrap_or_default()
    }

    /// How often a row is drawn in a bootstrap sample: a Poisson number with mean 1.
    pub(crate) fn times(&mut self) -> u32 {
        // Poisson(1), to 32 bits: 0 with 36.8 %, 1 with 36.8 %, 2 with 18.4 % and so on.
        const UP_TO: [u64; 7] = [
            1_580_030_168,
            3_160_060_337,
            3_950_075_421,
            4_213_413_782,
            4_279_248_372,
            4_292_415_290,
            4_294_609_776,
        ];
        let roll = self.roll() >> 32;
        let times = UP_TO.iter().take_while(|bound| roll >= **bound).count();
        u32::try_from(times).unwrap_or_default()
    }
}
