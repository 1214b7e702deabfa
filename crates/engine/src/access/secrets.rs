//! Secrets of tokens, sessions and invitation codes: 256 random bits, shown once; only the digest is stored.

use std::fmt;

use assize_kernel::Digest;

/// A secret text. Its `Debug` output does not reveal it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// The system's random generator failed.
#[derive(Debug, Clone, thiserror::Error)]
#[error("no random bytes: {0}")]
pub struct NoRandomness(String);

impl Secret {
    /// Generates a secret.
    ///
    /// # Errors
    /// When the system has no random bytes.
    pub fn new() -> Result<Self, NoRandomness> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(|error| NoRandomness(error.to_string()))?;
        Ok(Self(Digest(bytes).to_string()))
    }

    /// A secret received from a client.
    pub fn shown(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The SHA-256 digest, which is what is stored.
    #[must_use]
    pub fn hash(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    /// Derives another secret for a purpose; this one cannot be computed from it.
    #[must_use]
    pub fn derived(&self, purpose: &str) -> Self {
        Self(Digest::of_parts(&[purpose.as_bytes(), b"\n", self.0.as_bytes()]).to_string())
    }

    /// Compares in constant time.
    #[must_use]
    pub fn is(&self, shown: &str) -> bool {
        let (own, shown) = (self.hash().0, Digest::of(shown.as_bytes()).0);
        own.iter().zip(shown).fold(0, |differences, (own, shown)| differences | (own ^ shown)) == 0
    }

    /// The plain text, for the owner only.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_known_only_to_whoever_has_it() {
        let secret = Secret::new().unwrap();
        assert!(secret.is(secret.reveal()) && !secret.is("") && !secret.is(&secret.reveal()[1..]));
        assert_ne!(secret, Secret::new().unwrap());
        assert_eq!(secret.derived("a"), secret.derived("a"));
        assert_ne!(secret.derived("a"), secret.derived("b"));
        assert!(!format!("{secret:?}").contains(secret.reveal()));
    }
}
