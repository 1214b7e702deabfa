//! The rulebook of the summary court: parameters of both frameworks, validated when the rulebook is read.

use assize_kernel::{Fault, Rules};
use serde::Deserialize;

use super::metrics::{METRIC_COUNT, METRICS};

/// The parameters of the summary court.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SummaryRules {
    /// The measure of a segment's overlap with the article.
    pub overlap: OverlapMeasure,
    /// The overlap from which a segment is High.
    pub high: f64,
    /// The overlap from which a segment is Some.
    pub some: f64,
    /// The number of questions in each direction.
    pub questions: u32,
    /// The maximum number of claims that count.
    pub claims: u32,
    /// The cost of deviations.
    pub alignment: AlignmentRules,
    /// The cost of biased and toxic wording.
    pub bias_toxicity: BiasRules,
    /// The first framework.
    pub twin_lock: TwinLockRules,
    /// The second framework.
    pub judge_lock: JudgeLockRules,
}

/// The measure of a segment's overlap with the article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OverlapMeasure {
    /// Shared words ÷ words of the segment.
    Containment,
    /// Shared words ÷ all words of both.
    Jaccard,
}

/// The cost of a deviation by its degree.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlignmentRules {
    /// A mild deviation.
    pub mild: f64,
    /// A moderate deviation.
    pub moderate: f64,
    /// A severe deviation.
    pub severe: f64,
}

/// The cost of biased and toxic wording; both scores start at 10.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BiasRules {
    /// A subjective tone, off the bias score.
    pub subjective: f64,
    /// A hostile tone, off both.
    pub hostile: f64,
    /// Each biased wording, off the bias score.
    pub biased_wording: f64,
    /// Each stereotype, off the bias score.
    pub stereotype: f64,
    /// Each insult, off the toxicity score.
    pub insult: f64,
    /// Each coarse word, off the toxicity score.
    pub profanity: f64,
    /// Each slur, off both.
    pub slur: f64,
    /// The toxicity score is at most this with a slur.
    pub slur_tox_cap: f64,
    /// The overall score is at most this with a slur.
    pub slur_overall_cap: f64,
    /// The toxicity score is at most this with a coarse word.
    pub profanity_tox_cap: f64,
    /// The bias score is at most this with a stereotype.
    pub stereotype_bias_cap: f64,
}

/// The weights of the metrics in the total; a metric that is not listed has weight 0. Parse errors show the
/// name of this type to the caller.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// Coverage.
    pub coverage: f64,
    /// Alignment.
    pub alignment: f64,
    /// Hallucination.
    pub hallucination: f64,
    /// Relevance.
    pub relevance: f64,
    /// Bias and toxicity.
    pub bias_toxicity: f64,
}

/// Twin-Lock.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwinLockRules {
    /// The weights of the metrics.
    pub weights: Weights,
    /// The minimum number of key points, where the article has enough.
    pub key_points_min: u32,
    /// The maximum number of key points.
    pub key_points_max: u32,
    /// The maximum length of the theme in words.
    pub theme_tokens: u32,
    /// The maximum length of the intent in words.
    pub intent_tokens: u32,
    /// The factor of the unsupported fraction.
    pub unsupported_factor: f64,
    /// The value of a segment with some overlap.
    pub some_value: f64,
    /// Coverage and Relevance are at most this with an unsupported claim, Relevance with a foreign segment.
    pub cap: f64,
    /// Whether an unsupported claim caps Hallucination too.
    pub cap_hallucination: bool,
}

/// Judge-Lock.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeLockRules {
    /// The weights of the metrics.
    pub weights: Weights,
    /// The minimum number of key points, where the article has enough.
    pub key_points_min: u32,
    /// The maximum number of key points.
    pub key_points_max: u32,
    /// The minimum length of a key point in words.
    pub key_point_tokens: u32,
    /// The maximum length of the theme in words.
    pub theme_tokens: u32,
    /// The maximum length of the intent in words.
    pub intent_tokens: u32,
    /// The factor of the unsupported fraction when no claim is unsupported.
    pub unsupported_factor: f64,
    /// The base score of Hallucination when a claim is unsupported.
    pub unsupported_base: f64,
    /// The factor of the unsupported fraction in that case.
    pub unsupported_base_factor: f64,
    /// The unsupported fraction from which the hallucination is moderate.
    pub moderate: f64,
    /// The unsupported fraction from which the hallucination is severe.
    pub severe: f64,
    /// The value of a segment with some overlap.
    pub some_value: f64,
    /// Coverage and Relevance are at most this with an unsupported claim, Relevance with a foreign segment.
    pub cap: f64,
    /// Alignment is at most this when the hallucination is severe.
    pub severe_cap: f64,
    /// The least precision that does not cap Coverage.
    pub precision_min: f64,
    /// The least recall that does not cap Coverage.
    pub recall_min: f64,
    /// The cap for low precision or recall, too few correct answers, or repeated evidence.
    pub quality_cap: f64,
    /// The metrics that are capped when an answer is not correct.
    pub few_correct_caps: Vec<QuestionMetric>,
    /// Threshold of the guard rail: it applies when all scores are at least this.
    pub perfect_from: f64,
    /// The guard rail applies below this number of distinct evidence passages.
    pub perfect_evidence: u32,
    /// The cap of the guard rail on all scores.
    pub perfect_cap: f64,
}

/// A metric that depends on the questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionMetric {
    /// Coverage.
    Coverage,
    /// Hallucination.
    Hallucination,
    /// Relevance.
    Relevance,
}

