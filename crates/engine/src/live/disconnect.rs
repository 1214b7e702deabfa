//! A handle that cuts a client's connection.

use std::sync::Arc;

use tokio::sync::Notify;

/// Cuts a connection from outside the task that serves it; cheap to clone.
#[derive(Debug, Clone)]
pub struct Disconnect(Arc<Notify>);

impl Disconnect {
    /// Cuts the connection.
    pub fn cut(&self) {
        self.0.notify_one();
    }

    /// Waits until the connection is cut.
    pub async fn is_cut(&self) {
        self.0.notified().await;
    }
}

impl Default for Disconnect {
    fn default() -> Self {
        Self(Arc::new(Notify::new()))
    }
}
