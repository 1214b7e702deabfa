//! A sorted sequence that knows every item's rank: small leaves, in groups, with a running count over the groups.
//!
//! A million items do not fit into a processor's cache, and every look outside it costs as much as a hundred
//! comparisons. So what is searched first is small and stays near, and a leaf is short enough to be read at once
//! instead of step by step.

/// A leaf with more items is cut in half.
const LEAF: usize = 32;
/// A group with more leaves is cut in half.
const GROUP: usize = 32;

/// Items in ascending order, each once.
#[derive(Debug, Clone)]
pub(super) struct Order<T> {
    groups: Vec<Group<T>>,
    /// Where each group begins: what a search for the right group compares with.
    firsts: Vec<T>,
    counts: Fenwick,
    len: usize,
}

/// Neighbouring leaves; never without one.
#[derive(Debug, Clone)]
struct Group<T> {
    leaves: Vec<Vec<T>>,
    /// Where each leaf begins.
    firsts: Vec<T>,
    /// How many items each leaf has.
    counts: Vec<u16>,
}

impl<T> Default for Order<T> {
    fn default() -> Self {
        Self { groups: Vec::new(), firsts: Vec::new(), counts: Fenwick::default(), len: 0 }
    }
}

impl<T: Ord + Copy> Order<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn insert(&mut self, item: T) {
        let at = self.group_of(&item);
        let Some(group) = self.groups.get_mut(at) else {
            self.groups.push(Group { leaves: vec![vec![item]], firsts: vec![item], counts: vec![1] });
            self.firsts.push(item);
            self.len = 1;
            return self.recount();
        };
        if !group.insert(item) {
            return;
        }
        self.len += 1;
        begin_at(&mut self.firsts, at, item);
        if group.leaves.len() <= GROUP {
            return self.counts.add(at, 1);
        }
        let upper = group.split();
        self.firsts.splice(at + 1..at + 1, upper.firsts.first().copied());
        self.groups.insert(at + 1, upper);
        self.recount();
    }

    pub(super) fn remove(&mut self, item: &T) {
        let at = self.group_of(item);
        let Some(group) = self.groups.get_mut(at) else { return };
        if !group.remove(item) {
            return;
        }
        self.len -= 1;
        if group.leaves.is_empty() {
            self.groups.remove(at);
            self.firsts.remove(at);
            self.recount();
        } else {
            self.counts.add(at, -1);
        }
    }

    /// How many items are smaller.
    pub(super) fn rank(&self, item: &T) -> usize {
        let at = self.group_of(item);
        self.groups.get(at).map_or(0, |group| self.counts.before(at) + group.rank(item))
    }

    /// The items after the first `skip`.
    pub(super) fn iter_from(&self, skip: usize) -> impl Iterator<Item = &T> {
        let (at, skipped) = self.counts.find(skip);
        let groups = self.groups.get(at..).unwrap_or_default();
        groups.iter().flat_map(|group| group.leaves.iter().flatten()).skip(skip - skipped)
    }

    /// Where an item belongs: the last group that does not begin after it, or the very first.
    fn group_of(&self, item: &T) -> usize {
        self.firsts.partition_point(|first| first <= item).saturating_sub(1)
    }

    fn recount(&mut self) {
        self.counts = Fenwick::of(self.groups.iter().map(Group::len));
    }
}

impl<T: Ord + Copy> Group<T> {
    fn insert(&mut self, item: T) -> bool {
        let at = self.leaf_of(&item);
        let Some(leaf) = self.leaves.get_mut(at) else { return false };
        let place = smaller(leaf, &item);
        if leaf.get(place) == Some(&item) {
            return false;
        }
        leaf.insert(place, item);
        begin_at(&mut self.firsts, at, item);
        let upper = if leaf.len() > LEAF { leaf.split_off(LEAF / 2) } else { Vec::new() };
        self.recount(at);
        if let Some(first) = upper.first() {
            self.firsts.insert(at + 1, *first);
            self.leaves.insert(at + 1, upper);
            self.counts.insert(at + 1, 0);
            self.recount(at + 1);
        }
        true
    }

