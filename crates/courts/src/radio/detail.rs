//! The court's own structure in a verdict: the seed's field names.

use assize_kernel::{RulebookRef, SmolStr};
use serde::Serialize;

use super::reading::{Call, Exchange, Finding, Item};
use super::rubric::{Component, Sum};

/// What a verdict says of a turn.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RadioDetail {
    /// The rubric it was judged by.
    pub rubric_version: String,
    /// The scenario and its phase, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenario: Option<RulebookRef>,
    /// Where in the scenario it was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<SmolStr>,
    /// The observations.
    pub components: Vec<Component>,
    /// Σ weight × score outside Safety.
    pub normalized: f64,
    /// What it adds to the session.
    pub score_delta: f64,
    /// Whether safety was at stake.
    pub safety_flag: bool,
    /// Why it must be said again.
    pub block_reason: Option<String>,
    /// The dimension, null without components.
    pub phrase_accuracy: Option<f64>,
    /// The dimension, null without components.
    pub ordering: Option<f64>,
    /// The dimension, null without components.
    pub omissions: Option<f64>,
    /// The dimension, null without components.
    pub safety: Option<f64>,
    /// The same under the names of the metrics.
    pub metrics: Metrics,
    /// The call as it should have been.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected: Option<String>,
    /// What the reading found; none when somebody else assessed.
    #[serde(flatten)]
    pub reading: Option<ReadingDetail>,
}

/// The numbers of a turn, for whoever collects them.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct Metrics {
    #[serde(rename = "turn.normalized")]
    pub normalized: f64,
    #[serde(rename = "turn.phraseAccuracy")]
    pub phrase_accuracy: Option<f64>,
    #[serde(rename = "turn.ordering")]
    pub ordering: Option<f64>,
    #[serde(rename = "turn.omissions")]
    pub omissions: Option<f64>,
    #[serde(rename = "turn.safety")]
    pub safety: Option<f64>,
    #[serde(rename = "turn.safetyFlag")]
    pub safety_flag: u8,
}

/// What the reading found.
#[derive(Debug, Clone, Serialize)]
pub struct ReadingDetail {
    /// Whether an instructor should step in.
    pub flagged: bool,
    /// Whether something could not be read: say again.
    pub unclear: bool,
    /// What is wrong.
    pub errors: Vec<ErrorDetail>,
    /// What was understood.
    pub entities: Entities,
}

/// One thing that is wrong.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct ErrorDetail {
    pub kind: &'static str,
    pub item: &'static str,
    pub expected: String,
    pub said: String,
    /// The bytes of the pilot's words; empty where nothing was said.
    pub span: (usize, usize),
}

/// What was understood of both.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct Entities {
    pub controller: Vec<Entity>,
    pub pilot: Vec<Entity>,
}

/// One thing that was understood.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct Entity {
    pub item: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub value: String,
    pub span: (usize, usize),
}

impl RadioDetail {
    /// What a sum of components says, by itself; the components go with it.
    pub(super) fn of(rubric_version: &str, sum: &mut Sum, block_reason: Option<String>) -> Self {
        let [phrase_accuracy, ordering, omissions, safety] = sum.dimensions;
        let metrics = Metrics {
            normalized: sum.normalized,
            phrase_accuracy,
            ordering,
            omissions,
            safety,
            safety_flag: u8::from(sum.safety_flag),
        };
        Self {
            rubric_version: rubric_version.to_owned(),
            scenario: None,
            phase: None,
            components: std::mem::take(&mut sum.components),
            normalized: sum.normalized,
            score_delta: sum.score_delta,
            safety_flag: sum.safety_flag,
            block_reason,
            phrase_accuracy,
            ordering,
            omissions,
            safety,
            metrics,
            corrected: None,
            reading: None,
        }
    }
}

impl ReadingDetail {
    /// What an exchange showed.
    pub(super) fn of(exchange: &Exchange) -> Self {
        Self {
            flagged: exchange.is_flagged(),
            unclear: exchange.is_unclear(),
            errors: exchange.findings.iter().map(ErrorDetail::of).collect(),
            entities: Entities {
                controller: entities(&exchange.controller),
                pilot: entities(&exchange.pilot),
            },
        }
    }
}

impl ErrorDetail {
    pub(super) fn of(finding: &Finding) -> Self {
        let Finding { kind, about, expected, said, span } = finding;
        Self {
            kind: kind.name(),
            item: about.name(),
            expected: expected.clone(),
            said: said.clone(),
            span: *span,
        }
    }
}

pub(super) fn entities(call: &Call) -> Vec<Entity> {
    let own =
        call.callsign.as_ref().map(|own| Entity { item: "callsign", value: own.to_string(), span: own.span });
    let entity =
        |item: &Item| Entity { item: item.parameter.name(), value: item.value.to_string(), span: item.span };
    let mut all: Vec<Entity> = own.into_iter().chain(call.items.iter().map(entity)).collect();
    all.sort_by_key(|entity| entity.span);
    all
}
