//! Token buckets of failed logins, one for each key: each failure takes a token, and tokens come back at a fixed
//! rate. Attempts in flight hold a token until they finish.

use std::collections::HashMap;
use std::hash::Hash;

use assize_kernel::{Millis, Moment};

/// Maximum number of keys remembered.
pub(super) const MOST: usize = 10_000;

/// Size and rate of the token buckets.
#[derive(Debug, Clone, Copy)]
pub(super) struct BucketPolicy {
    /// Failures without a delay.
    pub(super) burst: u32,
    /// Time until a token comes back.
    pub(super) interval: Millis,
    /// Maximum number of attempts that wait for a token.
    pub(super) waiting: u32,
}

/// The token buckets of all keys with one policy; full buckets are not stored.
pub(super) struct Lanes<K> {
    policy: BucketPolicy,
    buckets: HashMap<K, Bucket>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    /// When all tokens will be back.
    full_at: Moment,
    in_flight: u32,
    waiting: u32,
}

impl<K: Copy + Eq + Hash> Lanes<K> {
    pub(super) fn new(policy: BucketPolicy) -> Self {
        Self { policy, buckets: HashMap::new() }
    }

    /// How long an attempt has to wait for a token. Zero means that attempts in flight hold the last tokens.
    pub(super) fn delay(&self, key: K, now: Moment) -> Option<Millis> {
        let bucket = self.buckets.get(&key)?;
        let interval = self.policy.interval.0;
        let room = interval * (i64::from(self.policy.burst) - 1);
        let debt = (bucket.full_at - now).0.max(0);
        let beyond = debt - room;
        if beyond > 0 {
            return Some(Millis(beyond));
        }
        let held = interval * i64::from(bucket.in_flight);
        (debt + held > room).then_some(Millis(0))
    }

    /// Begins an attempt.
    pub(super) fn begin(&mut self, key: K, now: Moment) {
        self.bucket(key, now).in_flight += 1;
    }

    /// Ends an attempt; a failed one takes a token.
    pub(super) fn end(&mut self, key: K, failed: bool, now: Moment) {
        let BucketPolicy { burst, interval, .. } = self.policy;
        let bucket = self.bucket(key, now);
        bucket.in_flight = bucket.in_flight.saturating_sub(1);
        if failed {
            let most = Millis(interval.0 * i64::from(burst));
            bucket.full_at = (bucket.full_at.max(now) + interval).min(now + most);
        }
        self.tidy(key, now);
    }

    /// Gives all tokens back.
    pub(super) fn reset(&mut self, key: K, now: Moment) {
        if let Some(bucket) = self.buckets.get_mut(&key) {
            bucket.full_at = now;
        }
        self.tidy(key, now);
    }

    /// Whether there is a place to wait.
    pub(super) fn has_place(&self, key: K) -> bool {
        self.buckets.get(&key).is_none_or(|bucket| bucket.waiting < self.policy.waiting)
    }

    /// Takes a place to wait.
    pub(super) fn wait(&mut self, key: K, now: Moment) {
        self.bucket(key, now).waiting += 1;
    }

    /// Gives a place to wait back.
    pub(super) fn leave(&mut self, key: K, now: Moment) {
        let bucket = self.bucket(key, now);
        bucket.waiting = bucket.waiting.saturating_sub(1);
        self.tidy(key, now);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.buckets.len()
    }

    fn bucket(&mut self, key: K, now: Moment) -> &mut Bucket {
        if self.buckets.len() >= MOST && !self.buckets.contains_key(&key) {
            self.make_room(now);
        }
        self.buckets.entry(key).or_insert(Bucket { full_at: now, in_flight: 0, waiting: 0 })
    }

    fn tidy(&mut self, key: K, now: Moment) {
        if self.buckets.get(&key).is_some_and(|bucket| !bucket.is_needed(now)) {
            self.buckets.remove(&key);
        }
    }

    /// Removes full buckets, otherwise the one with the fewest failures: nobody resets the bucket of a name by
    /// guessing at others. Buckets in use stay; connections bound their number.
    fn make_room(&mut self, now: Moment) {
        self.buckets.retain(|_, bucket| bucket.is_needed(now));
        if self.buckets.len() >= MOST {
            let idle = self.buckets.iter().filter(|(_, bucket)| !bucket.is_in_use());
            if let Some(least) = idle.min_by_key(|(_, bucket)| bucket.full_at).map(|(key, _)| *key) {
                self.buckets.remove(&least);
            }
        }
    }
}

impl Bucket {
    fn is_in_use(&self) -> bool {
        self.in_flight > 0 || self.waiting > 0
    }

    fn is_needed(&self, now: Moment) -> bool {
        self.is_in_use() || self.full_at > now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes() -> Lanes<u32> {
        Lanes::new(BucketPolicy { burst: 3, interval: Millis(1_000), waiting: 2 })
    }

    fn at(millis: i64) -> Moment {
        Moment::from_millis(1_000_000 + millis)
    }

    #[test]
    fn after_a_burst_one_failure_is_admitted_in_each_interval() {
        let mut lanes = lanes();
        for _ in 0..3 {
            assert_eq!(lanes.delay(7, at(0)), None);
            lanes.begin(7, at(0));
            lanes.end(7, true, at(0));
        }
        assert_eq!(lanes.delay(7, at(0)), Some(Millis(1_000)));
        assert_eq!(lanes.delay(8, at(0)), None, "another key");
        assert_eq!(lanes.delay(7, at(1_000)), None);
        lanes.begin(7, at(1_000));
        lanes.end(7, true, at(1_000));
        assert_eq!(lanes.delay(7, at(1_000)), Some(Millis(1_000)));
        assert_eq!((1..4_000).filter(|later| lanes.delay(7, at(1_000 + later)).is_none()).min(), Some(1_000));
    }

    #[test]
    fn attempts_in_flight_hold_tokens_and_successes_give_them_back() {
        let mut lanes = lanes();
        for _ in 0..3 {
            lanes.begin(7, at(0));
        }
        assert_eq!(lanes.delay(7, at(0)), Some(Millis(0)), "until one of them finishes");
        lanes.end(7, false, at(0));
        assert_eq!(lanes.delay(7, at(0)), None);
        lanes.end(7, false, at(0));
        lanes.end(7, false, at(0));
        assert_eq!(lanes.len(), 0, "nothing is remembered of successes");
    }

    #[test]
    fn the_longest_delay_is_one_interval() {
        let mut lanes = lanes();
        for _ in 0..100 {
            lanes.begin(7, at(0));
            lanes.end(7, true, at(0));
        }
        assert_eq!(lanes.delay(7, at(0)), Some(Millis(1_000)));
    }

    #[test]
    fn places_to_wait_are_limited() {
        let mut lanes = lanes();
        lanes.wait(7, at(0));
        assert!(lanes.has_place(7));
        lanes.wait(7, at(0));
        assert!(!lanes.has_place(7) && lanes.has_place(8));
        lanes.leave(7, at(0));
        assert!(lanes.has_place(7));
    }

    #[test]
    fn the_number_of_keys_is_limited_and_the_most_guessed_stay() {
        let mut lanes = lanes();
        for _ in 0..3 {
            lanes.begin(0, at(0));
            lanes.end(0, true, at(0));
        }
        for key in 1..12_000 {
            lanes.begin(key, at(0));
            lanes.end(key, true, at(0));
        }
        assert_eq!(lanes.len(), MOST);
        assert_eq!(lanes.delay(0, at(0)), Some(Millis(1_000)));
        lanes.begin(12_000, at(5_000));
        assert_eq!(lanes.len(), 1, "full buckets are removed");
    }
}
