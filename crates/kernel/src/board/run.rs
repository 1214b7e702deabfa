//! A short sorted list that lies in one piece of memory and is searched in two looks.

#![allow(
    clippy::indexing_slicing,
    reason = "a run never holds more than its width, and `len` says how much it holds"
)]

/// The most items a run holds.
pub(super) const WIDTH: usize = 64;
/// How many items are looked at together.
const BLOCK: usize = 4;

/// Up to [`WIDTH`] items in place.
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

    /// There must be room.
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

    /// The upper half, taken off.
    pub(super) fn split(&mut self) -> Self {
        let mut upper = Self::default();
        let half = self.len / 2;
        upper.len = self.len - half;
        upper.items[..upper.len].copy_from_slice(&self.items[half..self.len]);
        self.len = half;
        upper
    }

    /// There must be room.
    pub(super) fn append(&mut self, other: &Self) {
        self.items[self.len..self.len + other.len].copy_from_slice(other.items());
        self.len += other.len;
    }
}

impl<T: Ord + Copy + Default> Run<T> {
    /// How many items are smaller, in two looks: in which block, and where in it. What belongs to one look is read at
    /// once; halving would need fewer comparisons, but each would have to wait for the one before it.
    pub(super) fn smaller(&self, item: &T) -> usize {
        let (blocks, _) = self.items().as_chunks::<BLOCK>();
        let before = BLOCK * blocks.iter().map(|[.., last]| usize::from(last < item)).sum::<usize>();
        let rest = &self.items()[before..];
        let within = &rest[..rest.len().min(BLOCK)];
        before + within.iter().map(|other| usize::from(other < item)).sum::<usize>()
    }

    /// The last item that is not after this one, or the very first.
    pub(super) fn last_not_after(&self, item: &T) -> usize {
        let at = self.smaller(item);
        if self.items().get(at) == Some(item) { at } else { at.saturating_sub(1) }
    }
}
