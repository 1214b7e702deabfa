//! The shutdown signal: sent once, received by all tasks of the process.

use std::sync::Arc;

use tokio::sync::watch;

/// The shutdown signal; cheap to clone, and all clones share its state.
#[derive(Debug, Clone)]
pub struct Shutdown(Arc<watch::Sender<bool>>);

impl Shutdown {
    /// Starts the shutdown.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Whether the shutdown has begun.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for the shutdown; returns at once when it has begun.
    pub async fn begun(&self) {
        // Cannot fail: the sender lives as long as `self`.
        drop(self.0.subscribe().wait_for(|begun| *begun).await);
    }
}

impl Default for Shutdown {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn whoever_waits_and_whoever_comes_later_hears_it() {
        let closing = Shutdown::default();
        let waiting = tokio::spawn({
            let closing = closing.clone();
            async move { closing.begun().await }
        });
        assert!(!closing.has_begun());
        closing.clone().begin();
        waiting.await.unwrap();
        closing.begun().await;
        assert!(closing.has_begun());
    }
}