    fn remove(&mut self, item: &T) -> bool {
        let at = self.leaf_of(item);
        let Some(leaf) = self.leaves.get_mut(at) else { return false };
        let place = smaller(leaf, item);
        if leaf.get(place) != Some(item) {
            return false;
        }
        leaf.remove(place);
        self.recount(at);
        self.join_small(at);
        true
    }

    fn rank(&self, item: &T) -> usize {
        let at = self.leaf_of(item);
        let before = self.counts.iter().take(at).map(|count| usize::from(*count));
        before.sum::<usize>() + self.leaves.get(at).map_or(0, |leaf| smaller(leaf, item))
    }

    fn len(&self) -> usize {
        self.counts.iter().map(|count| usize::from(*count)).sum()
    }

    fn split(&mut self) -> Self {
        let half = self.leaves.len() / 2;
        Self {
            leaves: self.leaves.split_off(half),
            firsts: self.firsts.split_off(half),
            counts: self.counts.split_off(half),
        }
    }

    fn leaf_of(&self, item: &T) -> usize {
        let at = smaller(&self.firsts, item);
        if self.firsts.get(at) == Some(item) { at } else { at.saturating_sub(1) }
    }

    fn recount(&mut self, at: usize) {
        if let (Some(leaf), Some(count)) = (self.leaves.get(at), self.counts.get_mut(at)) {
            *count = u16::try_from(leaf.len()).unwrap_or(u16::MAX);
        }
    }

    /// Puts a leaf that has become small together with its neighbour, or gives it back when it is empty.
    fn join_small(&mut self, at: usize) {
        let count = |at: usize| self.counts.get(at).map(|count| usize::from(*count));
        let fits = |first: &usize| {
            count(*first).zip(count(*first + 1)).is_some_and(|(one, two)| one + two <= LEAF / 2)
        };
        if count(at) == Some(0) {
            self.take_leaf(at);
        } else if let Some(first) = [at.checked_sub(1), Some(at)].into_iter().flatten().find(fits) {
            let next = self.take_leaf(first + 1);
            if let Some(leaf) = self.leaves.get_mut(first) {
                leaf.extend(next);
            }
            self.recount(first);
        }
    }

    fn take_leaf(&mut self, at: usize) -> Vec<T> {
        self.firsts.remove(at);
        self.counts.remove(at);
        self.leaves.remove(at)
    }
}

/// What is smaller than every beginning comes before the first one, which then begins there.
fn begin_at<T: Ord>(firsts: &mut [T], at: usize, item: T) {
    if let Some(first) = firsts.get_mut(at).filter(|first| item < **first) {
        *first = item;
    }
}

/// How many items of a short sorted list are smaller, in two steps: which block, and where in it. The items of a step
/// are read at once; halving would need fewer comparisons, but each would have to wait for the one before it.
fn smaller<T: Ord>(items: &[T], item: &T) -> usize {
    const BLOCK: usize = 8;
    let (blocks, _) = items.as_chunks::<BLOCK>();
    let before = BLOCK * blocks.iter().map(|[.., last]| usize::from(last < item)).sum::<usize>();
    let within = items.get(before..).unwrap_or_default().iter().take(BLOCK);
    before + within.map(|other| usize::from(other < item)).sum::<usize>()
}

/// Running totals, updated and asked for in logarithmic time.
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

    /// The total of everything before `index`.
    fn before(&self, mut index: usize) -> usize {
        let mut total = 0;
        while index > 0 {
            total += self.sums.get(index - 1).copied().unwrap_or(0);
            index &= index - 1;
        }
        total
    }

    /// Where the item after the first `count` stands, and how many items stand before there.
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
        assert!(order.groups.len() > 1);
        for item in 0..10_000 {
            order.remove(&item);
        }
        assert_eq!((order.len(), order.groups.len()), (0, 0));
        order.insert(7);
        assert_eq!(order.iter_from(0).collect::<Vec<_>>(), [&7]);
    }
}
