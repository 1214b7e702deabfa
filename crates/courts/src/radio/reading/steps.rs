//! Step counter, active in tests only, which assert that parsing takes linear time.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

/// Adds to the number of inspected tokens or characters.
#[cfg(test)]
pub(super) fn count(steps: usize) {
    TAKEN.set(TAKEN.get() + steps);
}

/// No-op outside tests.
#[cfg(not(test))]
pub(super) const fn count(_steps: usize) {}

/// Number of steps taken by `work`.
#[cfg(test)]
pub(super) fn of<T>(work: impl FnOnce() -> T) -> usize {
    TAKEN.set(0);
    work();
    TAKEN.get()
}
