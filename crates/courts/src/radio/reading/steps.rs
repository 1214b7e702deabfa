//! How much work a reading was: counted in tests, which hold it to the length of the text, and nowhere else.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

/// So many words or letters were looked at.
#[cfg(test)]
pub(super) fn count(steps: usize) {
    TAKEN.set(TAKEN.get() + steps);
}

/// Nothing, outside tests.
#[cfg(not(test))]
pub(super) const fn count(_steps: usize) {}

/// How many steps some work takes.
#[cfg(test)]
pub(super) fn of<T>(work: impl FnOnce() -> T) -> usize {
    TAKEN.set(0);
    work();
    TAKEN.get()
}
