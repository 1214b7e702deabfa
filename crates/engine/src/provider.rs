//! The one implementation of cryptography that TLS is spoken with, whoever speaks it first.

use tokio_rustls::rustls::crypto::ring;

/// Chooses `ring` for the whole process; whoever comes later finds it chosen.
pub fn install() {
    // Fails when it has been chosen already, which is as good.
    drop(ring::default_provider().install_default());
}
