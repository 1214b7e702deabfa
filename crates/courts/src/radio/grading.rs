//! The grader: converts the findings in a readback to components of the rubric.

use assize_kernel::{Evidence, Reason, Severity};

use super::correcting::DueItem;
use super::reading::{
    CallItem, CallsignAnswer, ErrorKind, Finding, FindingSubject, ItemRole, Parameter, ParsedExchange,
    RadioAction, ReadbackClass,
};
use super::rubric::{ComponentCode, RubricComponent, SafetyHazard};
use super::rules::{RadioRules, SessionDifficulty};
use super::sheet::{GradingSheet, SheetTopic};

/// Result of grading a turn.
#[derive(Debug, Clone)]
pub(super) struct GradedTurn {
    pub(super) components: Vec<RubricComponent>,
    pub(super) reasons: Vec<Reason>,
    /// Why the turn must be repeated; none when no component is critical.
    pub(super) block_reason: Option<String>,
}

/// Rules that a turn is graded by.
#[derive(Clone, Copy)]
pub(super) struct GradingContext<'a> {
    pub(super) rules: &'a RadioRules,
    pub(super) difficulty: SessionDifficulty,
    /// Items that are dangerous in this phase, in addition to those of the rulebook.
    pub(super) dangerous: &'a [String],
}

impl GradingContext<'_> {
    fn is_dangerous(&self, item: &str) -> bool {
        self.rules.is_dangerous(item) || self.dangerous.iter().any(|dangerous| dangerous == item)
    }

    /// Severity of a finding. A wrong value of a dangerous item is always critical.
    pub(super) fn severity(&self, finding: &Finding) -> Severity {
        let wrong = matches!(
            finding.kind,
            ErrorKind::WrongValue
                | ErrorKind::TransposedDigits
                | ErrorKind::LeftRight
                | ErrorKind::WrongParameter
                | ErrorKind::WrongAction
                | ErrorKind::ExtraClearance
                | ErrorKind::DroppedCondition
        );
        if wrong && self.is_dangerous(finding.about.name()) {
            return Severity::Critical;
        }
        self.rules.severity_of(finding.kind)
    }
}

/// Grades a readback of a controller's transmission.
pub(super) fn grade(
    how: GradingContext<'_>,
    exchange: &ParsedExchange,
    due: &[DueItem],
    controller: &str,
    pilot: &str,
) -> GradedTurn {
    let mut sheet = GradingSheet::new(how, pilot);
    callsign(&mut sheet, exchange, controller);
    let roger = exchange.findings.iter().any(|finding| finding.kind == ErrorKind::RogerOnly);
    for DueItem { parameter, phrase } in due {
        let topic = sheet.topic(if roger { ComponentCode::Readback } else { topic_of(*parameter) });
        topic.items += 1;
        topic.correct(phrase);
    }
    let is_due = |item: &CallItem| due.iter().any(|due| due.parameter == item.parameter);
    for item in exchange.pilot.items.iter().filter(|item| !roger && is_due(item)) {
        sheet.show(topic_of(item.parameter), item.span);
    }
    for finding in &exchange.findings {
        answer(&mut sheet, finding);
    }
    sequence(&mut sheet, exchange);
    sheet.graded()
}

/// Whether an item must be read back.
pub(super) fn is_due(rules: &RadioRules, item: &CallItem) -> bool {
    let deed = matches!(item.parameter, Parameter::Action(_) | Parameter::Condition(_));
    item.role == ItemRole::Instruct
        && !(deed && item.weak)
        && rules.classes().of(item.parameter) == ReadbackClass::Required
}

/// The component that an item belongs to.
pub(super) const fn topic_of(parameter: Parameter) -> ComponentCode {
    match parameter {
        Parameter::Runway => ComponentCode::Runway,
        Parameter::Qnh => ComponentCode::Qnh,
        Parameter::Level => ComponentCode::Altitude,
        _ => ComponentCode::Readback,
    }
}

fn callsign(sheet: &mut GradingSheet<'_>, exchange: &ParsedExchange, controller: &str) {
    let Some(answered) = exchange.answered else { return };
    let topic = sheet.topic(ComponentCode::Callsign);
    topic.items = 1;
    let called =
        exchange.controller.callsign.as_ref().and_then(|called| controller.get(called.span.0..called.span.1));
    topic.correct(called.unwrap_or_default());
    if let Some(own) = &exchange.pilot.callsign {
        sheet.show(ComponentCode::Callsign, own.span);
    }
    let named = exchange.controller.callsign.as_ref().is_some_and(|called| !called.name.is_empty());
    if named && matches!(answered, CallsignAnswer::Right | CallsignAnswer::Shortened) {
        let topic = sheet.topic(ComponentCode::Prefix);
        topic.items = 1;
        if answered == CallsignAnswer::Shortened {
            topic.lose(1.0, Severity::Minor, "said without its airline or type".to_owned());
        }
    }
}

fn sequence(sheet: &mut GradingSheet<'_>, exchange: &ParsedExchange) {
    if !matches!(exchange.answered, Some(CallsignAnswer::Right | CallsignAnswer::Shortened)) {
        return;
    }
    let must = sheet.how.rules.phraseology.readback_ends_with_callsign;
    let topic = sheet.topic(ComponentCode::Sequence);
    topic.items = 1;
    if must && !exchange.ends_with_callsign {
        topic.lose(0.5, Severity::Minor, "the callsign belongs at the end of a readback".to_owned());
    }
}

