//! Cache of hint media: a whole hall requests the same file at the same moment.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use assize_kernel::Digest;
use axum::body::Bytes;

/// Capacity in bytes; the latest file is always kept.
const ENOUGH: usize = 64 << 20;

/// A picture or a video in the cache.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CachedMedia {
    pub(crate) media_type: String,
    pub(crate) bytes: Bytes,
}

/// The cache, oldest entry first.
#[derive(Default)]
pub(crate) struct MediaCache(Mutex<VecDeque<(Digest, Arc<CachedMedia>)>>);

impl MediaCache {
    pub(crate) fn get(&self, hash: &Digest) -> Option<Arc<CachedMedia>> {
        self.known().iter().find(|(known, _)| known == hash).map(|(_, medium)| medium.clone())
    }

    pub(crate) fn remember(&self, hash: Digest, medium: Arc<CachedMedia>) {
        let mut known = self.known();
        known.retain(|(before, _)| *before != hash);
        known.push_back((hash, medium));
        let mut size: usize = known.iter().map(|(_, medium)| medium.bytes.len()).sum();
        while size > ENOUGH && known.len() > 1 {
            size -= known.pop_front().map_or(0, |(_, medium)| medium.bytes.len());
        }
    }

    fn known(&self) -> MutexGuard<'_, VecDeque<(Digest, Arc<CachedMedia>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
