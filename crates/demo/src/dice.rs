//! Seeded pseudo-random number generator; the same sequence on every machine.

use std::ops::Range;

use assize_courts::split_mix::SplitMix64;

/// SplitMix64: good enough for a simulation, not for secrets.
#[derive(Debug, Clone)]
pub(super) struct SeededRng(SplitMix64);

impl SeededRng {
    pub(super) const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// A separate generator for one part of the simulation, so that changes there do not affect others.
    pub(super) fn fork(&mut self) -> Self {
        Self::new(self.0.roll())
    }

    /// A number in this range; its start when the range is empty.
    pub(super) fn within(&mut self, range: Range<u64>) -> u64 {
        let width = range.end.saturating_sub(range.start).max(1);
        range.start + self.0.roll() % width
    }

    /// True with this per-mille probability.
    pub(super) fn chance(&mut self, per_mille: u64) -> bool {
        self.within(0..1_000) < per_mille
    }

    /// One of these texts; empty when there are none.
    pub(super) fn one_of(&mut self, texts: &[&'static str]) -> &'static str {
        let index = self.within(0..texts.len() as u64);
        usize::try_from(index).ok().and_then(|index| texts.get(index)).copied().unwrap_or_default()
    }
}

#[test]
fn the_same_seed_throws_the_same() {
    let throw = |seed| {
        let mut rng = SeededRng::new(seed);
        (0..20).map(|_| rng.within(3..9)).collect::<Vec<_>>()
    };
    assert_eq!(throw(7), throw(7));
    assert_ne!(throw(7), throw(8));
    assert!(throw(7).iter().all(|thrown| (3..9).contains(thrown)));
}
