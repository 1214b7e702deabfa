//! The retry schedule of deliveries: exponential back-off with jitter, then a dead letter.

use std::time::Duration;

/// Back-off in seconds: the first wait, multiplied by the factor after each attempt, up to the longest wait.
const FIRST_WAIT: u64 = 1;
const FACTOR: u64 = 5;
const LONGEST_WAIT: u64 = 6 * 3_600;
/// Six attempts in the first quarter of an hour, the rest spread over a day.
const ATTEMPTS: u32 = 11;
/// Longest accepted `Retry-After`, in seconds.
const LONGEST_ASKED: u64 = 3_600;

/// Duration of a lease in seconds: after it, another process takes over.
const LEASE: u64 = 30;
/// Least duration of a lease at any pace, so that a process that is busy for a moment does not lose it.
const SHORTEST_LEASE: Duration = Duration::from_secs(2);

/// Time scale of the schedule: a second is a second, except in tests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    second: Duration,
}

impl Pace {
    /// A pace with this duration of a second.
    pub(crate) const fn new(second: Duration) -> Self {
        Self { second }
    }

    /// The back-off after `attempts` failed attempts; `None` after the last. `random` adds jitter of up to a
    /// quarter; `asked` is the receiver's `Retry-After`, up to [`LONGEST_ASKED`].
    pub(crate) fn wait_after(self, attempts: u32, random: u16, asked: Option<u64>) -> Option<Duration> {
        if attempts >= ATTEMPTS {
            return None;
        }
        let grown = FACTOR.saturating_pow(attempts.saturating_sub(1)).saturating_mul(FIRST_WAIT);
        let seconds = u32::try_from(grown.min(LONGEST_WAIT)).unwrap_or(u32::MAX);
        let spread = self.second.saturating_mul(seconds) / 4;
        let wait = spread * 3 + spread.mul_f64(f64::from(random) / f64::from(u16::MAX) * 2.0);
        let asked = u32::try_from(asked.unwrap_or(0).min(LONGEST_ASKED)).unwrap_or(u32::MAX);
        Some(wait.max(self.second.saturating_mul(asked)))
    }

    /// The duration of this number of seconds of the schedule.
    pub(crate) fn seconds(self, seconds: u32) -> Duration {
        self.second.saturating_mul(seconds)
    }

    /// The duration of a lease on a webhook.
    pub(crate) fn lease(self) -> Duration {
        let lease = self.second.saturating_mul(u32::try_from(LEASE).unwrap_or(u32::MAX));
        lease.max(SHORTEST_LEASE)
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self::new(Duration::from_secs(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No jitter.
    const MIDDLE: u16 = 0x8000;

    fn seconds(attempts: u32, random: u16, asked: Option<u64>) -> Option<u64> {
        Pace::default().wait_after(attempts, random, asked).map(|wait| wait.as_secs())
    }

    #[test]
    fn waits_grow_from_a_second_to_six_hours() {
        let waits: Vec<_> = (1..=10).map(|attempts| seconds(attempts, MIDDLE, None).unwrap()).collect();
        assert_eq!(waits, [1, 5, 25, 125, 625, 3_125, 15_625, 21_600, 21_600, 21_600]);
    }

    #[test]
    fn a_delivery_is_given_up_after_about_a_day() {
        let waits = (1..).map_while(|attempts| seconds(attempts, MIDDLE, None));
        let day = 86_400;
        let all: u64 = waits.sum();
        assert!((day * 9 / 10..day * 11 / 10).contains(&all), "{all}");
        assert_eq!(seconds(ATTEMPTS, MIDDLE, Some(1)), None);
        assert_eq!(seconds(u32::MAX, MIDDLE, None), None);
    }

    #[test]
    fn waits_are_spread_by_a_quarter_to_either_side() {
        assert_eq!(seconds(8, 0, None), Some(16_200));
        assert_eq!(seconds(8, u16::MAX, None), Some(27_000));
    }

    #[test]
    fn what_the_receiver_asks_for_is_honoured_within_bounds() {
        assert_eq!(seconds(1, MIDDLE, Some(120)), Some(120));
        assert_eq!(seconds(6, MIDDLE, Some(120)), Some(3125), "not sooner than we would");
        assert_eq!(seconds(1, MIDDLE, Some(u64::MAX)), Some(3600));
    }

    #[test]
    fn a_faster_pace_makes_waits_shorter_but_takes_nothing_from_a_busy_process() {
        let fast = Pace::new(Duration::from_millis(1));
        assert_eq!(fast.wait_after(2, 0, None), Some(Duration::from_micros(3_750)));
        assert_eq!((fast.lease(), Pace::default().lease()), (SHORTEST_LEASE, Duration::from_secs(30)));
    }
}
