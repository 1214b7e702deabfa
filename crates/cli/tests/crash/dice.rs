//! A seeded random generator; the seed is printed, and read from `ASSIZE_CRASH_SEED` when it is set.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::Range;
use std::thread;
use std::time::Duration;

use assize_courts::split_mix::SplitMix64;

/// A sequence of numbers that follows from its seed.
pub(crate) struct Dice(SplitMix64);

impl Dice {
    /// Another seed for each run, unless the environment names one.
    pub(crate) fn throw(test: &str) -> Self {
        let named = std::env::var("ASSIZE_CRASH_SEED").ok();
        let seed = named.map_or_else(|| RandomState::new().hash_one(test), |seed| seed.parse().unwrap());
        println!("{test}: ASSIZE_CRASH_SEED={seed}");
        Self(SplitMix64::new(seed))
    }

    /// A sequence of its own, for a thread.
    pub(crate) fn fork(&mut self) -> Self {
        Self(SplitMix64::new(self.0.roll()))
    }

    pub(crate) fn within(&mut self, range: Range<u64>) -> u64 {
        range.start + self.0.roll() % (range.end - range.start)
    }

    /// Waits for so many milliseconds.
    pub(crate) fn wait(&mut self, millis: Range<u64>) {
        thread::sleep(Duration::from_micros(self.within(millis.start * 1000..millis.end * 1000)));
    }
}
