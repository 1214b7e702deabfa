//! Guessing passwords is made slow: after a few wrong ones, each has to wait longer than the one before.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use assize_kernel::{Digest, Millis, Moment};

/// How many names and addresses are remembered.
const MOST: usize = 10_000;
/// After so long without an attempt, all is forgotten.
const FORGOTTEN_AFTER: Millis = Millis(60 * 60 * 1000);

/// How somebody is treated who keeps failing.
struct Patience {
    /// So many attempts cost nothing.
    free: u32,
    /// The longest wait: a name can be made to wait by anybody, so not for long.
    longest: Millis,
}

const FOR_NAME: Patience = Patience { free: 5, longest: Millis(60_000) };
const FOR_ADDRESS: Patience = Patience { free: 20, longest: Millis(15 * 60 * 1000) };

/// Attempts to log in, by name and by address.
#[derive(Default)]
pub(super) struct Throttle(Mutex<HashMap<Digest, Attempts>>);

#[derive(Clone, Copy)]
struct Attempts {
    failed: u32,
    last: Moment,
}

impl Throttle {
    /// Lets an attempt begin, or says how long to wait. It counts as failed until it has succeeded, so that many at
    /// once are no way around this.
    pub(super) fn begin(&self, name: &str, address: IpAddr, now: Moment) -> Result<(), Millis> {
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
            let entry = attempts.entry(key).or_insert(Attempts { failed: 0, last: now });
            let failed = if now - entry.last > FORGOTTEN_AFTER { 0 } else { entry.failed };
            *entry = Attempts { failed: failed.saturating_add(1), last: now };
        }
        Ok(())
    }

    /// The attempt was right.
    pub(super) fn succeeded(&self, name: &str, address: IpAddr) {
        let mut attempts = self.attempts();
        let [of_name, of_address] = keys(name, address);
        attempts.remove(&of_name);
        // Others behind the same address may go on guessing: only this attempt is taken back.
        if let Some(entry) = attempts.get_mut(&of_address) {
            entry.failed = entry.failed.saturating_sub(1);
        }
    }

    fn attempts(&self) -> MutexGuard<'_, HashMap<Digest, Attempts>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Attempts {
    /// How long to wait still: a second, then twice as long each time.
    fn wait(&self, patience: &Patience, now: Moment) -> Option<Millis> {
        let beyond = self.failed.checked_sub(patience.free)?;
        let wait = Millis(1_000_i64.saturating_mul(1 << beyond.min(20))).min(patience.longest);
        let left = self.last + wait - now;
        (left > Millis(0)).then_some(left)
    }
}

fn keys(name: &str, address: IpAddr) -> [Digest; 2] {
    [Digest::of_parts(&[b"name ", name.as_bytes()]), Digest::of(format!("address {address}").as_bytes())]
}

/// Forgets what is old, and otherwise whoever has not tried for the longest time.
fn make_room(attempts: &mut HashMap<Digest, Attempts>, now: Moment) {
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
        let throttle = Throttle::default();
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
        let throttle = Throttle::default();
        for _ in 0..50 {
            assert_eq!(throttle.begin("anna", HERE, at(0)), Ok(()));
            throttle.succeeded("anna", HERE);
        }
    }

    #[test]
    fn trying_many_names_from_one_address_is_slow_too() {
        let throttle = Throttle::default();
        for number in 0..20 {
            assert_eq!(throttle.begin(&number.to_string(), HERE, at(0)), Ok(()));
        }
        assert_eq!(throttle.begin("another", HERE, at(0)), Err(Millis(1_000)));
        assert_eq!(throttle.begin("another", address(9), at(0)), Ok(()));
    }

    #[test]
    fn what_was_long_ago_is_forgotten() {
        let throttle = Throttle::default();
        for _ in 0..5 {
            throttle.begin("anna", HERE, at(0)).unwrap();
        }
        for _ in 0..5 {
            assert_eq!(throttle.begin("anna", HERE, at(3_601)), Ok(()));
        }
    }

    #[test]
    fn no_more_is_remembered_than_there_is_room_for() {
        let throttle = Throttle::default();
        for number in 0..12_000_u32 {
            let _ = throttle.begin(&number.to_string(), address(number), at(i64::from(number)));
        }
        assert!(throttle.attempts().len() <= MOST);
    }
}
