//! What many verdicts come to: means, distributions, models and the worst rows, in memory that does not grow.

use std::collections::BTreeMap;

use assize_courts::summary::Claim;

use crate::batch::Judged;
use crate::dice::Dice;
use crate::rows::Row;
use crate::scores::{self, COUNT, TOTAL};

/// So many resampled means are kept for each model.
const ROUNDS: usize = 400;
/// So many of the worst rows are kept.
const WORST: usize = 20;
/// Beyond so many models, the others are counted as one.
const MODELS: usize = 1000;
/// Each distribution has so many bins.
pub(super) const BINS: usize = 20;

pub(super) struct Tally {
    pub rows: u64,
    pub bad: u64,
    pub bad_rows: Vec<(u64, String)>,
    sums: [f64; COUNT],
    pub bins: [[u64; BINS]; COUNT],
    models: BTreeMap<String, Resampled>,
    pub worst: Vec<Worst>,
    keep_texts: bool,
}

/// A row among the worst, with what its report shows.
pub(super) struct Worst {
    pub row: u64,
    pub id: Option<String>,
    pub total: f64,
    pub summary: String,
    pub claims: Vec<Claim>,
}

/// A model's sums, as they are and as they might have been.
struct Resampled {
    rows: u64,
    sum: f64,
    drawn: Vec<(f64, f64)>,
}

/// How a model stands.
pub(super) struct Model {
    pub rank: usize,
    pub name: String,
    pub rows: u64,
    pub mean: f64,
    /// The middle 95 % of its resampled means.
    pub interval: (f64, f64),
}

impl Tally {
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

    pub(super) fn take(&mut self, judged: Judged) {
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

    /// Takes a row with its scores; its claims are asked for when it is among the worst.
    pub(super) fn add(
        &mut self,
        number: u64,
        mut row: Row,
        scores: &[f64; COUNT],
        claims: impl FnOnce(&Row) -> Vec<Claim>,
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
            self.worst.push(Worst { row: number, id: row.id, total, summary: row.summary, claims });
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

    /// Draws the row as often as chance says, for each of the resampled means: by its number, so that neither the
    /// threads nor the other models have a say.
    fn draw(&mut self, model: String, number: u64, total: f64) {
        let known = self.models.contains_key(&model) || self.models.len() < MODELS;
        let name = if known { model } else { "others".to_owned() };
        let new = || Resampled { rows: 0, sum: 0.0, drawn: vec![(0.0, 0.0); ROUNDS] };
        let model = self.models.entry(name).or_insert_with(new);
        model.rows += 1;
        model.sum += total;
        let mut dice = Dice::new(number);
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
    pub(super) fn models(&self) -> Vec<Model> {
        let mut models: Vec<Model> = self.models.iter().map(|(name, sums)| sums.standing(name)).collect();
        models.sort_by(|one, other| other.mean.total_cmp(&one.mean).then(one.name.cmp(&other.name)));
        let means: Vec<f64> = models.iter().map(|model| model.mean).collect();
        for model in &mut models {
            model.rank = 1 + means.iter().filter(|mean| **mean > model.mean).count();
        }
        models
    }

    /// What is below its threshold, in words.
    pub(super) fn below(&self, thresholds: &[(usize, f64)]) -> Vec<String> {
        let means = self.means();
        let failed = thresholds.iter().filter_map(|(metric, least)| {
            let (mean, name) = (means.get(*metric)?, scores::NAMES.get(*metric)?);
            // Without a single row there is no mean that could be high enough.
            (self.rows == 0 || mean < least).then(|| format!("{name} is {mean:.3} on average, below {least}"))
        });
        failed.collect()
    }
}

impl Resampled {
    fn standing(&self, name: &str) -> Model {
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
        Model { rank: 0, name: name.to_owned(), rows: self.rows, mean, interval: (at(0.025), at(0.975)) }
    }
}
