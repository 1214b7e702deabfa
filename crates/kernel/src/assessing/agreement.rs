//! Inter-rater agreement: confusion counts, percent agreement and Cohen's κ.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::answers::Answers;
use super::questionnaire::Scale;

/// A confusion matrix: how often two assessors gave each pair of labels to the same item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Confusion {
    /// Counts by the first assessor's label, then by the second's.
    pub counts: BTreeMap<String, BTreeMap<String, u32>>,
}

impl Confusion {
    /// Counts one pair of labels.
    pub fn add(&mut self, first: &str, second: &str) {
        *self.counts.entry(first.to_owned()).or_default().entry(second.to_owned()).or_default() += 1;
    }

    /// Adds the counts of another matrix.
    pub fn merge(&mut self, other: &Self) {
        for (first, seconds) in &other.counts {
            for (second, count) in seconds {
                *self.counts.entry(first.clone()).or_default().entry(second.clone()).or_default() += count;
            }
        }
    }

    /// Counts the labels that two assessors gave to the same items, in one matrix for each kind of item.
    pub fn compare(first: &Answers, second: &Answers, into: &mut BTreeMap<String, Self>) {
        for (item, given) in &first.0 {
            if let (Some(one), Some(other)) = (given.label.as_deref(), second.label(item)) {
                into.entry(kind_of(item).to_owned()).or_default().add(one, other);
            }
        }
    }

    /// The number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u32 {
        self.counts.values().flat_map(BTreeMap::values).sum()
    }

    /// The share of pairs with equal labels; none without pairs.
    #[must_use]
    pub fn agreement(&self) -> Option<f64> {
        let equal: u32 = self.counts.iter().filter_map(|(label, seconds)| seconds.get(label)).sum();
        let pairs = self.pairs();
        (pairs > 0).then(|| f64::from(equal) / f64::from(pairs))
    }

    /// Cohen's κ, the agreement beyond chance. On an ordered scale, disagreements are weighted by the square
    /// of their distance. None when chance alone would agree on everything.
    #[must_use]
    pub fn kappa(&self, scale: &Scale) -> Option<f64> {
        let labels = scale.labels;
        let count = |row: usize, column: usize| {
            let found = self.counts.get(*labels.get(row)?)?.get(*labels.get(column)?)?;
            Some(f64::from(*found))
        };
        let count = |row, column| count(row, column).unwrap_or(0.0);
        let all = || (0..labels.len()).flat_map(|row| (0..labels.len()).map(move |column| (row, column)));
        let total: f64 = all().map(|(row, column)| count(row, column)).sum();
        let of_row = |row: usize| (0..labels.len()).map(|column| count(row, column)).sum::<f64>();
        let of_column = |column: usize| (0..labels.len()).map(|row| count(row, column)).sum::<f64>();
        let (mut seen, mut expected) = (0.0, 0.0);
        for (row, column) in all() {
            let weight = distance(scale, row, column);
            seen += weight * count(row, column);
            expected += weight * of_row(row) * of_column(column) / total.max(1.0);
        }
        (expected > 0.0).then(|| 1.0 - seen / expected)
    }
}

fn distance(scale: &Scale, row: usize, column: usize) -> f64 {
    if !scale.ordered {
        return if row == column { 0.0 } else { 1.0 };
    }
    #[allow(clippy::cast_precision_loss, reason = "a handful of labels")]
    let steps = row.abs_diff(column) as f64;
    steps * steps
}

/// The kind of an item: its id without the number at the end.
fn kind_of(id: &str) -> &str {
    match id.rsplit_once('_') {
        Some((kind, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => kind,
        _ => id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static PLAIN: Scale = Scale { labels: &["yes", "no"], ordered: false, quoted: &[], lowered: &[] };
    static ORDERED: Scale = Scale { labels: &["a", "b", "c"], ordered: true, quoted: &[], lowered: &[] };

    fn counted(pairs: &[(&str, &str, u32)]) -> Confusion {
        let mut confusion = Confusion::default();
        for (first, second, times) in pairs {
            (0..*times).for_each(|_| confusion.add(first, second));
        }
        confusion
    }

    #[test]
    fn kappa_is_agreement_beyond_chance() {
        // The textbook example: 20 and 15 of 50 agree, so 0.7 observed and 0.5 expected by chance.
        let confusion = counted(&[("yes", "yes", 20), ("yes", "no", 5), ("no", "yes", 10), ("no", "no", 15)]);
        assert_eq!(confusion.agreement(), Some(0.7));
        assert!((confusion.kappa(&PLAIN).unwrap() - 0.4).abs() < 1e-12);
    }

    #[test]
    fn what_is_far_apart_weighs_more_where_labels_are_ordered() {
        // Row sums 2, 1, 1; column sums 1, 1, 2. Observed: one pair at distance 2, so 4. Expected: (2·1·1 +
        // 2·2·4 + 1·1·1 + 1·2·1 + 1·1·4 + 1·1·1) ÷ 4 = 26 ÷ 4 = 6.5. κ = 1 − 4 ÷ 6.5.
        let confusion = counted(&[("a", "a", 1), ("a", "c", 1), ("b", "b", 1), ("c", "c", 1)]);
        assert!((confusion.kappa(&ORDERED).unwrap() - (1.0 - 4.0 / 6.5)).abs() < 1e-12);
    }

    #[test]
    fn one_label_for_all_says_nothing_beyond_chance() {
        assert_eq!(counted(&[("yes", "yes", 3)]).kappa(&PLAIN), None);
        assert_eq!(Confusion::default().agreement(), None);
    }

    #[test]
    fn an_item_is_counted_under_its_kind() {
        assert_eq!(kind_of("claim_12"), "claim");
        assert_eq!(kind_of("PA_CALLSIGN"), "PA_CALLSIGN");
    }
}
