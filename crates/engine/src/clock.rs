//! The process clock, a monotonic clock. Read when a request is received, never during a decision.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use assize_kernel::{Millis, Moment};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A monotonic clock: set once at start, unaffected by later changes of the system clock.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    origin: Moment,
    hands: Hands,
}

/// What advances a clock.
#[derive(Debug, Clone, Copy)]
enum Hands {
    /// Real time since this instant.
    Time(Instant),
    /// A test or simulation, which sets the milliseconds since the origin.
    Somebody(&'static AtomicI64),
}

/// A reading of the clock that several processes share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SharedTime {
    at: Moment,
    /// When the reading was right, as far as is known.
    since: Instant,
}

impl SharedTime {
    /// Reads a shared clock; none when there is none. A slow answer may be late by as much, and the process
    /// would stay behind the others: it is read again, and the quickest answer counts.
    pub(crate) fn read<E>(mut read: impl FnMut() -> Result<Option<Moment>, E>) -> Result<Option<Self>, E> {
        const QUICK: Duration = Duration::from_millis(10);
        const TRIES: u32 = 20;
        let mut quickest: Option<(Duration, Self)> = None;
        for _ in 0..TRIES {
            let asked = Instant::now();
            let Some(at) = read()? else { return Ok(None) };
            let took = asked.elapsed();
            if quickest.is_none_or(|(least, _)| took < least) {
                quickest = Some((took, Self { at, since: asked + took / 2 }));
            }
            if took < QUICK {
                break;
            }
        }
        Ok(quickest.map(|(_, time)| time))
    }
}

impl Clock {
    /// Starts at `shared`, the clock of a store that several processes use, or else at the system time; never
    /// before `last`, the time of the newest record.
    #[must_use]
    pub(crate) fn start(shared: Option<SharedTime>, last: Moment) -> Self {
        let now = Instant::now();
        let time = shared.map_or_else(system_time, |SharedTime { at, since }| at + millis(now - since));
        Self { origin: time.max(last), hands: Hands::Time(now) }
    }

    /// A manual clock, which shows `origin` plus `millis`. For tests that need exact milliseconds and for
    /// simulated histories; no server uses it.
    #[must_use]
    pub const fn by_hand(origin: Moment, millis: &'static AtomicI64) -> Self {
        Self { origin, hands: Hands::Somebody(millis) }
    }

    /// The current time.
    #[must_use]
    pub fn now(&self) -> Moment {
        let passed = match self.hands {
            Hands::Time(since) => millis(since.elapsed()),
            Hands::Somebody(millis) => Millis(millis.load(Ordering::SeqCst)),
        };
        self.origin + passed
    }
}

fn millis(time: Duration) -> Millis {
    Millis(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
}

/// The time of the operating system.
#[must_use]
pub fn system_time() -> Moment {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment::from_millis(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
}

/// Year, month and day in a time zone; `None` when the zone is unknown. The zone database is built into the
/// program, so the result is the same on every machine.
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
    fn a_slow_answer_of_a_shared_clock_is_asked_for_again() {
        let began = Instant::now();
        let mut answers = 0;
        let shared = SharedTime::read(|| {
            let at = millis(began.elapsed());
            answers += 1;
            if answers < 3 {
                // The process stands still before it gets the answer.
                std::thread::sleep(Duration::from_millis(300));
            }
            Ok::<_, std::convert::Infallible>(Some(Moment::default() + at))
        });
        let clock = Clock::start(shared.unwrap(), Moment::default());
        let late = millis(began.elapsed()).0 - (clock.now() - Moment::default()).0;
        assert!(answers >= 3 && late < 100, "{late} ms behind after {answers} answers");
        assert!(SharedTime::read(|| Ok::<_, ()>(None)).unwrap().is_none());
    }

    #[test]
    fn the_system_has_no_say_after_the_start() {
        // The system time is decades ahead of the origin; the clock does not follow it.
        let shared = SharedTime { at: Moment::from_millis(7), since: Instant::now() };
        let clock = Clock::start(Some(shared), Moment::from_millis(3));
        let first = clock.now();
        std::thread::sleep(std::time::Duration::from_millis(3));
        let second = clock.now();
        assert!(first >= Moment::from_millis(7) && second > first && second < Moment::from_millis(60_007));
    }
}
