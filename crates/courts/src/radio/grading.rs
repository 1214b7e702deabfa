//! The grader: from what was read in an answer to the components of the rubric.

use assize_kernel::{Evidence, Reason, Severity};

use super::correcting::Due;
use super::reading::{About, Action, Answered, Class, ErrorKind, Exchange, Finding, Item, Parameter, Role};
use super::rubric::{Code, Component, Hazard};
use super::rules::{Difficulty, RadioRules};
use super::sheet::{Sheet, Topic};

/// What the grader made of a turn.
#[derive(Debug, Clone)]
pub(super) struct Graded {
    pub(super) components: Vec<Component>,
    pub(super) reasons: Vec<Reason>,
    /// Why the turn must be said again; none when nothing is critical.
    pub(super) block_reason: Option<String>,
}

/// How a turn is graded.
#[derive(Clone, Copy)]
pub(super) struct Strictness<'a> {
    pub(super) rules: &'a RadioRules,
    pub(super) difficulty: Difficulty,
    /// Items that are dangerous to get wrong here, besides the rulebook's.
    pub(super) dangerous: &'a [String],
}

impl Strictness<'_> {
    fn is_dangerous(&self, item: &str) -> bool {
        self.rules.is_dangerous(item) || self.dangerous.iter().any(|dangerous| dangerous == item)
    }

    /// How bad a finding is: what is dangerous to get wrong is critical when it is wrong.
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

/// Grades an answer to a controller's transmission.
pub(super) fn grade(
    how: Strictness<'_>,
    exchange: &Exchange,
    due: &[Due],
    controller: &str,
    pilot: &str,
) -> Graded {
    let mut sheet = Sheet::new(how, pilot);
    callsign(&mut sheet, exchange, controller);
    let roger = exchange.findings.iter().any(|finding| finding.kind == ErrorKind::RogerOnly);
    for Due { parameter, phrase } in due {
        let topic = sheet.topic(if roger { Code::Readback } else { topic_of(*parameter) });
        topic.items += 1;
        topic.correct(phrase);
    }
    let is_due = |item: &Item| due.iter().any(|due| due.parameter == item.parameter);
    for item in exchange.pilot.items.iter().filter(|item| !roger && is_due(item)) {
        sheet.show(topic_of(item.parameter), item.span);
    }
    for finding in &exchange.findings {
        answer(&mut sheet, finding);
    }
    sequence(&mut sheet, exchange);
    sheet.graded()
}

/// Whether an item had to be read back.
pub(super) fn is_due(rules: &RadioRules, item: &Item) -> bool {
    let deed = matches!(item.parameter, Parameter::Action(_) | Parameter::Condition(_));
    item.role == Role::Instruct
        && !(deed && item.weak)
        && rules.classes().of(item.parameter) == Class::Required
}

/// The component that an item belongs to.
pub(super) const fn topic_of(parameter: Parameter) -> Code {
    match parameter {
        Parameter::Runway => Code::Runway,
        Parameter::Qnh => Code::Qnh,
        Parameter::Level => Code::Altitude,
        _ => Code::Readback,
    }
}

fn callsign(sheet: &mut Sheet<'_>, exchange: &Exchange, controller: &str) {
    let Some(answered) = exchange.answered else { return };
    let topic = sheet.topic(Code::Callsign);
    topic.items = 1;
    let called =
        exchange.controller.callsign.as_ref().and_then(|called| controller.get(called.span.0..called.span.1));
    topic.correct(called.unwrap_or_default());
    if let Some(own) = &exchange.pilot.callsign {
        sheet.show(Code::Callsign, own.span);
    }
    let named = exchange.controller.callsign.as_ref().is_some_and(|called| !called.name.is_empty());
    if named && matches!(answered, Answered::Right | Answered::Shortened) {
        let topic = sheet.topic(Code::Prefix);
        topic.items = 1;
        if answered == Answered::Shortened {
            topic.lose(1.0, Severity::Minor, "said without its airline or type".to_owned());
        }
    }
}

fn sequence(sheet: &mut Sheet<'_>, exchange: &Exchange) {
    if !matches!(exchange.answered, Some(Answered::Right | Answered::Shortened)) {
        return;
    }
    let must = sheet.how.rules.phraseology.readback_ends_with_callsign;
    let topic = sheet.topic(Code::Sequence);
    topic.items = 1;
    if must && !exchange.ends_with_callsign {
        topic.lose(0.5, Severity::Minor, "the callsign belongs at the end of a readback".to_owned());
    }
}

/// Enters a finding under its component, and under Safety where it belongs there too.
fn answer(sheet: &mut Sheet<'_>, finding: &Finding) {
    let severity = sheet.how.severity(finding);
    let message = message(finding);
    sheet.reason(finding, severity, &message);
    let code = match finding.about {
        About::Callsign => Code::Callsign,
        About::Readback | About::Part(_) => Code::Readback,
        About::Item(parameter) => topic_of(parameter),
    };
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

fn endanger(topic: &mut Topic, message: String, evidence: Option<Evidence>) {
    topic.items = 1;
    topic.lose(1.0, Severity::Critical, message);
    topic.evidence.extend(evidence);
}

/// The safety component that a critical finding also is.
const fn danger(finding: &Finding) -> Option<Code> {
    match (finding.kind, finding.about) {
        (ErrorKind::WrongCallsign, _) | (_, About::Callsign | About::Readback | About::Part(_)) => None,
        (ErrorKind::WrongAction | ErrorKind::ExtraClearance | ErrorKind::DroppedCondition, _) => {
            Some(Code::ConflictingClearance)
        }
        (_, About::Item(Parameter::Runway | Parameter::HoldingPoint)) => Some(Code::WrongRunway),
        (_, About::Item(Parameter::Level)) => Some(Code::MisreadAltitude),
        _ => Some(Code::ConflictingClearance),
    }
}

/// Dangers that belong to no single dimension.
fn hazard(finding: &Finding) -> Option<Hazard> {
    let wrong = matches!(
        finding.kind,
        ErrorKind::WrongValue
            | ErrorKind::TransposedDigits
            | ErrorKind::LeftRight
            | ErrorKind::WrongParameter
    );
    match (finding.kind, finding.about) {
        (ErrorKind::WrongCallsign, _) => Some(Hazard::WrongCallsign),
        (ErrorKind::WrongAction, About::Item(Parameter::Action(Action::LineUp))) => {
            Some(Hazard::TakeOffForLineUp)
        }
        (_, About::Item(Parameter::Runway)) if wrong => Some(Hazard::WrongRunway),
        (_, About::Item(Parameter::Level)) if wrong => Some(Hazard::WrongLevel),
        _ => None,
    }
}

/// A finding in words.
pub(super) fn message(finding: &Finding) -> String {
    let Finding { kind, about, expected, said, .. } = finding;
    let item = about.name().replace('_', " ");
    let item = match about {
        About::Item(Parameter::Condition(_)) => format!("the condition `{item}`"),
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
