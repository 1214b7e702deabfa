//! The process clock: read where something is received, never where something is decided.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use assize_kernel::{Millis, Moment};

/// A clock that agrees with the store's when it starts and then only moves forward, whoever sets the system's.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    origin: Moment,
    since: Instant,
}

impl Clock {
    /// Starts at `shared`, the clock that several processes share, or else at the system's time.
    /// Never before `last`, the newest moment on record.
    #[must_use]
    pub fn start(shared: Option<Moment>, last: Moment) -> Self {
        let origin = shared.unwrap_or_else(system_time).max(last);
        Self { origin, since: Instant::now() }
    }

    /// Now.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.origin + Millis(i64::try_from(self.since.elapsed().as_millis()).unwrap_or(i64::MAX))
    }
}

/// What the operating system says.
#[must_use]
pub fn system_time() -> Moment {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment::from_millis(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
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
    fn the_system_has_no_say_after_the_start() {
        // To this clock the system's has jumped by decades: it counts on from where it began.
        let clock = Clock::start(Some(Moment::from_millis(7)), Moment::from_millis(3));
        let first = clock.now();
        std::thread::sleep(std::time::Duration::from_millis(3));
        let second = clock.now();
        assert!(first >= Moment::from_millis(7) && second > first && second < Moment::from_millis(60_007));
    }
}
