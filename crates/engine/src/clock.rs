//! The process clock: read where something is received, never where something is decided.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use assize_kernel::{Millis, Moment};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A clock that agrees with the store's when it starts and then only moves forward, whoever sets the system's.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    origin: Moment,
    hands: Hands,
}

/// What moves a clock.
#[derive(Debug, Clone, Copy)]
enum Hands {
    /// Time, since this moment.
    Time(Instant),
    /// Somebody, to so many milliseconds after the origin.
    Somebody(&'static AtomicI64),
}

impl Clock {
    /// Starts at `shared`, the clock that several processes share, or else at the system's time.
    /// Never before `last`, the newest moment on record.
    #[must_use]
    pub fn start(shared: Option<Moment>, last: Moment) -> Self {
        let origin = shared.unwrap_or_else(system_time).max(last);
        Self { origin, hands: Hands::Time(Instant::now()) }
    }

    /// Stands still but for who moves it: so many milliseconds after `origin`. For tests of what is to be right to
    /// the millisecond, and for telling a past that was made up; no server runs by it.
    #[must_use]
    pub const fn by_hand(origin: Moment, millis: &'static AtomicI64) -> Self {
        Self { origin, hands: Hands::Somebody(millis) }
    }

    /// Now.
    #[must_use]
    pub fn now(&self) -> Moment {
        let passed = match self.hands {
            Hands::Time(since) => i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX),
            Hands::Somebody(millis) => millis.load(Ordering::SeqCst),
        };
        self.origin + Millis(passed)
    }
}

/// What the operating system says.
#[must_use]
pub fn system_time() -> Moment {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment::from_millis(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
}

/// Year, month and day somewhere; none when there is no such time zone. Which zones there are comes with the program,
/// so that it is the same on every machine.
pub fn date_in(zone: &str, at: Moment) -> Option<(i16, i8, i8)> {
    let zone = TimeZone::get(zone).ok()?;
    let there = zone.to_datetime(Timestamp::from_millisecond(at.as_millis()).ok()?);
    Some((there.year(), there.month(), there.day()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_never_starts_before_what_is_on_record() {
        let future = system_time() + Millis(3_600_000);
        assert!(Clock::start(None, future).now() >= future);
    }

    #[test]
    fn a_day_begins_elsewhere_at_another_time() {
        let just_before_midnight = "2026-11-16T23:30:00.000Z".parse().unwrap();
        assert_eq!(date_in("UTC", just_before_midnight), Some((2026, 11, 16)));
        assert_eq!(date_in("Europe/Madrid", just_before_midnight), Some((2026, 11, 17)));
        assert_eq!(date_in("America/Lima", just_before_midnight), Some((2026, 11, 16)));
        assert_eq!(date_in("Moon/Tycho", just_before_midnight), None);
    }

    #[test]
    fn the_system_has_no_say_after_the_start() {
        // To this clock the system's has jumped by decades: it counts on from where it began.
        let clock = Clock::start(Some(Moment::from_millis(7)), Moment::from_millis(3));
        let first = clock.now();
        std::thread::sleep(std::time::Duration::from_millis(3));
        let second = clock.now();
        assert!(first >= Moment::from_millis(7) && second > first && second < Moment::from_millis(60_007));
    }
}
