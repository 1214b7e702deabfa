//! That the server is stopping: said once, heard by everything that would otherwise go on.

use std::sync::Arc;

use tokio::sync::watch;

/// Whether the server is stopping; cheap to clone, and all clones hear the same.
#[derive(Debug, Clone)]
pub struct Shutdown(Arc<watch::Sender<bool>>);

impl Shutdown {
    /// Tells everybody.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Whether it has begun.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it begins; over at once when it has.
    pub async fn begun(&self) {
        // The sender lives as long as `self`, so that waiting cannot fail.
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
