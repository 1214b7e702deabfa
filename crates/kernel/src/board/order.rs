//! An order-statistic list: sorted runs of items, in groups, with a Fenwick tree over the group sizes.
//!
//! A million items do not fit into the processor's cache, and a cache miss costs as much as a hundred
//! comparisons. The structure is therefore flat, keeps neighbours in the same memory, and finds a rank with a
//! handful of cache misses.

#![allow(clippy::indexing_slicing, reason = "indices are those the structure itself has handed out")]

use super::run::{Run, WIDTH};

/// Distinct items in ascending order.
#[derive(Debug, Clone)]
pub(super) struct Order<T> {
    leaves: Arena<Run<T>>,
    groups: Arena<Group<T>>,
    /// The groups in order; `firsts` holds the first item of each.
    order: Vec<usize>,
    firsts: Vec<T>,
    counts: Fenwick,
    len: usize,
}

/// Neighbouring leaves; at least one.
#[derive(Debug, Clone)]
struct Group<T> {
    /// The first item of each leaf.
    firsts: Run<T>,
    /// The number of items in each leaf.
    counts: Run<u32>,
    leaves: Run<u32>,
}

/// A vector with a free list: elements keep their index.
#[derive(Debug, Clone)]
struct Arena<T> {
    things: Vec<T>,
    free: Vec<usize>,
}

impl<T: Copy + Default> Default for Order<T> {
    fn default() -> Self {
        let (leaves, groups) = (Arena::default(), Arena::default());
        Self { leaves, groups, order: Vec::new(), firsts: Vec::new(), counts: Fenwick::default(), len: 0 }
    }
}

impl<T: Ord + Copy + Default> Order<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn insert(&mut self, item: T) {
        if self.order.is_empty() {
            self.begin(item);
        }
        let (at, group, leaf) = self.find(&item);
        let run = &mut self.leaves.things[self.groups.things[group].leaf(leaf)];
        let place = run.smaller(&item);
        if run.items().get(place) == Some(&item) {
            return;
        }
        if run.is_full() {
            self.make_room(at, leaf);
            return self.insert(item);
        }
        run.insert(place, item);
        self.groups.things[group].grown(leaf, item);
        self.firsts[at] = self.firsts[at].min(item);
        self.counts.add(at, 1);
        self.len += 1;
    }

    pub(super) fn remove(&mut self, item: &T) {
        if self.order.is_empty() {
            return;
        }
        let (at, group, leaf) = self.find(item);
        let run = &mut self.leaves.things[self.groups.things[group].leaf(leaf)];
        let place = run.smaller(item);
        if run.items().get(place) != Some(item) {
            return;
        }
        run.remove(place);
        self.groups.things[group].counts.items_mut()[leaf] -= 1;
        self.counts.add(at, -1);
        self.len -= 1;
        self.tidy(at, leaf);
    }

    /// The number of smaller items.
    pub(super) fn rank(&self, item: &T) -> usize {
        if self.order.is_empty() {
            return 0;
        }
        let (at, group, leaf) = self.find(item);
        let group = &self.groups.things[group];
        let in_group: u32 = group.counts.items()[..leaf].iter().sum();
        self.counts.before(at) + in_group as usize + self.leaves.things[group.leaf(leaf)].smaller(item)
    }

    /// The items after the first `skip`.
    pub(super) fn iter_from(&self, skip: usize) -> impl Iterator<Item = &T> {
        let (at, skipped) = self.counts.find(skip);
        let groups = self.order.get(at..).unwrap_or_default().iter().map(|group| &self.groups.things[*group]);
        let leaves = groups.flat_map(|group| group.leaves.items());
        leaves.flat_map(|leaf| self.leaves.things[*leaf as usize].items()).skip(skip - skipped)
    }

    /// Where an item belongs: the index of its group in the order, the group, and the leaf within it.
    fn find(&self, item: &T) -> (usize, usize, usize) {
        let at = self.firsts.partition_point(|first| first <= item).saturating_sub(1);
        let group = self.order[at];
        (at, group, self.groups.things[group].firsts.last_not_after(item))
    }

    fn begin(&mut self, item: T) {
        let leaf = self.leaves.put(Run::default());
        let mut group = Group::default();
        group.add(0, item, 0, leaf);
        self.order.push(self.groups.put(group));
        self.firsts.push(item);
        self.recount();
    }

    /// Splits a full leaf, and first its group if that is full too.
    fn make_room(&mut self, at: usize, leaf: usize) {
        let group = &mut self.groups.things[self.order[at]];
        if group.leaves.is_full() {
            let upper = group.split();
            self.firsts.insert(at + 1, upper.firsts.items()[0]);
            self.order.insert(at + 1, self.groups.put(upper));
            return self.recount();
        }
        let run = &mut self.leaves.things[group.leaf(leaf)];
        let upper = run.split();
        group.counts.items_mut()[leaf] = count(run.len());
        let (first, len) = (upper.items()[0], upper.len());
        group.add(leaf + 1, first, len, self.leaves.put(upper));
    }

    /// Merges a leaf that has become small with its neighbour, or frees it when it is empty.
    fn tidy(&mut self, at: usize, leaf: usize) {
        let group = &mut self.groups.things[self.order[at]];
        let counts = group.counts.items();
        let joined = |first: usize| counts.get(first).zip(counts.get(first + 1)).map(|(one, two)| one + two);
        let small = |first: &usize| joined(*first).is_some_and(|joined| joined as usize <= WIDTH / 2);
        if let Some(first) = [leaf.checked_sub(1), Some(leaf)].into_iter().flatten().find(small) {
            let (into, from) = (group.leaf(first), group.take(first + 1));
            let moved = self.leaves.things[from].clone();
            self.leaves.things[into].append(&moved);
            group.counts.items_mut()[first] = count(self.leaves.things[into].len());
            self.leaves.free.push(from);
        } else if group.counts.items() == [0] {
            self.leaves.free.push(group.take(0));
            self.groups.free.push(self.order.remove(at));
            self.firsts.remove(at);
            self.recount();
        }
    }

    fn recount(&mut self) {
        let total = |group: &usize| self.groups.things[*group].counts.items().iter().sum::<u32>() as usize;
        self.counts = Fenwick::of(self.order.iter().map(total));
    }
}

