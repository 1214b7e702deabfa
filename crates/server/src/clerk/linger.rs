//! Waiting a moment without going to sleep.

use std::thread::yield_now;
use std::time::{Duration, Instant};

/// Looks again and again until there is something or the time is over, and lets everybody else go first. For moments
/// only, in which something is about to come: falling asleep and being woken would take longer than they last, above
/// all where a processor that has nothing to do is halted.
pub(super) fn linger<T>(time: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let started = Instant::now();
    loop {
        let found = look();
        if found.is_some() || started.elapsed() >= time {
            return found;
        }
        yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_is_taken_and_what_does_not_is_not_waited_for() {
        let mut looks = 0;
        let third = linger(Duration::from_secs(3600), || {
            looks += 1;
            (looks == 3).then_some(looks)
        });
        assert_eq!(third, Some(3));
        assert_eq!(linger(Duration::ZERO, || Some(7)), Some(7));
        assert_eq!(linger(Duration::from_micros(10), || None::<()>), None);
    }
}
