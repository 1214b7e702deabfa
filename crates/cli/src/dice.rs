//! Chance that is the same on every machine: numbers made from a seed, for resampling.

/// A stream of numbers from a seed (SplitMix64).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A whole number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let wide = u128::from(self.roll()) * end as u128;
        usize::try_from(wide >> 64).unwrap_or_default()
    }

    /// How often something is drawn when as many are drawn as there are: mostly once, or not at all.
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
