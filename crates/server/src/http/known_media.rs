//! Pictures and videos that were asked for lately: a whole hall wants the same one at the same moment.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use assize_kernel::Digest;
use axum::body::Bytes;

/// So many bytes are kept at hand, and always the last one.
const ENOUGH: usize = 64 << 20;

/// A picture or a video.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Medium {
    pub(super) media_type: String,
    pub(super) bytes: Bytes,
}

/// The latest at the end.
#[derive(Default)]
pub(super) struct KnownMedia(Mutex<VecDeque<(Digest, Arc<Medium>)>>);

impl KnownMedia {
    pub(super) fn get(&self, hash: &Digest) -> Option<Arc<Medium>> {
        self.known().iter().find(|(known, _)| known == hash).map(|(_, medium)| medium.clone())
    }

    pub(super) fn remember(&self, hash: Digest, medium: Arc<Medium>) {
        let mut known = self.known();
        known.retain(|(before, _)| *before != hash);
        known.push_back((hash, medium));
        let mut size: usize = known.iter().map(|(_, medium)| medium.bytes.len()).sum();
        while size > ENOUGH && known.len() > 1 {
            size -= known.pop_front().map_or(0, |(_, medium)| medium.bytes.len());
        }
    }

    fn known(&self) -> MutexGuard<'_, VecDeque<(Digest, Arc<Medium>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
