//! A short sorted array in contiguous memory, searched in two steps.

#![allow(
    clippy::indexing_slicing,
    reason = "a run never holds more than its width, and `len` says how much it holds"
)]

/// The capacity of a run.
pub(super) const WIDTH: usize = 64;
/// The number of items compared together.
const BLOCK: usize = 4;

/// Up to [`WIDTH`] items, stored inline.
#[derive(Debug, Clone)]
pub(super) struct Run<T> {
    items: [T; WIDTH],
    len: usize,
}

impl<T: Copy + Default> Default for Run<T> {
    fn default() -> Self {
        Self { items: [T::default(); WIDTH], len: 0 }
    }
}

impl<T: Copy + Default> Run<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_full(&self) -> bool {
        self.len == WIDTH
    }

    pub(super) fn items(&self) -> &[T] {
        &self.items[..self.len]
    }

    pub(super) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.len]
    }

    /// Inserts an item; the run must not be full.
    pub(super) fn insert(&mut self, at: usize, item: T) {
        self.items.copy_within(at..self.len, at + 1);
        self.items[at] = item;
        self.len += 1;
    }

    pub(super) fn remove(&mut self, at: usize) -> T {
        let item = self.items[at];
        self.items.copy_within(at + 1..self.len, at);
        self.len -= 1;
        item
    }

    /// Removes and returns the upper half.
    pub(super) fn split(&mut self) -> Self {
        let mut upper = Self::default();
        let half = self.len / 2;
        upper.len = self.len - half;
        upper.items[..upper.len].copy_from_slice(&self.items[half..self.len]);
        self.len = half;
        upper
    }

    /// Appends another run; both must fit.
    pub(super) fn append(&mut self, other: &Self) {
        self.items[self.len..self.len + other.len].copy_from_slice(other.items());
        self.len += other.len;
    }
}

impl<T: Ord + Copy + Default> Run<T> {
    /// The number of smaller items, in two steps: the block, then the index in it. The comparisons of a step
    /// are independent, so they run in parallel; a binary search needs fewer of them, but each waits for the
    /// last.
    pub(super) fn smaller(&self, item: &T) -> usize {
        let (blocks, _) = self.items().as_chunks::<BLOCK>();
        let before = BLOCK * blocks.iter().map(|[.., last]| usize::from(last < item)).sum::<usize>();
        let rest = &self.items()[before..];
        let within = &rest[..rest.len().min(BLOCK)];
        before + within.iter().map(|other| usize::from(other < item)).sum::<usize>()
    }

    /// The index of the last item that is not greater than this one, or 0.
    pub(super) fn last_not_after(&self, item: &T) -> usize {
        let at = self.smaller(item);
        if self.items().get(at) == Some(item) { at } else { at.saturating_sub(1) }
    }
}
