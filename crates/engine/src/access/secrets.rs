//! Secrets: 256 random bits, shown once, of which only the digest is kept.

use std::fmt;

use assize_kernel::Digest;

/// Something that only its owner may know.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// No random bytes were to be had.
#[derive(Debug, Clone, thiserror::Error)]
#[error("no random bytes: {0}")]
pub struct NoRandomness(String);

impl Secret {
    /// A new one.
    ///
    /// # Errors
    /// When the system has no random bytes.
    pub fn new() -> Result<Self, NoRandomness> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(|error| NoRandomness(error.to_string()))?;
        Ok(Self(Digest(bytes).to_string()))
    }

    /// One that somebody has shown.
    pub fn shown(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// What is kept of it.
    #[must_use]
    pub fn hash(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    /// Another secret that follows from this one, for a purpose: whoever knows it does not know this one.
    #[must_use]
    pub fn derived(&self, purpose: &str) -> Self {
        Self(Digest::of_parts(&[purpose.as_bytes(), b"\n", self.0.as_bytes()]).to_string())
    }

    /// Whether it is this one, in a time that does not tell how much of it is right.
    #[must_use]
    pub fn is(&self, shown: &str) -> bool {
        let (own, shown) = (self.hash().0, Digest::of(shown.as_bytes()).0);
        own.iter().zip(shown).fold(0, |differences, (own, shown)| differences | (own ^ shown)) == 0
    }

    /// To be shown to its owner, and to nobody else.
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
