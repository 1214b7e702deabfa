//! The courts that ship with Assize. Pure: the same records give the same verdicts on every machine.

pub mod contest;
pub mod quest;
pub mod radio;
pub mod split_mix;
pub mod summary;

use std::sync::Arc;

use assize_kernel::{AnyBench, AnyCourt, Assessed, CourtAdapter};

/// Every court in the order of listing, followed by the courts of the benches.
#[must_use]
pub fn courts() -> Vec<Arc<dyn AnyCourt>> {
    vec![
        Arc::new(CourtAdapter::<contest::Contest>::new()),
        Arc::new(CourtAdapter::<quest::Quest>::new()),
        Arc::new(CourtAdapter::<radio::Radio>::new()),
        Arc::new(CourtAdapter::<summary::Summary>::new()),
        Arc::new(CourtAdapter::<Assessed<quest::Quest>>::new()),
        Arc::new(CourtAdapter::<Assessed<radio::Radio>>::new()),
        Arc::new(CourtAdapter::<Assessed<summary::Summary>>::new()),
    ]
}

/// The benches: courts whose submissions external assessors can assess.
#[must_use]
pub fn benches() -> Vec<Arc<dyn AnyBench>> {
    vec![
        Arc::new(Assessed::<quest::Quest>::new()),
        Arc::new(Assessed::<radio::Radio>::new()),
        Arc::new(Assessed::<summary::Summary>::new()),
    ]
}
