//! Radio-specific detail of a verdict, under its JSON field names.

use assize_kernel::{RulebookRef, SmolStr};
use serde::Serialize;

use super::reading::{CallItem, Finding, ParsedCall, ParsedExchange};
use super::rubric::{RubricComponent, RubricSum};

/// Radio-specific part of a verdict.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RadioDetail {
    /// Version of the rubric.
    pub rubric_version: String,
    /// The scenario, if the call was made in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub scenario: Option<RulebookRef>,
    /// Phase of the scenario.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    pub phase: Option<SmolStr>,
    /// The components of the rubric.
    pub components: Vec<RubricComponent>,
    /// Σ weight × score outside Safety.
    pub normalized: f64,
    /// Points added to the session.
    #[cfg_attr(feature = "openapi", schema(minimum = -15, maximum = 15))]
    pub score_delta: f64,
    /// Whether a safety component is critical or a hazard was found.
    pub safety_flag: bool,
    /// Why the call must be repeated.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub block_reason: Option<String>,
    /// Score of the dimension; null without components.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub phrase_accuracy: Option<f64>,
    /// Score of the dimension; null without components.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ordering: Option<f64>,
    /// Score of the dimension; null without components.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub omissions: Option<f64>,
    /// Score of the dimension; null without components.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub safety: Option<f64>,
    /// The scores under metric names.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub metrics: TurnMetrics,
    /// The corrected call.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub corrected: Option<String>,
    /// Result of the parser; none when the findings came from an external assessor.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub reading: Option<ReadingDetail>,
}

/// Metrics of a turn, for collection.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct TurnMetrics {
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

/// Result of parsing and comparing a call.
#[derive(Debug, Clone, Serialize)]
pub struct ReadingDetail {
    /// Whether an error was found.
    pub flagged: bool,
    /// Whether part of the call could not be parsed (`say again`).
    pub unclear: bool,
    /// The errors.
    pub errors: Vec<ErrorDetail>,
    /// The parsed items.
    pub entities: ParsedEntities,
}

/// One error.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct ErrorDetail {
    pub kind: &'static str,
    pub item: &'static str,
    pub expected: String,
    pub said: String,
    /// Byte range in the pilot's text; empty for an omission.
    pub span: (usize, usize),
}

/// The parsed items of both transmissions.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct ParsedEntities {
    pub controller: Vec<ParsedEntity>,
    pub pilot: Vec<ParsedEntity>,
}

/// One parsed item.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct ParsedEntity {
    pub item: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub value: String,
    pub span: (usize, usize),
}

impl RadioDetail {
    /// Builds the detail from a sum; moves the components out of it.
    pub(super) fn of(rubric_version: &str, sum: &mut RubricSum, block_reason: Option<String>) -> Self {
        let [phrase_accuracy, ordering, omissions, safety] = sum.dimensions;
        let metrics = TurnMetrics {
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
    /// Builds the detail from a parsed exchange.
    pub(super) fn of(exchange: &ParsedExchange) -> Self {
        Self {
            flagged: exchange.is_flagged(),
            unclear: exchange.is_unclear(),
            errors: exchange.findings.iter().map(ErrorDetail::of).collect(),
            entities: ParsedEntities {
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

pub(super) fn entities(call: &ParsedCall) -> Vec<ParsedEntity> {
    let own = call.callsign.as_ref().map(|own| ParsedEntity {
        item: "callsign",
        value: own.to_string(),
        span: own.span,
    });
    let entity = |item: &CallItem| ParsedEntity {
        item: item.parameter.name(),
        value: item.value.to_string(),
        span: item.span,
    };
    let mut all: Vec<ParsedEntity> = own.into_iter().chain(call.items.iter().map(entity)).collect();
    all.sort_by_key(|entity| entity.span);
    all
}
