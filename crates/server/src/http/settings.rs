//! What requests are held to, as whoever runs the server wants it.

use super::client_address::Network;

/// How requests are received.
#[derive(Debug, Clone, Default)]
pub struct HttpSettings {
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
}
