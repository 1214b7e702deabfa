//! The courts that ship with Assize. Pure: the same records give the same verdicts on every machine.

pub mod contest;
pub mod quest;
pub mod radio;
pub mod summary;

use std::sync::Arc;

use assize_kernel::{AnyBench, AnyCourt, Assessed, Seat};

/// Every court, in the order they are listed to people, and after them the benches beside some of them.
#[must_use]
pub fn courts() -> Vec<Arc<dyn AnyCourt>> {
    vec![
        Arc::new(Seat::<contest::Contest>::new()),
        Arc::new(Seat::<quest::Quest>::new()),
        Arc::new(Seat::<radio::Radio>::new()),
        Arc::new(Seat::<summary::Summary>::new()),
        Arc::new(Seat::<Assessed<quest::Quest>>::new()),
        Arc::new(Seat::<Assessed<radio::Radio>>::new()),
        Arc::new(Seat::<Assessed<summary::Summary>>::new()),
    ]
}

/// The courts whose findings others can make, too.
#[must_use]
pub fn benches() -> Vec<Arc<dyn AnyBench>> {
    vec![
        Arc::new(Assessed::<quest::Quest>::new()),
        Arc::new(Assessed::<radio::Radio>::new()),
        Arc::new(Assessed::<summary::Summary>::new()),
    ]
}
