//! Statistics over all rows (means, distributions, models, worst rows) in constant memory.

use std::collections::BTreeMap;

use assize_courts::summary::Claim;

use crate::batch::JudgedRow;
use crate::dice::SeededRandom;
use crate::rows::SummaryRow;
use crate::scores::{self, COUNT, TOTAL};

/// The number of bootstrap samples for each model.
const ROUNDS: usize = 400;
/// The number of worst rows kept.
const WORST: usize = 20;
/// The maximal number of models; all others are counted as one.
const MODELS: usize = 1000;
/// The number of bins of a distribution.
pub(super) const BINS: usize = 20;

pub(super) struct EvalTally {
    pub rows: u64,
    pub bad: u64,
    pub bad_rows: Vec<(u64, String)>,
    sums: [f64; COUNT],
    pub bins: [[u64; BINS]; COUNT],
    models: BTreeMap<String, ResampledMeans>,
    pub worst: Vec<WorstRow>,
    keep_texts: bool,
}

/// One of the worst rows, as the report shows it.
pub(super) struct WorstRow {
    pub row: u64,
    pub id: Option<String>,
    pub total: f64,
    pub summary: String,
    pub claims: Vec<Claim>,
}

/// The sums of a model, and those of its bootstrap samples.
struct ResampledMeans {
    rows: u64,
    sum: f64,
    drawn: Vec<(f64, f64)>,
}

/// The mean score of a model, with its rank.
pub(super) struct ModelMean {
    pub rank: usize,
    pub name: String,
    pub rows: u64,
    pub mean: f64,
    /// The bootstrap 95 % confidence interval.
    pub interval: (f64, f64),
}

impl EvalTally {
    pub(super) fn new(keep_texts: bool) -> Self {
        Self {
            rows: 0,
            bad: 0,
            bad_rows: Vec::new(),
            sums: [0.0; COUNT],
            bins: [[0; BINS]; COUNT],
            models: BTreeMap::new(),
            worst: Vec::new(),
            keep_texts,
        }
    }

    pub(super) fn take(&mut self, judged: JudgedRow) {
        match judged.outcome {
            Ok((row, verdict)) => {
                let scores = scores::of(&verdict.detail);
                self.add(judged.number, row, &scores, |_| verdict.detail.findings.claims);
            }
            Err(problem) => self.add_bad(judged.number, problem),
        }
    }

    pub(super) fn add_bad(&mut self, number: u64, problem: String) {
        self.bad += 1;
        if self.bad_rows.len() < WORST {
            self.bad_rows.push((number, problem));
        }
    }

    /// Adds a row with its scores; `claims` is called only if it is among the worst.
    pub(super) fn add(
        &mut self,
        number: u64,
        mut row: SummaryRow,
        scores: &[f64; COUNT],
        claims: impl FnOnce(&SummaryRow) -> Vec<Claim>,
    ) {
        self.rows += 1;
        self.count(scores);
        let total = scores.get(TOTAL).copied().unwrap_or_default();
        if let Some(model) = row.model.take() {
            self.draw(model, number, total);
        }
        let full = self.worst.len() == WORST;
        if self.keep_texts && !(full && self.worst.last().is_some_and(|last| last.total <= total)) {
            let claims = claims(&row);
            self.worst.push(WorstRow { row: number, id: row.id, total, summary: row.summary, claims });
            self.worst.sort_by(|one, other| one.total.total_cmp(&other.total).then(one.row.cmp(&other.row)));
            self.worst.truncate(WORST);
        }
    }

    fn count(&mut self, scores: &[f64; COUNT]) {
        for (metric, ((score, sum), bins)) in
            scores.iter().zip(&mut self.sums).zip(&mut self.bins).enumerate()
        {
            *sum += score;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of the bins")]
            let bin = (score / scores::most(metric) * BINS as f64) as usize;
            if let Some(bin) = bins.get_mut(bin.min(BINS - 1)) {
                *bin += 1;
            }
        }
    }

    /// Adds the row to each bootstrap sample a random number of times, seeded by the row number, so that
    /// neither threads nor other models change the result.
    fn draw(&mut self, model: String, number: u64, total: f64) {
        let known = self.models.contains_key(&model) || self.models.len() < MODELS;
        let name = if known { model } else { "others".to_owned() };
        let new = || ResampledMeans { rows: 0, sum: 0.0, drawn: vec![(0.0, 0.0); ROUNDS] };
        let model = self.models.entry(name).or_insert_with(new);
        model.rows += 1;
        model.sum += total;
        let mut dice = SeededRandom::new(number);
        for (sum, rows) in &mut model.drawn {
            let times = f64::from(dice.times());
            *sum += times * total;
            *rows += times;
        }
    }

    pub(super) fn means(&self) -> [f64; COUNT] {
        self.sums.map(|sum| if self.rows == 0 { 0.0 } else { sum / self.rows as f64 })
    }

    /// The models, the best first; equal means share their rank.
    pub(super) fn models(&self) -> Vec<ModelMean> {
        let mut models: Vec<ModelMean> = self.models.iter().map(|(name, sums)| sums.standing(name)).collect();
        models.sort_by(|one, other| other.mean.total_cmp(&one.mean).then(one.name.cmp(&other.name)));
        let means: Vec<f64> = models.iter().map(|model| model.mean).collect();
        for model in &mut models {
            model.rank = 1 + means.iter().filter(|mean| **mean > model.mean).count();
        }
        models
    }

    /// A message for each mean below its threshold.
    pub(super) fn below(&self, thresholds: &[(usize, f64)]) -> Vec<String> {
        let means = self.means();
        let failed = thresholds.iter().filter_map(|(metric, least)| {
            let (mean, name) = (means.get(*metric)?, scores::NAMES.get(*metric)?);
            // Without rows there is no mean, so every threshold fails.
            (self.rows == 0 || mean < least).then(|| format!("{name} is {mean:.3} on average, below {least}"))
        });
        failed.collect()
    }
}

impl ResampledMeans {
    fn standing(&self, name: &str) -> ModelMean {
        let mut means: Vec<f64> =
            self.drawn.iter().filter(|(_, rows)| *rows > 0.0).map(|(sum, rows)| sum / rows).collect();
        means.sort_by(f64::total_cmp);
        let mean = self.sum / self.rows as f64;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place among a few hundred"
        )]
        let at = |share: f64| means.get((share * means.len() as f64) as usize).copied().unwrap_or(mean);
        ModelMean { rank: 0, name: name.to_owned(), rows: self.rows, mean, interval: (at(0.025), at(0.975)) }
    }
}
