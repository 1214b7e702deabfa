//! The rubric: components, delta bands per severity, and sums.

use std::borrow::Cow;

use assize_kernel::{Evidence, Input, Inputs, JsonWriter, Reason, Severity, Term, round};
use serde::{Deserialize, Serialize};

/// Limit on the absolute score delta of a turn.
const MOST: f64 = 15.0;

/// One observation about a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RadioComponent))]
#[serde(rename = "Component", deny_unknown_fields)]
pub struct RubricComponent {
    /// Unique code, such as `PA_CALLSIGN`.
    pub code: Cow<'static, str>,
    /// Dimension of the rubric.
    pub category: RubricCategory,
    /// Severity.
    pub severity: Severity,
    /// Weight; weights outside Safety sum to at most 1.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1))]
    pub weight: f64,
    /// Score from 0 to 1.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 1))]
    pub score: f64,
    /// Points added to the score of the turn; may be negative.
    pub delta: f64,
    /// Description.
    #[serde(default)]
    pub detail: String,
    /// A hazard, which is not tied to one dimension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub hazard: Option<SafetyHazard>,
    /// Quoted evidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// The correct phrase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub corrected: Option<String>,
    /// The rule behind the component.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub rule: Option<Cow<'static, str>>,
}

/// The four dimensions of the rubric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Dimension))]
#[serde(rename = "Category")]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum RubricCategory {
    PhraseAccuracy,
    Ordering,
    Omissions,
    Safety,
}

/// Hazards, which are not tied to one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RadioHazard))]
#[serde(rename = "Hazard", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum SafetyHazard {
    WrongRunway,
    WrongLevel,
    TakeOffForLineUp,
    WrongCallsign,
}

impl SafetyHazard {
    /// The name used in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WrongRunway => "wrong_runway",
            Self::WrongLevel => "wrong_level",
            Self::TakeOffForLineUp => "take_off_for_line_up",
            Self::WrongCallsign => "wrong_callsign",
        }
    }
}

/// Component codes of the grader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum ComponentCode {
    Callsign,
    Prefix,
    Runway,
    Qnh,
    Sequence,
    PositionFirst,
    IntentPlacement,
    Altitude,
    Position,
    Request,
    Readback,
    WrongRunway,
    MisreadAltitude,
    ConflictingClearance,
}

impl ComponentCode {
    /// All codes.
    pub const ALL: [Self; 14] = [
        Self::Callsign,
        Self::Prefix,
        Self::Runway,
        Self::Qnh,
        Self::Sequence,
        Self::PositionFirst,
        Self::IntentPlacement,
        Self::Altitude,
        Self::Position,
        Self::Request,
        Self::Readback,
        Self::WrongRunway,
        Self::MisreadAltitude,
        Self::ConflictingClearance,
    ];

    /// The code used in JSON and rulebooks.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Callsign => "PA_CALLSIGN",
            Self::Prefix => "PA_PREFIX",
            Self::Runway => "PA_RUNWAY",
            Self::Qnh => "PA_QNH",
            Self::Sequence => "OR_SEQUENCE",
            Self::PositionFirst => "OR_POSITION_FIRST",
            Self::IntentPlacement => "OR_INTENT_PLACEMENT",
            Self::Altitude => "OM_ALT",
            Self::Position => "OM_POSITION",
            Self::Request => "OM_REQUEST",
            Self::Readback => "OM_READBACK",
            Self::WrongRunway => "SF_WRONG_RUNWAY",
            Self::MisreadAltitude => "SF_MISREAD_ALT",
            Self::ConflictingClearance => "SF_CONFLICTING_CLEARANCE",
        }
    }

    /// Dimension of the code.
    #[must_use]
    pub fn category(self) -> RubricCategory {
        // Every code starts with the prefix of its dimension.
        RubricCategory::of(self.as_str()).unwrap_or(RubricCategory::Safety)
    }

    /// Whether the code belongs to Safety, and therefore has no weight.
    #[must_use]
    pub fn is_safety(self) -> bool {
        self.category() == RubricCategory::Safety
    }

    /// The rule behind the code, as shown in verdicts.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Callsign => {
                "the callsign that was called is the callsign that answers; nobody shortens it first"
            }
            Self::Prefix => "a callsign keeps its airline or type, and a first call names the station",
            Self::Runway => "a runway is read back with its side",
            Self::Qnh => "a pressure setting is read back",
            Self::Sequence => "a readback ends with the callsign; other calls keep their usual order",
            Self::PositionFirst => "position comes before altitude and request",
            Self::IntentPlacement => "what is intended follows the callsign",
            Self::Altitude => "levels and altitudes are read back",
            Self::Position => "the position belongs to this call",
            Self::Request => "the request belongs to this call",
            Self::Readback => "clearances, with their conditions and values, are read back",
            Self::WrongRunway => "no other runway is used than the one that was given",
            Self::MisreadAltitude => "no other level is flown than the one that was given",
            Self::ConflictingClearance => "nothing is done that was not cleared",
        }
    }
}

