//! Rate limits: requests per second by client address and by token.

use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::http::{HeaderMap, StatusCode, header};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::problem::Problem;
use super::settings::HttpSettings;

/// Burst size, in seconds' worth of requests.
const BURST: u32 = 5;
/// Rate limit of log entries per team: they are stored for ever.
const LOGS_A_SECOND: u32 = 10;
/// Number of requests between removals of idle callers.
const SWEEP_EVERY: u32 = 8_192;

/// The rate limiters.
pub(crate) struct RateLimits {
    per_address: Option<KeyedLimiter>,
    per_token: Option<KeyedLimiter>,
    per_logger: Option<KeyedLimiter>,
    on_loopback: bool,
}

impl RateLimits {
    pub(crate) fn new(settings: &HttpSettings) -> Self {
        Self {
            per_address: KeyedLimiter::new(settings.rate_per_address),
            per_token: KeyedLimiter::new(settings.rate_per_token),
            per_logger: KeyedLimiter::new(LOGS_A_SECOND),
            on_loopback: settings.rate_on_loopback,
        }
    }

    /// Admits a request, or rejects it with `Retry-After`.
    pub(crate) fn admit(&self, address: IpAddr, headers: &HeaderMap) -> Result<(), Problem> {
        if address.is_loopback() && !self.on_loopback {
            return Ok(());
        }
        if let Some(rate) = &self.per_address {
            rate.take(&network_of(address)).map_err(|wait| Problem::too_many("from this address", wait))?;
        }
        if let (Some(rate), Some(token)) = (&self.per_token, headers.get(header::AUTHORIZATION)) {
            rate.take(token.as_bytes()).map_err(|wait| Problem::too_many("with this token", wait))?;
        }
        Ok(())
    }

    /// Admits a log entry, or rejects it with `Retry-After`.
    pub(crate) fn admit_log(&self, whose: &str) -> Result<(), Problem> {
        let Some(rate) = &self.per_logger else { return Ok(()) };
        rate.take(whose).map_err(|wait| Problem::too_many("of this team to log something", wait))
    }
}

/// The key of an address: IPv6 clients own a whole /64 network, so they are limited by network.
pub(crate) fn network_of(address: IpAddr) -> u64 {
    match address {
        IpAddr::V4(address) => address.to_bits().into(),
        IpAddr::V6(address) => (address.to_bits() >> 64) as u64,
    }
}

/// A rate limiter with a separate quota per caller.
struct KeyedLimiter {
    limiter: DefaultKeyedRateLimiter<u64>,
    /// Callers are hashed with a random seed, so that collisions cannot be provoked.
    hasher: RandomState,
    until_sweep: AtomicU32,
}

impl KeyedLimiter {
    fn new(per_second: u32) -> Option<Self> {
        let per_second = NonZeroU32::new(per_second)?;
        let burst = per_second.saturating_mul(NonZeroU32::MIN.saturating_add(BURST - 1));
        let limiter = RateLimiter::keyed(Quota::per_second(per_second).allow_burst(burst));
        Some(Self { limiter, hasher: RandomState::new(), until_sweep: AtomicU32::new(SWEEP_EVERY) })
    }

    fn take(&self, caller: &(impl Hash + ?Sized)) -> Result<(), Duration> {
        if self.until_sweep.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.until_sweep.store(SWEEP_EVERY, Ordering::Relaxed);
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        let taken = self.limiter.check_key(&self.hasher.hash_one(caller));
        taken.map_err(|until| until.wait_time_from(DefaultClock::default().now()))
    }
}

impl Problem {
    fn too_many(whose: &str, wait: Duration) -> Self {
        let seconds = wait.as_millis().div_ceil(1000).max(1);
        let detail =
            format!("there are too many requests {whose}; nothing was done, try again in {seconds} s");
        Self::new(StatusCode::TOO_MANY_REQUESTS, "request.too_many", detail)
            .retry_after(u16::try_from(seconds).unwrap_or(u16::MAX))
    }

    /// The response took too long. The command may still be carried out, so the message promises nothing.
    pub(crate) fn timed_out(after: Duration) -> Self {
        let seconds = after.as_secs_f64();
        let detail = format!(
            "there was no answer within {seconds} s; what was asked may still be done, so look, or repeat it with \
             the same idempotency key"
        );
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "server.timeout", detail)
    }

    /// The body did not arrive in time.
    pub(crate) fn too_slow(after: Duration) -> Self {
        let detail = format!("the body had not arrived after {} s; nothing was done", after.as_secs_f64());
        Self::new(StatusCode::REQUEST_TIMEOUT, "request.too_slow", detail)
    }

    pub(crate) fn too_large(limit: usize) -> Self {
        let detail = format!("the body is longer than {limit} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "request.too_large", detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(rate_on_loopback: bool) -> RateLimits {
        RateLimits::new(&HttpSettings { rate_per_address: 10, rate_on_loopback, ..HttpSettings::default() })
    }

    /// How many of a thousand requests at once are admitted.
    fn let_in(limits: &RateLimits, address: &str) -> usize {
        let address = address.parse().unwrap();
        (0..1000).filter(|_| limits.admit(address, &HeaderMap::new()).is_ok()).count()
    }

    #[test]
    fn each_address_has_its_own_share() {
        let limits = limits(false);
        for address in ["192.0.2.1", "192.0.2.2", "2001:db8::1"] {
            let let_in = let_in(&limits, address);
            assert!((50..100).contains(&let_in), "{let_in}");
        }
        assert!(let_in(&limits, "2001:db8::2") < 50, "one network, one share");
    }

    #[test]
    fn this_machine_is_not_limited_unless_asked_for() {
        assert_eq!(let_in(&limits(false), "127.0.0.1"), 1000);
        assert!(let_in(&limits(true), "127.0.0.1") < 100);
    }

    #[test]
    fn callers_who_have_been_silent_are_forgotten() {
        let rate = KeyedLimiter::new(1_000_000).unwrap();
        (0..u64::from(SWEEP_EVERY) * 4).for_each(|caller| rate.take(&caller).unwrap());
        assert!(rate.limiter.len() <= SWEEP_EVERY as usize * 2, "{}", rate.limiter.len());
    }
}
