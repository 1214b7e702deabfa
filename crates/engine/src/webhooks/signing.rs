//! Signatures of deliveries: HMAC-SHA256 over the time of sending and the body.

use assize_kernel::Digest;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Version of the signature scheme; a later one would be sent in addition, not instead.
const SCHEME: &str = "v1";

/// The `Assize-Signature` header; `timestamp` is the time of sending in seconds.
pub(super) fn sign(secret: &str, timestamp: i64, body: &str) -> String {
    // Cannot fail: HMAC accepts keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return String::new() };
    mac.update(timestamp.to_string().as_bytes());
    mac.update(b".");
    mac.update(body.as_bytes());
    format!("{SCHEME}={}", Digest(mac.finalize().into_bytes().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `printf '1794735000.{"position":7}' | openssl dgst -sha256 -hmac whsec_0123456789abcdef`
    #[test]
    fn a_signature_is_the_one_openssl_computes() {
        let signature = sign("whsec_0123456789abcdef", 1_794_735_000, "{\"position\":7}");
        assert_eq!(signature, "v1=5295db350261c48925678ddd8823bc71067b5e3cc6ada64005ab572472987d7f");
    }

    #[test]
    fn a_signature_depends_on_secret_time_and_body() {
        let all = [sign("a", 1, "x"), sign("b", 1, "x"), sign("a", 2, "x"), sign("a", 1, "y")];
        let different: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(different.len(), all.len());
    }
}
