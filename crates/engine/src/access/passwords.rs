//! Passwords: Argon2id, so that whoever gets hold of the digests has to work for each guess.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use assize_kernel::{Refusal, RefusalKind};

use super::Secret;
use crate::ClerkError;

/// The letters of passwords that are made up: none that looks like another on a slip of paper.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The shortest and the longest that is taken, in characters.
const LENGTH: std::ops::RangeInclusive<usize> = 10..=1024;

/// What a password is compared with when there is nobody of that name, so that it takes as long: no password's.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5J3Mgc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// What is kept of a password: 19 MiB and two passes for each guess, with a salt of its own. This takes a while.
///
/// # Errors
/// When it is too short or too long.
pub fn hash_password(password: &str) -> Result<String, ClerkError> {
    if !LENGTH.contains(&password.chars().count()) {
        let message = "a password has 10 to 1024 characters; a few words make a good one";
        return Err(ClerkError::Refused(Refusal::new(
            "access.password.unsuitable",
            RefusalKind::Malformed,
            message,
        )));
    }
    let broken = |error: &dyn std::fmt::Display| ClerkError::Broken(format!("a password: {error}"));
    let mut salt = [0_u8; 16];
    getrandom::fill(&mut salt).map_err(|error| broken(&error))?;
    let hashed: Result<PasswordHash, _> =
        Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
    hashed.map(|hash| hash.to_string()).map_err(|error| broken(&error))
}

/// A password that nobody has chosen: a hundred random bits, in four groups that can be typed from paper.
///
/// # Errors
/// When the system has no random bytes.
pub fn make_password() -> Result<Secret, ClerkError> {
    let mut bytes = [0_u8; 20];
    let made = getrandom::fill(&mut bytes);
    made.map_err(|error| ClerkError::Broken(format!("no random bytes: {error}")))?;
    let letter = |byte: &u8| LETTERS.get(usize::from(byte % 32)).copied().map_or(' ', char::from);
    let groups: Vec<String> = bytes.chunks(5).map(|group| group.iter().map(letter).collect()).collect();
    Ok(Secret::shown(groups.join("-")))
}

/// Whether this is the password of which that is kept; with nothing kept it is not, and takes as long.
#[must_use]
pub fn is_password(password: &str, kept: Option<&str>) -> bool {
    let Ok(hash) = PasswordHash::new(kept.unwrap_or(NOBODYS)) else {
        tracing::error!("the digest of a password cannot be read");
        return false;
    };
    LENGTH.contains(&password.chars().count())
        && Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
        && kept.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_recognised_and_no_other() {
        let kept = hash_password("correct horse battery").unwrap();
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert_ne!(kept, hash_password("correct horse battery").unwrap(), "each has a salt of its own");
        assert!(is_password("correct horse battery", Some(&kept)));
        assert!(!is_password("correct horse batteri", Some(&kept)));
        assert!(!is_password("correct horse battery", None));
        assert!(!is_password("correct horse battery", Some("nonsense")));
    }

    #[test]
    fn what_nobody_is_compared_with_can_be_read() {
        assert!(PasswordHash::new(NOBODYS).is_ok());
    }

    #[test]
    fn a_password_that_was_made_up_can_be_typed_and_is_none_twice() {
        let one = make_password().unwrap();
        let groups: Vec<&str> = one.reveal().split('-').collect();
        assert_eq!(groups.iter().map(|group| group.len()).collect::<Vec<_>>(), [5, 5, 5, 5]);
        assert!(groups.concat().bytes().all(|byte| LETTERS.contains(&byte)), "{}", one.reveal());
        assert!(hash_password(one.reveal()).is_ok());
        assert_ne!(one, make_password().unwrap());
    }

    #[test]
    fn a_password_that_is_too_short_is_refused() {
        for short in ["short", "ééééé", "nine char"] {
            assert!(matches!(hash_password(short), Err(ClerkError::Refused(_))), "{short}");
        }
    }
}
