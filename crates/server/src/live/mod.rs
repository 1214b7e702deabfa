//! Live: whoever listens is told what has happened once it is on disk, and what they missed from the ledger.
//!
//! The clerk hands what it has committed to the [`Wire`], which costs it next to nothing. The [`Crier`], a thread of
//! its own, renders each event once and puts it into the mailboxes of those who may hear it. Whoever does not empty
//! their mailbox in time is dropped: they come back and say what they heard last.

mod crier;
mod gallery;
mod hub;
mod listener;
mod mailbox;
mod missed;
mod said;
mod topic;
mod wire;

pub(crate) use crier::Crier;
pub use hub::Hub;
pub(crate) use hub::{Admission, NotAdmitted, listener_called};
pub(crate) use listener::Listener;
pub(crate) use topic::{Ear, Topic};
pub(crate) use wire::{Wire, wire};
