//! Merges the answers of several assessors: labels by majority, numbers by median.

use super::answers::{Answers, Given};
use super::questionnaire::{Choice, Questionnaire, Scale};

/// The merged answers of several assessors.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// One answer to each item.
    pub answers: Answers,
    /// The disagreement, from 0 to 1: the mean over the items.
    pub disagreement: f64,
}

/// Merges answers. An item without any answer is left out.
#[must_use]
pub fn merge(asked: &Questionnaire, all: &[&Answers]) -> Merged {
    let mut answers = Answers::default();
    let (mut apart, mut items) = (0.0, 0.0);
    for item in &asked.items {
        let given: Vec<&Given> = all.iter().filter_map(|answers| answers.0.get(&item.id)).collect();
        let merged = match item.choice {
            Choice::Label(scale) => by_majority(scale, &given),
            Choice::Number { least, most } => by_median(&given, most - least),
        };
        if let Some((given, distance)) = merged {
            answers.0.insert(item.id.clone(), given);
            apart += distance;
            items += 1.0;
        }
    }
    Merged { answers, disagreement: if items > 0.0 { apart / items } else { 0.0 } }
}

/// The most frequent label, the worst one in a tie, with the quotation of the first assessor who chose it.
fn by_majority(scale: &Scale, given: &[&Given]) -> Option<(Given, f64)> {
    let places: Vec<usize> = given.iter().filter_map(|given| scale.place(given.label.as_deref()?)).collect();
    let votes = |place: usize| places.iter().filter(|other| **other == place).count();
    let chosen = (0..scale.labels.len()).max_by_key(|place| (votes(*place), *place))?;
    let label = *scale.labels.get(chosen)?;
    let quote = given
        .iter()
        .filter(|given| given.label.as_deref() == Some(label))
        .find_map(|given| given.quote.clone());
    let (first, last) = (*places.iter().min()?, *places.iter().max()?);
    let distance = match (first == last, scale.ordered) {
        (true, _) => 0.0,
        (false, true) => steps(last - first) / steps(scale.labels.len() - 1),
        (false, false) => 1.0,
    };
    Some((Given { label: Some(label.to_owned()), number: None, quote }, distance))
}

#[allow(clippy::cast_precision_loss, reason = "a handful of labels")]
fn steps(count: usize) -> f64 {
    count as f64
}

/// The median; with an even count, the mean of the two numbers in the middle.
fn by_median(given: &[&Given], range: f64) -> Option<(Given, f64)> {
    let mut numbers: Vec<f64> = given.iter().filter_map(|given| given.number).collect();
    numbers.sort_by(f64::total_cmp);
    let (least, most) = (*numbers.first()?, *numbers.last()?);
    let upper = *numbers.get(numbers.len() / 2)?;
    let lower = *numbers.get((numbers.len() - 1) / 2)?;
    let distance = if range > 0.0 { (most - least) / range } else { 0.0 };
    Some((Given { number: Some((lower + upper) / 2.0), ..Given::default() }, distance))
}

#[cfg(test)]
mod tests {
    use super::super::questionnaire::Item;
    use super::*;

    static SCALE: Scale =
        Scale { labels: &["Yes", "Partly", "No"], ordered: true, quoted: &[], lowered: &[] };

    fn asked() -> Questionnaire {
        let item = |id: &str, choice| Item {
            id: id.into(),
            kind: "any",
            about: String::new(),
            choice,
            source: None,
        };
        let number = Choice::Number { least: 0.0, most: 10.0 };
        Questionnaire {
            sources: Vec::new(),
            items: vec![item("a", Choice::Label(&SCALE)), item("n", number)],
        }
    }

    fn answers(label: &str, number: f64) -> Answers {
        let label = Given { label: Some(label.into()), ..Given::default() };
        let number = Given { number: Some(number), ..Given::default() };
        Answers([("a".to_owned(), label), ("n".to_owned(), number)].into())
    }

    #[track_caller]
    fn check(all: &[(&str, f64)], label: &str, number: f64, disagreement: f64) {
        let all: Vec<Answers> = all.iter().map(|(label, number)| answers(label, *number)).collect();
        let merged = merge(&asked(), &all.iter().collect::<Vec<_>>());
        assert_eq!(merged.answers.label("a"), Some(label));
        assert_eq!(merged.answers.number("n"), Some(number));
        assert!((merged.disagreement - disagreement).abs() < 1e-9, "{}", merged.disagreement);
    }

    #[test]
    fn most_decide_and_the_middle_number_counts() {
        check(&[("Yes", 2.0), ("Yes", 9.0), ("No", 3.0)], "Yes", 3.0, (1.0 + 0.7) / 2.0);
        check(&[("Yes", 4.0), ("Yes", 4.0)], "Yes", 4.0, 0.0);
    }

    #[test]
    fn of_equal_votes_the_worst_counts() {
        check(&[("Yes", 2.0), ("Partly", 4.0)], "Partly", 3.0, (0.5 + 0.2) / 2.0);
    }
}