impl RubricCategory {
    /// The name used in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PhraseAccuracy => "PhraseAccuracy",
            Self::Ordering => "Ordering",
            Self::Omissions => "Omissions",
            Self::Safety => "Safety",
        }
    }

    /// Dimension given by the prefix of a code.
    #[must_use]
    pub fn of(code: &str) -> Option<Self> {
        match code.split_once('_')? {
            ("PA", _) => Some(Self::PhraseAccuracy),
            ("OR", _) => Some(Self::Ordering),
            ("OM", _) => Some(Self::Omissions),
            ("SF", _) => Some(Self::Safety),
            _ => None,
        }
    }
}

/// Minimum and maximum delta of a component with this severity.
#[must_use]
pub(super) const fn band(severity: Severity) -> (f64, f64) {
    match severity {
        Severity::Info => (0.0, 1.0),
        Severity::Minor => (-1.0, 2.0),
        Severity::Major => (-3.0, 1.0),
        Severity::Critical => (-10.0, -5.0),
    }
}

/// Source of the components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "By", rename_all = "lowercase")]
pub enum FindingSource {
    /// The grader of this court.
    Grader,
    /// A language model: deltas are clamped to their bands.
    Model,
    /// A person: deltas are used as given.
    Person,
}

/// Without [`FindingSource::Grader`], which no request may name.
#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for FindingSource {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        let text = utoipa::openapi::ObjectBuilder::new().schema_type(utoipa::openapi::Type::String);
        text.description(Some("Who observed.")).enum_values(Some(["model", "person"])).build().into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for FindingSource {
    fn name() -> std::borrow::Cow<'static, str> {
        "Observer".into()
    }
}

/// Sums over the components of a turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RubricSum {
    /// The components, with clamped deltas unless a person gave them.
    pub components: Vec<RubricComponent>,
    /// Σ weight × score outside Safety.
    pub normalized: f64,
    /// Points added to the session.
    pub score_delta: f64,
    /// Whether a safety component is critical or a hazard was found.
    pub safety_flag: bool,
    /// Scores of phrase accuracy, ordering, omissions and safety; none without components.
    pub dimensions: [Option<f64>; 4],
    /// Remarks on deltas outside their bands.
    pub remarks: Vec<Reason>,
    /// Derivation of the sums.
    pub derivation: Vec<Term>,
}

/// Validates components of an external assessor.
pub(super) fn check(components: &[RubricComponent]) -> Result<(), String> {
    for (index, component) in components.iter().enumerate() {
        let at = |problem: String| Err(format!("components[{index}]: {problem}"));
        let code = &component.code;
        if RubricCategory::of(code) != Some(component.category) {
            return at(format!(
                "`{code}` is no code of {:?}; they begin with PA_, OR_, OM_ or SF_",
                component.category
            ));
        }
        if components.iter().take(index).any(|other| other.code == *code) {
            return at(format!("`{code}` is there twice"));
        }
        if !(0.0..=1.0).contains(&component.weight) {
            return at(format!("weight must be from 0 to 1, is {}", component.weight));
        }
        if !(0.0..=1.0).contains(&component.score) {
            return at(format!("score must be from 0 to 1, is {}", component.score));
        }
        if !(-1000.0..=1000.0).contains(&component.delta) {
            return at(format!("delta must be a number, is {}", component.delta));
        }
    }
    let sum: f64 = weighed(components).map(|component| component.weight).sum();
    if sum > 1.0 + 1e-9 {
        return Err(format!("weights outside Safety must sum to at most 1, sum to {}", round(sum, 6)));
    }
    Ok(())
}

fn weighed(components: &[RubricComponent]) -> impl Iterator<Item = &RubricComponent> {
    components.iter().filter(|component| component.category != RubricCategory::Safety)
}

