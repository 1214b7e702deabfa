//! Password hashing with Argon2id, which makes guessing expensive if the digests leak.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use assize_kernel::{Refusal, RefusalKind};

use super::Secret;
use crate::ClerkError;

/// Alphabet of generated passwords, without letters and digits that look alike on paper.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Allowed length of a password, in characters.
const LENGTH: std::ops::RangeInclusive<usize> = 10..=1024;

/// Dummy hash that is verified when the user does not exist, so that the response takes as long.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5J3Mgc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Hashes a password with a random salt: 19 MiB and two passes. Slow on purpose.
///
/// # Errors
/// When the password is too short or too long.
pub fn hash_password(password: &str) -> Result<String, ClerkError> {
    if !LENGTH.contains(&password.chars().count()) {
        let message = "a password has 10 to 1024 characters; a few words make a good one";
        return Err(ClerkError::Refused(Refusal::new(
            "access.password.unsuitable",
            RefusalKind::Malformed,
            message,
        )));
    }
    let broken = |error: &dyn std::fmt::Display| ClerkError::Broken(format!("no password hash: {error}"));
    let mut salt = [0_u8; 16];
    getrandom::fill(&mut salt).map_err(|error| broken(&error))?;
    let hashed: Result<PasswordHash, _> =
        Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
    hashed.map(|hash| hash.to_string()).map_err(|error| broken(&error))
}

/// Generates a password: 100 random bits in four groups, easy to type from paper.
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

/// Verifies a password against the stored hash `kept`. Without a stored hash the result is false, after the
/// same time.
#[must_use]
pub fn is_password(password: &str, kept: Option<&str>) -> bool {
    let Ok(hash) = PasswordHash::new(kept.unwrap_or(NOBODYS)) else {
        tracing::error!("a stored password hash cannot be parsed");
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
