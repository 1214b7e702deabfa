//! Chance that can be repeated: the seed is printed, and taken from `ASSIZE_CRASH_SEED` when it is set.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::Range;
use std::thread;
use std::time::Duration;

/// A sequence of numbers that follows from its seed (SplitMix64).
pub(crate) struct Dice(u64);

impl Dice {
    /// Another seed for each run, unless the environment names one.
    pub(crate) fn throw(test: &str) -> Self {
        let named = std::env::var("ASSIZE_CRASH_SEED").ok();
        let seed = named.map_or_else(|| RandomState::new().hash_one(test), |seed| seed.parse().unwrap());
        println!("{test}: ASSIZE_CRASH_SEED={seed}");
        Self(seed)
    }

    /// A sequence of its own, for a thread.
    pub(crate) fn fork(&mut self) -> Self {
        Self(self.next())
    }

    pub(crate) fn within(&mut self, range: Range<u64>) -> u64 {
        range.start + self.next() % (range.end - range.start)
    }

    /// Waits for so many milliseconds.
    pub(crate) fn wait(&mut self, millis: Range<u64>) {
        thread::sleep(Duration::from_micros(self.within(millis.start * 1000..millis.end * 1000)));
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