/// Sums up components.
#[must_use]
pub(super) fn add_up(mut components: Vec<RubricComponent>, by: FindingSource) -> RubricSum {
    let remarks = apply_bands(&mut components, by);
    let normalized = round(weighed(&components).map(|component| component.weight * component.score).sum(), 4);
    let safety_flag = components.iter().any(|component| {
        let critical = component.severity == Severity::Critical;
        (critical && component.category == RubricCategory::Safety) || component.hazard.is_some()
    });
    let total: f64 = components.iter().map(|component| component.delta).sum();
    let clamped = round(total, 0).clamp(-MOST, MOST);
    let score_delta = if safety_flag { clamped.min(0.0) } else { clamped } + 0.0;
    let derivation = derivation(&components, normalized, safety_flag, score_delta);
    let dimensions = [
        RubricCategory::PhraseAccuracy,
        RubricCategory::Ordering,
        RubricCategory::Omissions,
        RubricCategory::Safety,
    ]
    .map(|category| dimension(&components, category));
    RubricSum { components, normalized, score_delta, safety_flag, dimensions, remarks, derivation }
}

/// Weighted mean of a dimension; unweighted when all weights are zero.
fn dimension(components: &[RubricComponent], category: RubricCategory) -> Option<f64> {
    let own = || components.iter().filter(|component| component.category == category);
    let count = own().count();
    let weights: f64 = own().map(|component| component.weight).sum();
    if count == 0 {
        return None;
    }
    let sum: f64 = if weights > 0.0 {
        own().map(|component| component.weight * component.score).sum::<f64>() / weights
    } else {
        #[allow(clippy::cast_precision_loss, reason = "a small count")]
        let count = count as f64;
        own().map(|component| component.score).sum::<f64>() / count
    };
    Some(round(sum, 4))
}

/// Clamps deltas to the bands of their severities, or only remarks on them when a person gave them.
fn apply_bands(components: &mut [RubricComponent], by: FindingSource) -> Vec<Reason> {
    let mut remarks = Vec::new();
    for component in components {
        let (least, most) = band(component.severity);
        if (least..=most).contains(&component.delta) {
            continue;
        }
        let code = &component.code;
        let severity = component.severity.as_str();
        let delta = component.delta;
        let bounds = format!("{severity} goes from {least} to {most}");
        if by == FindingSource::Person {
            let message = format!("{code}: delta {delta} was taken as given, although {bounds}");
            remarks.push(Reason::new("radio.delta.outside_band", Severity::Info, message));
        } else {
            component.delta = delta.clamp(least, most);
            let message = format!("{code}: delta {delta} was put to {}: {bounds}", component.delta);
            remarks.push(Reason::new("radio.delta.clamped", Severity::Info, message));
        }
    }
    remarks
}

/// Formats a product for the derivation, as in `0.22 × 1`.
fn shown_product(weight: f64, score: f64) -> String {
    let usual = |number: f64| number.is_sign_positive() && (number == 0.0 || (1e-3..1e3).contains(&number));
    if !usual(weight) || !usual(score) {
        return format!("{weight} × {score}");
    }
    let mut text = JsonWriter::default();
    text.number(weight);
    text.put(" × ").number(score);
    text.into_string()
}

fn derivation(components: &[RubricComponent], normalized: f64, flag: bool, score_delta: f64) -> Vec<Term> {
    let product = |component: &RubricComponent| {
        (component.code.clone(), Input::Text(shown_product(component.weight, component.score).into()))
    };
    let products = weighed(components).map(product).collect();
    let deltas = components.iter().map(|component| (component.code.clone(), Input::Number(component.delta)));
    let mut deltas: Vec<_> = deltas.collect();
    deltas.push(("safetyFlag".into(), Input::Number(f64::from(u8::from(flag)))));
    vec![
        Term {
            term: "normalized".into(),
            formula: "Σ weight × score outside Safety, to 4 decimals".into(),
            inputs: Inputs(products),
            value: normalized,
        },
        Term {
            term: "scoreDelta".into(),
            formula: "Σ delta, rounded half up, from −15 to +15; not above 0 when safetyFlag is 1".into(),
            inputs: Inputs(deltas),
            value: score_delta,
        },
    ]
}

#[test]
fn a_product_is_shown_as_any_number_is() {
    for (weight, score) in [(0.22, 1.0), (0.0, 0.3333), (1.0, 1e-9), (0.1 + 0.2, 2.0 / 3.0), (-0.0, 0.001)] {
        assert_eq!(shown_product(weight, score), format!("{weight} × {score}"), "{weight} {score}");
    }
}
