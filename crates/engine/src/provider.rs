//! The TLS crypto provider of the process (`ring`).

use tokio_rustls::rustls::crypto::ring;

/// Installs `ring` as the default crypto provider of rustls. May be called more than once.
pub fn install() {
    // Fails only when a provider is installed already.
    drop(ring::default_provider().install_default());
}