/// The component that a finding counts under.
const fn component_of(finding: &Finding) -> ComponentCode {
    match finding.about {
        FindingSubject::Callsign => ComponentCode::Callsign,
        FindingSubject::Readback | FindingSubject::Part(_) => ComponentCode::Readback,
        FindingSubject::Item(parameter) => topic_of(parameter),
    }
}

/// Whether the rulebook lists everything that a finding is about.
pub(super) fn is_judged(rules: &RadioRules, finding: &Finding) -> bool {
    rules.judges(finding.kind, finding.about, component_of(finding))
}

/// Records a finding under its component, and a critical one also under Safety.
fn answer(sheet: &mut GradingSheet<'_>, finding: &Finding) {
    let severity = sheet.how.severity(finding);
    let message = message(finding);
    sheet.reason(finding, severity, &message);
    let code = component_of(finding);
    let lost = if finding.kind.is_error() { 1.0 } else { 0.5 };
    sheet.show(code, finding.span);
    let evidence = sheet.evidence(finding.span);
    let topic = sheet.topic(code);
    topic.items = topic.items.max(1);
    topic.lose(lost, severity, message.clone());
    topic.hazard = topic.hazard.or_else(|| hazard(finding));
    if severity == Severity::Critical
        && let Some(danger) = danger(finding)
    {
        endanger(sheet.topic(danger), message, evidence);
    }
}

fn endanger(topic: &mut SheetTopic, message: String, evidence: Option<Evidence>) {
    topic.items = 1;
    topic.lose(1.0, Severity::Critical, message);
    topic.evidence.extend(evidence);
}

/// The safety component of a critical finding.
const fn danger(finding: &Finding) -> Option<ComponentCode> {
    match (finding.kind, finding.about) {
        (ErrorKind::WrongCallsign, _)
        | (_, FindingSubject::Callsign | FindingSubject::Readback | FindingSubject::Part(_)) => None,
        (ErrorKind::WrongAction | ErrorKind::ExtraClearance | ErrorKind::DroppedCondition, _) => {
            Some(ComponentCode::ConflictingClearance)
        }
        (_, FindingSubject::Item(Parameter::Runway | Parameter::HoldingPoint)) => {
            Some(ComponentCode::WrongRunway)
        }
        (_, FindingSubject::Item(Parameter::Level)) => Some(ComponentCode::MisreadAltitude),
        _ => Some(ComponentCode::ConflictingClearance),
    }
}

/// The hazard of a finding, if it has one.
fn hazard(finding: &Finding) -> Option<SafetyHazard> {
    let wrong = matches!(
        finding.kind,
        ErrorKind::WrongValue
            | ErrorKind::TransposedDigits
            | ErrorKind::LeftRight
            | ErrorKind::WrongParameter
    );
    match (finding.kind, finding.about) {
        (ErrorKind::WrongCallsign, _) => Some(SafetyHazard::WrongCallsign),
        (ErrorKind::WrongAction, FindingSubject::Item(Parameter::Action(RadioAction::LineUp))) => {
            Some(SafetyHazard::TakeOffForLineUp)
        }
        (_, FindingSubject::Item(Parameter::Runway)) if wrong => Some(SafetyHazard::WrongRunway),
        (_, FindingSubject::Item(Parameter::Level)) if wrong => Some(SafetyHazard::WrongLevel),
        _ => None,
    }
}

/// Message for a finding.
pub(super) fn message(finding: &Finding) -> String {
    let Finding { kind, about, expected, said, .. } = finding;
    let item = about.name().replace('_', " ");
    let item = match about {
        FindingSubject::Item(Parameter::Condition(_)) => format!("the condition `{item}`"),
        _ => item,
    };
    let expected = if expected.is_empty() { String::new() } else { format!(" `{expected}`") };
    match kind {
        ErrorKind::WrongValue => format!("{item}{expected} was read back as `{said}`"),
        ErrorKind::TransposedDigits => {
            format!("{item}{expected} was read back as `{said}`: digits changed places")
        }
        ErrorKind::LeftRight => format!("{item}{expected} was read back as `{said}`: left and right"),
        ErrorKind::DroppedSuffix => {
            format!("{item}{expected} was read back as `{said}`: its side is missing")
        }
        ErrorKind::WrongParameter => format!("{item}{expected} was said of something else: `{said}`"),
        ErrorKind::Omission => format!("{item}{expected} was not read back"),
        ErrorKind::RogerOnly => "only acknowledged where a readback is due".to_owned(),
        ErrorKind::WrongCallsign => format!("callsign{expected} was called, `{said}` answered"),
        ErrorKind::MissingCallsign => format!("the answer has no callsign; it is{expected}"),
        ErrorKind::WrongAction => format!("cleared was{expected}, read back was `{said}`"),
        ErrorKind::DroppedCondition => format!("{item} was not read back"),
        ErrorKind::ExtraClearance => format!("`{said}` was not cleared"),
        ErrorKind::Unclear => format!("{item}{expected} could not be read: say again"),
        ErrorKind::ShortenedCallsign => format!("callsign{expected} was cut short to `{said}`"),
        ErrorKind::WordsLeftOut => format!("{item}: the words{expected} are missing"),
    }
}
