//! Two sets of answers to the same questions, compared: how often they agree, and where they do not.

use std::collections::BTreeMap;

use assize_kernel::{Answers, Choice, Confusion, Item, Questionnaire, Scale};
use serde::Serialize;

use super::statistics::pearson;

/// The worst documents that are shown.
const WORST: usize = 5;

/// What comparing has come to.
#[derive(Default)]
pub(super) struct Compared {
    labels: BTreeMap<&'static str, (Confusion, Option<&'static Scale>)>,
    numbers: BTreeMap<&'static str, Vec<(f64, f64)>>,
    worst: Vec<Apart>,
}

/// A document on which two are apart.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Apart {
    /// The line of the file.
    pub(super) line: usize,
    /// How far, from 0 to 1.
    pub(super) apart: f64,
    /// On which items: what is right, and what was said.
    pub(super) items: Vec<(String, String, String)>,
}

/// One kind of item.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Kind {
    pub(super) kind: &'static str,
    pub(super) items: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agreement: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kappa: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pearson: Option<f64>,
    /// What is right, and what was said instead, counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) confusion: Option<Confusion>,
}

impl Compared {
    /// Compares what somebody said of one document with what is so. Items that gold says nothing of are left out.
    pub(super) fn add(&mut self, line: usize, asked: &Questionnaire, gold: &Answers, said: &Answers) {
        let (mut apart, mut count, mut items) = (0.0, 0.0, Vec::new());
        for item in &asked.items {
            let Some((distance, right, given)) = self.add_item(item, gold, said) else { continue };
            apart += distance;
            count += 1.0;
            if distance > 0.0 {
                items.push((item.id.clone(), right, given));
            }
        }
        if count > 0.0 && apart > 0.0 {
            self.worst.push(Apart { line, apart: apart / count, items });
            self.worst
                .sort_by(|one, other| other.apart.total_cmp(&one.apart).then(one.line.cmp(&other.line)));
            self.worst.truncate(WORST);
        }
    }

    fn add_item(&mut self, item: &Item, gold: &Answers, said: &Answers) -> Option<(f64, String, String)> {
        match item.choice {
            Choice::Label(scale) => {
                let (right, given) = (gold.label(&item.id)?, said.label(&item.id)?);
                let (confusion, known) = self.labels.entry(item.kind).or_default();
                confusion.add(right, given);
                *known = Some(scale);
                let (from, to) = (scale.place(right)?, scale.place(given)?);
                let farthest = scale.labels.len().saturating_sub(1).max(1);
                let distance = match scale.ordered {
                    true => from.abs_diff(to) as f64 / farthest as f64,
                    false => f64::from(u8::from(from != to)),
                };
                Some((distance, right.to_owned(), given.to_owned()))
            }
            Choice::Number { least, most } => {
                let (right, given) = (gold.number(&item.id)?, said.number(&item.id)?);
                self.numbers.entry(item.kind).or_default().push((right, given));
                Some(((right - given).abs() / (most - least), right.to_string(), given.to_string()))
            }
        }
    }

    /// Kind by kind.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        let labels = self.labels.iter().map(|(kind, (confusion, scale))| Kind {
            kind,
            items: confusion.pairs(),
            agreement: confusion.agreement(),
            kappa: scale.and_then(|scale| confusion.kappa(scale)),
            pearson: None,
            confusion: Some(confusion.clone()),
        });
        let numbers = self.numbers.iter().map(|(kind, pairs)| Kind {
            kind,
            items: u32::try_from(pairs.len()).unwrap_or(u32::MAX),
            agreement: None,
            kappa: None,
            pearson: pearson(pairs),
            confusion: None,
        });
        labels.chain(numbers).collect()
    }

    /// Where they are farthest apart.
    pub(super) fn worst(&self) -> &[Apart] {
        &self.worst
    }
}
