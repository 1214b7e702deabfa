//! The courts that ship with Assize. Pure: the same records give the same verdicts on every machine.

pub mod contest;
pub mod quest;
pub mod radio;
pub mod summary;

use std::sync::Arc;

use assize_kernel::{AnyCourt, Seat};

/// Every court, in the order they are listed to people.
#[must_use]
pub fn courts() -> Vec<Arc<dyn AnyCourt>> {
    vec![
        Arc::new(Seat::<contest::Contest>::new()),
        Arc::new(Seat::<quest::Quest>::new()),
        Arc::new(Seat::<radio::Radio>::new()),
        Arc::new(Seat::<summary::Summary>::new()),
    ]
}
