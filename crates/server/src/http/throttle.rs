//! Login throttling by token buckets of failures: for a name at an address, for a name, and for an address.
//!
//! Only failures take tokens, so that right passwords are never refused for their number. An attempt for which
//! there is no token is delayed until one comes back, and refused when that takes too long. Names that have
//! logged in from an address before are not delayed by guesses from elsewhere or at other names.

mod lanes;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use assize_kernel::{Digest, Millis, Moment};
use tokio::sync::Notify;

use super::rate_limit::network_of;
use super::timeout::within;
use lanes::{BucketPolicy, Lanes, MOST};

/// Guesses at one name from one address: at most 10 + 180 in an hour.
const FOR_PAIR: BucketPolicy = BucketPolicy { burst: 10, interval: Millis(20_000), waiting: 64 };
/// Guesses at one name from all addresses: at most 50 + 600 in an hour.
const FOR_NAME: BucketPolicy = BucketPolicy { burst: 50, interval: Millis(6_000), waiting: 256 };
/// Guesses at all names from one address, behind which there may be a hall of teams: at most 100 + 1800 in an
/// hour.
const FOR_ADDRESS: BucketPolicy = BucketPolicy { burst: 100, interval: Millis(2_000), waiting: 256 };

/// Longest delay for a token; an attempt that needs longer is refused at once.
const LONGEST_DELAY: Millis = Millis(10_000);
/// Longest time in the queue, together with others who wait for the same tokens.
const LONGEST_QUEUE: Duration = Duration::from_secs(20);
/// How long a successful login is remembered.
const KNOWN_FOR: Millis = Millis(24 * 60 * 60 * 1_000);

/// Failed logins of all names and addresses.
pub(crate) struct LoginThrottle {
    state: Mutex<ThrottleState>,
    /// Wakes the attempts that wait for one in flight.
    finished: Notify,
}

struct ThrottleState {
    pairs: Lanes<Digest>,
    names: Lanes<Digest>,
    addresses: Lanes<u64>,
    /// Names and addresses with a successful login, and when it was.
    known: HashMap<Digest, Moment>,
}

/// The keys of an attempt.
#[derive(Debug, Clone, Copy)]
struct LoginKeys {
    pair: Digest,
    name: Digest,
    address: u64,
}

/// Too many failures: the remaining wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooManyAttempts(pub(crate) Millis);

/// An admitted attempt. Dropped without a result, it counts as if it had not been made.
pub(crate) struct LoginAttempt {
    throttle: Arc<LoginThrottle>,
    keys: LoginKeys,
    begun: Moment,
    is_finished: bool,
}

/// A place in the queue, given back when dropped.
struct WaitingPlace<'a> {
    throttle: &'a LoginThrottle,
    keys: LoginKeys,
    since: Moment,
}

impl Default for LoginThrottle {
    fn default() -> Self {
        let state = ThrottleState {
            pairs: Lanes::new(FOR_PAIR),
            names: Lanes::new(FOR_NAME),
            addresses: Lanes::new(FOR_ADDRESS),
            known: HashMap::new(),
        };
        Self { state: Mutex::new(state), finished: Notify::new() }
    }
}

impl LoginThrottle {
    /// Admits an attempt, after a delay where there were many failures.
    pub(crate) async fn admit(
        self: &Arc<Self>,
        name: &str,
        address: IpAddr,
        now: impl Fn() -> Moment,
    ) -> Result<LoginAttempt, TooManyAttempts> {
        let keys = LoginKeys::of(name, address);
        let begun = Instant::now();
        let mut place = None;
        loop {
            // Registered before the attempt, so that no wake-up is missed in between.
            let mut finished = std::pin::pin!(self.finished.notified());
            finished.as_mut().enable();
            let delay = match self.begin(keys, now()) {
                Ok(attempt) => return Ok(attempt),
                Err(delay) => delay,
            };
            let left = LONGEST_QUEUE.saturating_sub(begun.elapsed());
            if delay > LONGEST_DELAY || left.is_zero() {
                return Err(TooManyAttempts(delay.max(Millis(1_000))));
            }
            if place.is_none() {
                place = Some(self.wait(keys, now())?);
            }
            let delay = Duration::from_millis(delay.0.unsigned_abs());
            within(if delay.is_zero() { left } else { delay.min(left) }, finished).await;
        }
    }

