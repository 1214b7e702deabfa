//! Statistics of agreement: correlations, balanced accuracy and bootstrap confidence intervals.

use crate::dice::SeededRandom;

/// A measure of agreement; none when it is undefined.
pub(super) type AgreementMeasure = fn(&[(f64, f64)]) -> Option<f64>;

/// Pearson's correlation.
pub(super) fn pearson(pairs: &[(f64, f64)]) -> Option<f64> {
    let n = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let x = mean(|pair| pair.0);
    let y = mean(|pair| pair.1);
    let mut xy = 0.0;
    let mut xx = 0.0;
    let mut yy = 0.0;
    for (left, right) in pairs {
        xy += (left - x) * (right - y);
        xx += (left - x) * (left - x);
        yy += (right - y) * (right - y);
    }
    (xx > 0.0 && yy > 0.0).then(|| xy / (xx * yy).sqrt())
}

/// Spearman's rank correlation; ties share their mean rank.
pub(super) fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    let left = ranks(pairs.iter().map(|pair| pair.0));
    let right = ranks(pairs.iter().map(|pair| pair.1));
    pearson(&left.into_iter().zip(right).collect::<Vec<_>>())
}

fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut order: Vec<(f64, usize)> = values.zip(0..).collect();
    order.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut ranks = vec![0.0; order.len()];
    for group in order.chunk_by(|one, other| one.0 == other.0) {
        let before = order.partition_point(|(value, _)| group.first().is_some_and(|first| *value < first.0));
        let rank = before as f64 + (group.len() as f64 + 1.0) / 2.0;
        for (_, place) in group {
            if let Some(free) = ranks.get_mut(*place) {
                *free = rank;
            }
        }
    }
    ranks
}

/// The best balanced accuracy of a threshold on the scores, and that threshold; none when no threshold is
/// better than chance. A row is good if people gave it at least half of the highest mark.
pub(super) fn balanced_accuracy(pairs: &[(f64, f64)]) -> Option<(f64, Option<f64>)> {
    let highest = pairs.iter().map(|pair| pair.1).fold(f64::MIN, f64::max);
    let mut order: Vec<(f64, bool)> =
        pairs.iter().map(|(score, human)| (*score, *human >= highest / 2.0)).collect();
    order.sort_by(|one, other| other.0.total_cmp(&one.0));
    let good = order.iter().filter(|(_, good)| *good).count() as f64;
    let bad = order.len() as f64 - good;
    if good == 0.0 || bad == 0.0 {
        return None;
    }
    let mut hits = 0.0;
    let mut misses = 0.0;
    let mut best = (0.5, None);
    for group in order.chunk_by(|one, other| one.0 == other.0) {
        hits += group.iter().filter(|(_, good)| *good).count() as f64;
        misses += group.iter().filter(|(_, good)| !*good).count() as f64;
        let accuracy = (hits / good + (bad - misses) / bad) / 2.0;
        if accuracy > best.0 {
            best = (accuracy, group.first().map(|first| first.0));
        }
    }
    Some(best)
}

/// Subtracts the mean of its group from each value, for correlation within groups.
pub(super) fn within(pairs: &[(f64, f64)], groups: &[usize], count: usize) -> Vec<(f64, f64)> {
    let mut sums = vec![(0.0, 0.0, 0.0); count];
    for (pair, group) in pairs.iter().zip(groups) {
        if let Some(sum) = sums.get_mut(*group) {
            *sum = (sum.0 + pair.0, sum.1 + pair.1, sum.2 + 1.0);
        }
    }
    let centred = pairs.iter().zip(groups).filter_map(|(pair, group)| {
        let (x, y, n) = sums.get(*group)?;
        Some((pair.0 - x / n, pair.1 - y / n))
    });
    centred.collect()
}

/// The bootstrap 95 % confidence interval of a measure; deterministic.
pub(super) fn interval(pairs: &[(f64, f64)], measure: AgreementMeasure, rounds: usize) -> Option<(f64, f64)> {
    let mut dice = SeededRandom::new(7);
    let mut values = Vec::with_capacity(rounds);
    let mut drawn = Vec::with_capacity(pairs.len());
    for _ in 0..rounds {
        drawn.clear();
        drawn.extend((0..pairs.len()).filter_map(|_| pairs.get(dice.below(pairs.len())).copied()));
        values.extend(measure(&drawn));
    }
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get((share * values.len() as f64) as usize).copied();
    Some((at(0.025)?, at(0.975)?))
}

#[cfg(test)]
mod tests {
    use super::{balanced_accuracy, interval, pearson, spearman, within};

    #[test]
    fn what_goes_together_correlates() {
        let straight = [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)];
        assert_eq!(pearson(&straight), Some(1.0));
        assert_eq!(spearman(&[(1.0, 1.0), (2.0, 100.0), (3.0, 50.0)]), Some(0.5));
        assert_eq!(
            pearson(&[(1.0, 2.0), (1.0, 3.0)]),
            None,
            "one that never changes correlates with nothing"
        );
    }

    #[test]
    fn equal_values_share_their_rank() {
        // Ranks 1.5, 1.5, 3 and 1, 2, 3: 1.5 ÷ √(1.5 × 2).
        let rho = spearman(&[(1.0, 1.0), (1.0, 2.0), (2.0, 3.0)]).unwrap();
        assert!((rho - 0.866_025_403_784_438_6).abs() < 1e-12);
    }

    #[test]
    fn accuracy_is_balanced() {
        // At 3: 2 of 2 good found, 3 of 4 bad kept out: (1 + 0.75) ÷ 2.
        let pairs = [(5.0, 1.0), (3.0, 1.0), (4.0, 0.0), (2.0, 0.0), (1.0, 0.0), (1.0, 0.0)];
        assert_eq!(balanced_accuracy(&pairs), Some((0.875, Some(3.0))));
        assert_eq!(balanced_accuracy(&[(1.0, 0.0), (1.0, 1.0)]), Some((0.5, None)));
        assert_eq!(balanced_accuracy(&pairs[..2]), None);
    }

    #[test]
    fn groups_are_taken_out() {
        // Between the groups it rises, within each it falls.
        let pairs = [(1.0, 2.0), (2.0, 1.0), (11.0, 12.0), (12.0, 11.0)];
        assert_eq!(pearson(&within(&pairs, &[0, 0, 1, 1], 2)), Some(-1.0));
    }

    #[test]
    fn an_interval_is_the_same_every_time() {
        let pairs: Vec<(f64, f64)> = (0..50).map(|n| (f64::from(n), f64::from(n * 7 % 11))).collect();
        let (low, high) = interval(&pairs, pearson, 200).unwrap();
        assert_eq!(interval(&pairs, pearson, 200), Some((low, high)));
        let whole = pearson(&pairs).unwrap();
        assert!(low < whole && whole < high, "{low} {whole} {high}");
    }
}
