//! Login throttling: after a few wrong passwords, each attempt has to wait longer than the one before.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use assize_kernel::{Digest, Millis, Moment};

/// Maximum number of names and addresses remembered.
const MOST: usize = 10_000;
/// Entries without an attempt for this long are removed.
const FORGOTTEN_AFTER: Millis = Millis(60 * 60 * 1000);

/// Parameters of the backoff.
struct BackoffPolicy {
    /// Failed attempts without a wait.
    free: u32,
    /// The longest wait; short for names, since anybody can make a name wait.
    longest: Millis,
}

const FOR_NAME: BackoffPolicy = BackoffPolicy { free: 5, longest: Millis(60_000) };
const FOR_ADDRESS: BackoffPolicy = BackoffPolicy { free: 20, longest: Millis(15 * 60 * 1000) };

/// Login attempts by name and by address.
#[derive(Default)]
pub(crate) struct LoginThrottle(Mutex<HashMap<Digest, LoginAttempts>>);

#[derive(Clone, Copy)]
struct LoginAttempts {
    failed: u32,
    last: Moment,
}

impl LoginThrottle {
    /// Admits an attempt, or returns the remaining wait. The attempt counts as failed until it succeeds, so
    /// that concurrent attempts do not bypass the throttle.
    pub(crate) fn begin(&self, name: &str, address: IpAddr, now: Moment) -> Result<(), Millis> {
        let mut attempts = self.attempts();
        let keys = keys(name, address);
        let waits = keys.iter().zip([FOR_NAME, FOR_ADDRESS]).filter_map(|(key, patience)| {
            attempts.get(key).and_then(|attempts| attempts.wait(&patience, now))
        });
        if let Some(wait) = waits.max() {
            return Err(wait);
        }
        make_room(&mut attempts, now);
        for key in keys {
            let entry = attempts.entry(key).or_insert(LoginAttempts { failed: 0, last: now });
            let failed = if now - entry.last > FORGOTTEN_AFTER { 0 } else { entry.failed };
            *entry = LoginAttempts { failed: failed.saturating_add(1), last: now };
        }
        Ok(())
    }

    /// Records a successful attempt.
    pub(crate) fn succeeded(&self, name: &str, address: IpAddr) {
        let mut attempts = self.attempts();
        let [of_name, of_address] = keys(name, address);
        attempts.remove(&of_name);
        // Other clients behind the address may still be guessing: only this attempt is taken back.
        if let Some(entry) = attempts.get_mut(&of_address) {
            entry.failed = entry.failed.saturating_sub(1);
        }
    }

    fn attempts(&self) -> MutexGuard<'_, HashMap<Digest, LoginAttempts>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LoginAttempts {
    /// The remaining wait: one second, doubled with each failure.
    fn wait(&self, patience: &BackoffPolicy, now: Moment) -> Option<Millis> {
        let beyond = self.failed.checked_sub(patience.free)?;
        let wait = Millis(1_000_i64.saturating_mul(1 << beyond.min(20))).min(patience.longest);
        let left = self.last + wait - now;
        (left > Millis(0)).then_some(left)
    }
}

fn keys(name: &str, address: IpAddr) -> [Digest; 2] {
    [Digest::of_parts(&[b"name ", name.as_bytes()]), Digest::of(format!("address {address}").as_bytes())]
}

/// Evicts expired entries, otherwise the one with the oldest attempt.
fn make_room(attempts: &mut HashMap<Digest, LoginAttempts>, now: Moment) {
    if attempts.len() + 2 <= MOST {
        return;
    }
    attempts.retain(|_, entry| now - entry.last <= FORGOTTEN_AFTER);
    while attempts.len() + 2 > MOST {
        let Some(oldest) = attempts.iter().min_by_key(|(_, entry)| entry.last).map(|(key, _)| *key) else {
            return;
        };
        attempts.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 7));

    fn at(seconds: i64) -> Moment {
        Moment::from_millis(1_000_000 + seconds * 1_000)
    }

    fn address(number: u32) -> IpAddr {
        IpAddr::V4(number.into())
    }

    #[test]
    fn each_wrong_guess_waits_longer_than_the_one_before() {
        let throttle = LoginThrottle::default();
        for _ in 0..5 {
            assert_eq!(throttle.begin("anna", HERE, at(0)), Ok(()));
        }
        assert_eq!(throttle.begin("anna", HERE, at(0)), Err(Millis(1_000)));
        assert_eq!(throttle.begin("anna", address(9), at(0)), Err(Millis(1_000)), "wherever it comes from");
        assert_eq!(throttle.begin("bert", HERE, at(0)), Ok(()), "somebody else may try");
        assert_eq!(throttle.begin("anna", HERE, at(1)), Ok(()));
        assert_eq!(throttle.begin("anna", HERE, at(2)), Err(Millis(1_000)), "two seconds now");
        for attempt in 0_i64..20 {
            let _ = throttle.begin("anna", address(9), at(100 + attempt * 61));
        }
        assert_eq!(throttle.begin("anna", HERE, at(100 + 19 * 61)), Err(Millis(60_000)), "a minute at most");
    }

    #[test]
    fn whoever_gets_it_right_starts_anew() {
        let throttle = LoginThrottle::default();
        for _ in 0..50 {
            assert_eq!(throttle.begin("anna", HERE, at(0)), Ok(()));
            throttle.succeeded("anna", HERE);
        }
    }

    #[test]
    fn trying_many_names_from_one_address_is_slow_too() {
        let throttle = LoginThrottle::default();
        for number in 0..20 {
            assert_eq!(throttle.begin(&number.to_string(), HERE, at(0)), Ok(()));
        }
        assert_eq!(throttle.begin("another", HERE, at(0)), Err(Millis(1_000)));
        assert_eq!(throttle.begin("another", address(9), at(0)), Ok(()));
    }

    #[test]
    fn what_was_long_ago_is_forgotten() {
        let throttle = LoginThrottle::default();
        for _ in 0..5 {
            throttle.begin("anna", HERE, at(0)).unwrap();
        }
        for _ in 0..5 {
            assert_eq!(throttle.begin("anna", HERE, at(3_601)), Ok(()));
        }
    }

    #[test]
    fn no_more_is_remembered_than_there_is_room_for() {
        let throttle = LoginThrottle::default();
        for number in 0..12_000_u32 {
            let _ = throttle.begin(&number.to_string(), address(number), at(i64::from(number)));
        }
        assert!(throttle.attempts().len() <= MOST);
    }
}