    /// Begins an attempt, or returns how long it has to wait for a token.
    fn begin(self: &Arc<Self>, keys: LoginKeys, now: Moment) -> Result<LoginAttempt, Millis> {
        let mut state = self.state();
        let delay = state.delay(keys, now);
        if let Some(delay) = delay {
            return Err(delay);
        }
        state.pairs.begin(keys.pair, now);
        state.names.begin(keys.name, now);
        state.addresses.begin(keys.address, now);
        drop(state);
        Ok(LoginAttempt { throttle: Arc::clone(self), keys, begun: now, is_finished: false })
    }

    /// Takes a place in the queue.
    fn wait(&self, keys: LoginKeys, now: Moment) -> Result<WaitingPlace<'_>, TooManyAttempts> {
        let mut state = self.state();
        let has_place = state.pairs.has_place(keys.pair)
            && state.names.has_place(keys.name)
            && state.addresses.has_place(keys.address);
        if !has_place {
            return Err(TooManyAttempts(LONGEST_DELAY));
        }
        state.pairs.wait(keys.pair, now);
        state.names.wait(keys.name, now);
        state.addresses.wait(keys.address, now);
        drop(state);
        Ok(WaitingPlace { throttle: self, keys, since: now })
    }

    fn state(&self) -> MutexGuard<'_, ThrottleState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ThrottleState {
    /// The longest delay of the buckets that apply.
    fn delay(&self, keys: LoginKeys, now: Moment) -> Option<Millis> {
        let of_pair = self.pairs.delay(keys.pair, now);
        if self.known.get(&keys.pair).is_some_and(|since| now - *since < KNOWN_FOR) {
            return of_pair;
        }
        of_pair.max(self.names.delay(keys.name, now)).max(self.addresses.delay(keys.address, now))
    }

    fn end(&mut self, keys: LoginKeys, failed: bool, now: Moment) {
        self.pairs.end(keys.pair, failed, now);
        self.names.end(keys.name, failed, now);
        self.addresses.end(keys.address, failed, now);
    }

    /// Remembers a successful login, in place of the oldest when there are too many.
    fn remember(&mut self, pair: Digest, now: Moment) {
        if self.known.len() >= MOST && !self.known.contains_key(&pair) {
            self.known.retain(|_, since| now - *since < KNOWN_FOR);
            let oldest = self.known.iter().min_by_key(|(_, since)| **since).map(|(pair, _)| *pair);
            if let Some(oldest) = oldest.filter(|_| self.known.len() >= MOST) {
                self.known.remove(&oldest);
            }
        }
        self.known.insert(pair, now);
    }
}

impl LoginAttempt {
    /// Records the result of the attempt.
    pub(crate) fn finish(mut self, succeeded: bool, now: Moment) {
        self.is_finished = true;
        let mut state = self.throttle.state();
        state.end(self.keys, !succeeded, now);
        if succeeded {
            state.pairs.reset(self.keys.pair, now);
            state.remember(self.keys.pair, now);
        }
    }
}

impl Drop for LoginAttempt {
    fn drop(&mut self) {
        if !self.is_finished {
            self.throttle.state().end(self.keys, false, self.begun);
        }
        self.throttle.finished.notify_waiters();
    }
}

impl Drop for WaitingPlace<'_> {
    fn drop(&mut self) {
        let mut state = self.throttle.state();
        state.pairs.leave(self.keys.pair, self.since);
        state.names.leave(self.keys.name, self.since);
        state.addresses.leave(self.keys.address, self.since);
    }
}