impl<T: Ord + Copy + Default> Group<T> {
    fn leaf(&self, at: usize) -> usize {
        self.leaves.items()[at] as usize
    }

    fn grown(&mut self, leaf: usize, item: T) {
        self.counts.items_mut()[leaf] += 1;
        let first = &mut self.firsts.items_mut()[leaf];
        *first = item.min(*first);
    }

    fn add(&mut self, at: usize, first: T, len: usize, leaf: usize) {
        self.firsts.insert(at, first);
        self.counts.insert(at, count(len));
        self.leaves.insert(at, count(leaf));
    }

    fn take(&mut self, at: usize) -> usize {
        self.firsts.remove(at);
        self.counts.remove(at);
        self.leaves.remove(at) as usize
    }

    fn split(&mut self) -> Self {
        Self { firsts: self.firsts.split(), counts: self.counts.split(), leaves: self.leaves.split() }
    }
}

impl<T: Copy + Default> Default for Group<T> {
    fn default() -> Self {
        Self { firsts: Run::default(), counts: Run::default(), leaves: Run::default() }
    }
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { things: Vec::new(), free: Vec::new() }
    }
}

impl<T> Arena<T> {
    fn put(&mut self, thing: T) -> usize {
        if let Some(free) = self.free.pop() {
            self.things[free] = thing;
            return free;
        }
        self.things.push(thing);
        self.things.len() - 1
    }
}

#[allow(clippy::cast_possible_truncation, reason = "four thousand million participants do not fit in memory")]
fn count(number: usize) -> u32 {
    number as u32
}

/// A Fenwick tree: prefix sums with updates and queries in logarithmic time.
#[derive(Debug, Clone, Default)]
struct Fenwick {
    sums: Vec<usize>,
}

impl Fenwick {
    fn of(counts: impl Iterator<Item = usize>) -> Self {
        let mut sums: Vec<usize> = counts.collect();
        for index in 0..sums.len() {
            let own = sums.get(index).copied().unwrap_or(0);
            if let Some(sum) = sums.get_mut(index | (index + 1)) {
                *sum += own;
            }
        }
        Self { sums }
    }

    fn add(&mut self, mut index: usize, change: isize) {
        while let Some(sum) = self.sums.get_mut(index) {
            *sum = sum.saturating_add_signed(change);
            index |= index + 1;
        }
    }

    /// The sum of all elements before `index`.
    fn before(&self, mut index: usize) -> usize {
        let mut total = 0;
        while index > 0 {
            total += self.sums.get(index - 1).copied().unwrap_or(0);
            index &= index - 1;
        }
        total
    }

    /// The element that contains the item after the first `count`, and the sum of all elements before it.
    fn find(&self, count: usize) -> (usize, usize) {
        let (mut index, mut total) = (0, 0);
        let mut step = self.sums.len().next_power_of_two();
        while step > 0 {
            match self.sums.get(index + step - 1) {
                Some(sum) if total + sum <= count => {
                    index += step;
                    total += sum;
                }
                _ => {}
            }
            step /= 2;
        }
        (index, total)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_history_keeps_the_order_a_plain_set_keeps(
            history in prop::collection::vec((prop::bool::weighted(0.6), 0..9_000_u32), 0..12_000)
        ) {
            let mut order = Order::default();
            let mut plain = std::collections::BTreeSet::new();
            for (add, item) in history {
                if add {
                    order.insert(item);
                    plain.insert(item);
                } else {
                    order.remove(&item);
                    plain.remove(&item);
                }
            }
            prop_assert_eq!(order.len(), plain.len());
            for skip in [0, 1, plain.len() / 2, plain.len(), plain.len() + 1] {
                prop_assert!(order.iter_from(skip).eq(plain.iter().skip(skip)));
            }
            for item in (0..9_000).step_by(97) {
                prop_assert_eq!(order.rank(&item), plain.range(..item).count());
            }
        }
    }

    #[test]
    fn what_is_emptied_takes_no_room_and_can_be_filled_again() {
        let mut order = Order::default();
        for item in 0..10_000_u32 {
            order.insert(item);
        }
        assert!(order.order.len() > 1);
        for item in 0..10_000 {
            order.remove(&item);
        }
        assert_eq!((order.len(), order.order.len()), (0, 0));
        assert_eq!(order.leaves.free.len(), order.leaves.things.len());
        order.insert(7);
        assert_eq!(order.iter_from(0).collect::<Vec<_>>(), [&7]);
    }
}