impl Rules for SummaryRules {
    fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        self.shared_faults(&mut faults);
        self.twin_lock.faults(&mut faults);
        self.judge_lock.faults(&mut faults);
        faults
    }

    fn unlisted(&self) -> Vec<Fault> {
        let both =
            [("twin_lock.weights", self.twin_lock.weights), ("judge_lock.weights", self.judge_lock.weights)];
        let each = both.into_iter().flat_map(|(key, weights)| {
            let without = METRICS
                .map(|metric| metric.key)
                .into_iter()
                .zip(weights.list())
                .filter(|(_, weight)| *weight == 0.0);
            without.map(move |(name, _)| Fault::new(key, format!("`{name}` weighs nothing")))
        });
        each.collect()
    }
}

impl SummaryRules {
    fn shared_faults(&self, faults: &mut Vec<Fault>) {
        within(faults, "high", self.high, 0.0, 1.0);
        within(faults, "some", self.some, 0.0, self.high);
        within(faults, "questions", f64::from(self.questions), 1.0, 100.0);
        within(faults, "claims", f64::from(self.claims), 1.0, 1000.0);
        let AlignmentRules { mild, moderate, severe } = self.alignment;
        let bias = &self.bias_toxicity;
        for (key, value) in [
            ("alignment.mild", mild),
            ("alignment.moderate", moderate),
            ("alignment.severe", severe),
            ("bias_toxicity.subjective", bias.subjective),
            ("bias_toxicity.hostile", bias.hostile),
            ("bias_toxicity.biased_wording", bias.biased_wording),
            ("bias_toxicity.stereotype", bias.stereotype),
            ("bias_toxicity.insult", bias.insult),
            ("bias_toxicity.profanity", bias.profanity),
            ("bias_toxicity.slur", bias.slur),
            ("bias_toxicity.slur_tox_cap", bias.slur_tox_cap),
            ("bias_toxicity.slur_overall_cap", bias.slur_overall_cap),
            ("bias_toxicity.profanity_tox_cap", bias.profanity_tox_cap),
            ("bias_toxicity.stereotype_bias_cap", bias.stereotype_bias_cap),
        ] {
            within(faults, key, value, 0.0, 10.0);
        }
    }
}

impl TwinLockRules {
    fn faults(&self, faults: &mut Vec<Fault>) {
        self.weights.faults("twin_lock.weights", faults);
        let most = f64::from(self.key_points_max);
        within(faults, "twin_lock.key_points_max", most, 1.0, 100.0);
        within(faults, "twin_lock.key_points_min", f64::from(self.key_points_min), 1.0, most.max(1.0));
        within(faults, "twin_lock.theme_tokens", f64::from(self.theme_tokens), 1.0, 1000.0);
        within(faults, "twin_lock.intent_tokens", f64::from(self.intent_tokens), 1.0, 1000.0);
        within(faults, "twin_lock.unsupported_factor", self.unsupported_factor, 0.0, 100.0);
        within(faults, "twin_lock.some_value", self.some_value, 0.0, 1.0);
        within(faults, "twin_lock.cap", self.cap, 0.0, 10.0);
    }
}

impl JudgeLockRules {
    fn faults(&self, faults: &mut Vec<Fault>) {
        self.weights.faults("judge_lock.weights", faults);
        let most = f64::from(self.key_points_max);
        within(faults, "judge_lock.key_points_max", most, 1.0, 100.0);
        within(faults, "judge_lock.key_points_min", f64::from(self.key_points_min), 1.0, most.max(1.0));
        within(faults, "judge_lock.key_point_tokens", f64::from(self.key_point_tokens), 1.0, 100.0);
        within(faults, "judge_lock.theme_tokens", f64::from(self.theme_tokens), 1.0, 1000.0);
        within(faults, "judge_lock.intent_tokens", f64::from(self.intent_tokens), 1.0, 1000.0);
        within(faults, "judge_lock.unsupported_factor", self.unsupported_factor, 0.0, 100.0);
        within(faults, "judge_lock.unsupported_base", self.unsupported_base, 0.0, 10.0);
        within(faults, "judge_lock.unsupported_base_factor", self.unsupported_base_factor, 0.0, 100.0);
        within(faults, "judge_lock.severe", self.severe, 0.0, 1.0);
        within(faults, "judge_lock.moderate", self.moderate, 0.0, self.severe);
        within(faults, "judge_lock.some_value", self.some_value, 0.0, 1.0);
        within(faults, "judge_lock.precision_min", self.precision_min, 0.0, 1.0);
        within(faults, "judge_lock.recall_min", self.recall_min, 0.0, 1.0);
        for (key, value) in [
            ("judge_lock.cap", self.cap),
            ("judge_lock.severe_cap", self.severe_cap),
            ("judge_lock.quality_cap", self.quality_cap),
            ("judge_lock.perfect_from", self.perfect_from),
            ("judge_lock.perfect_cap", self.perfect_cap),
        ] {
            within(faults, key, value, 0.0, 10.0);
        }
    }
}

impl Weights {
    /// The weights in the order of [`METRICS`].
    pub(super) fn list(&self) -> [f64; METRIC_COUNT] {
        METRICS.map(|metric| (metric.weight)(self))
    }

    fn faults(&self, key: &'static str, faults: &mut Vec<Fault>) {
        let list = self.list();
        if list.iter().any(|weight| !(0.0..=1000.0).contains(weight)) {
            faults.push(Fault::new(key, "every weight must be from 0 to 1000"));
        } else if list.iter().all(|weight| *weight == 0.0) {
            faults.push(Fault::new(key, "one of the weights must be above 0"));
        }
    }
}

fn within(faults: &mut Vec<Fault>, key: &'static str, value: f64, least: f64, most: f64) {
    if !(least..=most).contains(&value) {
        faults.push(Fault::new(key, format!("must be from {least} to {most}, is {value}")));
    }
}