impl LoginKeys {
    /// IPv6 clients own a whole network, so that their addresses count as one.
    fn of(name: &str, address: IpAddr) -> Self {
        let address = network_of(address);
        let pair = Digest::of_parts(&[b"pair ", &address.to_be_bytes(), name.as_bytes()]);
        Self { pair, name: Digest::of_parts(&[b"name ", name.as_bytes()]), address }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Moment {
        Moment::from_millis(1_000_000 + seconds * 1_000)
    }

    fn keys(name: &str, address: u32) -> LoginKeys {
        LoginKeys::of(name, IpAddr::V4(address.into()))
    }

    /// The number of guesses that are admitted at once.
    fn guesses(throttle: &Arc<LoginThrottle>, keys: impl Fn(u32) -> LoginKeys, now: Moment) -> u32 {
        let mut guesses = 0;
        while let Ok(attempt) = throttle.begin(keys(guesses), now) {
            attempt.finish(false, now);
            guesses += 1;
            assert!(guesses < 1_000, "guesses are not limited");
        }
        guesses
    }

    /// The number of guesses that are admitted within an hour of trying all the time.
    fn in_an_hour(keys: impl Fn(u32) -> LoginKeys + Copy) -> u32 {
        let throttle = Arc::new(LoginThrottle::default());
        let mut sum = 0;
        for second in 0..3_600 {
            sum += guesses(&throttle, |guess| keys(sum + guess), at(second));
        }
        sum
    }

    #[test]
    fn the_guesses_of_an_hour_are_bounded_by_name_and_by_address() {
        assert_eq!(in_an_hour(|_| keys("anna", 7)), 10 + 179);
        assert_eq!(in_an_hour(|guess| keys("anna", guess)), 50 + 599);
        assert_eq!(in_an_hour(|guess| keys(&guess.to_string(), 7)), 100 + 1_799);
    }

    #[test]
    fn guesses_from_one_address_delay_a_name_there_only() {
        let throttle = Arc::new(LoginThrottle::default());
        assert_eq!(guesses(&throttle, |_| keys("anna", 7), at(0)), 10);
        assert!(throttle.begin(keys("anna", 8), at(0)).is_ok(), "elsewhere");
        assert!(throttle.begin(keys("bert", 7), at(0)).is_ok(), "another name");
    }

    #[test]
    fn a_name_that_has_logged_in_from_an_address_is_not_delayed_by_others() {
        let throttle = Arc::new(LoginThrottle::default());
        throttle.begin(keys("anna", 7), at(0)).unwrap().finish(true, at(0));
        guesses(&throttle, |guess| keys("anna", 1_000 + guess), at(0));
        guesses(&throttle, |guess| keys(&guess.to_string(), 7), at(0));
        assert_eq!(throttle.begin(keys("anna", 8), at(0)).err(), Some(Millis(6_000)));
        assert_eq!(throttle.begin(keys("bert", 7), at(0)).err(), Some(Millis(2_000)));
        assert!(throttle.begin(keys("anna", 7), at(0)).is_ok());
        let later = at(24 * 60 * 60);
        guesses(&throttle, |guess| keys("anna", 1_000 + guess), later);
        assert!(throttle.begin(keys("anna", 7), later).is_err(), "known for a day");
    }

    #[test]
    fn a_success_gives_back_the_tokens_of_its_name_at_its_address_only() {
        let throttle = Arc::new(LoginThrottle::default());
        for _ in 0..9 {
            throttle.begin(keys("anna", 7), at(0)).unwrap().finish(false, at(0));
        }
        throttle.begin(keys("anna", 7), at(0)).unwrap().finish(true, at(0));
        assert_eq!(guesses(&throttle, |_| keys("anna", 7), at(0)), 10);
        assert_eq!(guesses(&throttle, |guess| keys("anna", 1_000 + guess), at(0)), 50 - 19);
    }

    #[test]
    fn attempts_without_a_result_are_not_counted() {
        let throttle = Arc::new(LoginThrottle::default());
        for _ in 0..100 {
            drop(throttle.begin(keys("anna", 7), at(0)).unwrap());
        }
        assert_eq!(throttle.state().pairs.len(), 0);
    }

    #[tokio::test]
    async fn an_attempt_waits_for_those_in_flight_and_is_refused_after_failures() {
        let throttle = Arc::new(LoginThrottle::default());
        let address = IpAddr::V4(7.into());
        let mut in_flight: Vec<_> =
            (0..10).map(|_| throttle.begin(keys("anna", 7), at(0)).unwrap()).collect();
        let waiting = tokio::spawn({
            let throttle = Arc::clone(&throttle);
            async move {
                throttle.admit("anna", address, || at(0)).await.map(|attempt| attempt.finish(false, at(0)))
            }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        in_flight.pop().unwrap().finish(true, at(0));
        assert_eq!(waiting.await.unwrap(), Ok(()));
        in_flight.into_iter().for_each(|attempt| attempt.finish(false, at(0)));
        let refused = throttle.admit("anna", address, || at(0)).await.err();
        assert_eq!(refused, Some(TooManyAttempts(Millis(20_000))));
        assert_eq!(throttle.state().known.len(), 1);
    }

    #[test]
    fn successful_logins_are_remembered_in_limited_number() {
        let throttle = Arc::new(LoginThrottle::default());
        for number in 0..11_000_u32 {
            throttle.begin(keys("anna", number), at(number.into())).unwrap().finish(true, at(number.into()));
        }
        assert_eq!(throttle.state().known.len(), MOST);
    }
}
