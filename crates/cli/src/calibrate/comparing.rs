//! Comparison of two sets of answers: agreement by kind of item, and the worst documents.

use std::collections::BTreeMap;

use assize_kernel::{Answers, Choice, Confusion, Item, Questionnaire, Scale};
use serde::Serialize;

use super::statistics::pearson;

/// The number of worst documents shown.
const WORST: usize = 5;

/// The accumulated comparison.
#[derive(Default)]
pub(super) struct Comparison {
    labels: BTreeMap<&'static str, (Confusion, Option<&'static Scale>)>,
    numbers: BTreeMap<&'static str, Vec<(f64, f64)>>,
    worst: Vec<DocumentGap>,
}

/// A document on which the answers differ.
#[derive(Debug, Clone, Serialize)]
pub(super) struct DocumentGap {
    /// The line of the file.
    pub(super) line: usize,
    /// The mean distance, from 0 to 1.
    pub(super) apart: f64,
    /// The differing items: id, gold answer, given answer.
    pub(super) items: Vec<(String, String, String)>,
}

/// The agreement on one kind of item.
#[derive(Debug, Clone, Serialize)]
pub(super) struct KindAgreement {
    pub(super) kind: &'static str,
    pub(super) items: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agreement: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kappa: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pearson: Option<f64>,
    /// The confusion matrix of labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) confusion: Option<Confusion>,
}

impl Comparison {
    /// Compares the answers on one document with the gold answers; items without a gold answer are skipped.
    pub(super) fn add(&mut self, line: usize, asked: &Questionnaire, gold: &Answers, said: &Answers) {
        let mut apart = 0.0;
        let mut count = 0.0;
        let mut items = Vec::new();
        for item in &asked.items {
            let Some((distance, right, given)) = self.add_item(item, gold, said) else { continue };
            apart += distance;
            count += 1.0;
            if distance > 0.0 {
                items.push((item.id.clone(), right, given));
            }
        }
        if count > 0.0 && apart > 0.0 {
            self.worst.push(DocumentGap { line, apart: apart / count, items });
            self.worst
                .sort_by(|one, other| other.apart.total_cmp(&one.apart).then(one.line.cmp(&other.line)));
            self.worst.truncate(WORST);
        }
    }

    fn add_item(&mut self, item: &Item, gold: &Answers, said: &Answers) -> Option<(f64, String, String)> {
        match item.choice {
            Choice::Label(scale) => {
                let right = gold.label(&item.id)?;
                let given = said.label(&item.id)?;
                let (confusion, known) = self.labels.entry(item.kind).or_default();
                confusion.add(right, given);
                *known = Some(scale);
                let from = scale.place(right)?;
                let to = scale.place(given)?;
                let farthest = scale.labels.len().saturating_sub(1).max(1);
                let distance = match scale.ordered {
                    true => from.abs_diff(to) as f64 / farthest as f64,
                    false => f64::from(u8::from(from != to)),
                };
                Some((distance, right.to_owned(), given.to_owned()))
            }
            Choice::Number { least, most } => {
                let right = gold.number(&item.id)?;
                let given = said.number(&item.id)?;
                self.numbers.entry(item.kind).or_default().push((right, given));
                Some(((right - given).abs() / (most - least), right.to_string(), given.to_string()))
            }
        }
    }

    /// The agreement by kind.
    pub(super) fn kinds(&self) -> Vec<KindAgreement> {
        let labels = self.labels.iter().map(|(kind, (confusion, scale))| KindAgreement {
            kind,
            items: confusion.pairs(),
            agreement: confusion.agreement(),
            kappa: scale.and_then(|scale| confusion.kappa(scale)),
            pearson: None,
            confusion: Some(confusion.clone()),
        });
        let numbers = self.numbers.iter().map(|(kind, pairs)| KindAgreement {
            kind,
            items: u32::try_from(pairs.len()).unwrap_or(u32::MAX),
            agreement: None,
            kappa: None,
            pearson: pearson(pairs),
            confusion: None,
        });
        labels.chain(numbers).collect()
    }

    /// The documents with the greatest distance.
    pub(super) fn worst(&self) -> &[DocumentGap] {
        &self.worst
    }
}
