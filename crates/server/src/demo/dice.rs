//! Chance that comes out the same for the same seed, on every machine.

use std::ops::Range;

/// A small generator: good enough for a play, and nothing here may decide about a secret.
#[derive(Debug, Clone)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Dice of their own for one part of the play, so that a change there moves nothing elsewhere.
    pub(super) fn fork(&mut self) -> Self {
        Self(self.next())
    }

    /// A number of this range; its start when the range is empty.
    pub(super) fn within(&mut self, range: Range<u64>) -> u64 {
        let width = range.end.saturating_sub(range.start).max(1);
        range.start + self.next() % width
    }

    /// Yes so many times out of a thousand.
    pub(super) fn chance(&mut self, per_mille: u64) -> bool {
        self.within(0..1_000) < per_mille
    }

    /// One of these; the text is empty when there are none.
    pub(super) fn one_of(&mut self, texts: &[&'static str]) -> &'static str {
        let index = self.within(0..texts.len() as u64);
        usize::try_from(index).ok().and_then(|index| texts.get(index)).copied().unwrap_or_default()
    }

    /// SplitMix64: a counter, stirred.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[test]
fn the_same_seed_throws_the_same() {
    let throw = |seed| {
        let mut dice = Dice::new(seed);
        (0..20).map(|_| dice.within(3..9)).collect::<Vec<_>>()
    };
    assert_eq!(throw(7), throw(7));
    assert_ne!(throw(7), throw(8));
    assert!(throw(7).iter().all(|thrown| (3..9).contains(thrown)));
}
