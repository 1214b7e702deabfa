//! Questionnaire for assessors of a call: one label for each component of the rubric.

use assize_kernel::{
    Answers, Assessable, Assessor, Choice, Evidence, Item, JudgedSubmission, Questionnaire, Refusal,
    Rulebook, Scale, Severity, Source, to_json,
};
use serde::Serialize;

use super::Radio;
use super::delivery;
use super::document::{RadioDocument, chart, checked, judged};
use super::judging::RadioFindings;
use super::messages::RadioCommand;
use super::refusals::RadioRefusal;
use super::rubric::{ComponentCode, FindingSource, RubricComponent, SafetyHazard};
use super::rules::{RadioRules, SessionDifficulty};
use super::sheet::in_hundredths;

static LABEL: Scale = Scale {
    labels: &["not_due", "right", "minor", "major", "critical"],
    ordered: true,
    quoted: &[],
    lowered: &[("critical", "major"), ("major", "minor"), ("minor", "right")],
};

impl Assessable for Radio {
    const BENCH: &'static str = "radio-bench";
    const PROMPT: &'static str = include_str!("../../../../prompts/radio/observe.toml");
    const PERSONAL: bool = false;
    const SCALES: &'static [(&'static str, &'static Scale)] = &[("component", &LABEL)];

    fn ask(_: &Rulebook<RadioRules>, document: &str) -> Result<Questionnaire, Refusal> {
        let heard = AssessedCall::read(document)?;
        let items = ComponentCode::ALL.into_iter().enumerate().map(|(number, code)| Item {
            id: id(number),
            kind: "component",
            about: format!("{}: {}", code.as_str(), code.rule()),
            choice: Choice::Label(&LABEL),
            source: Some("pilot"),
        });
        let sources = vec![
            Source { name: heard.before, text: heard.controller },
            Source { name: "pilot", text: heard.pilot },
        ];
        Ok(Questionnaire { sources, items: items.collect() })
    }

    fn own_answers(book: &Rulebook<RadioRules>, document: &str) -> Result<Answers, Refusal> {
        AssessedCall::read(document)?;
        let judged = judged(book, &RadioDocument::read(document)?)?;
        let mut answers = Answers::default();
        for (number, code) in ComponentCode::ALL.into_iter().enumerate() {
            let own =
                judged.verdict.detail.components.iter().find(|component| component.code == code.as_str());
            let label = match own.map(|component| component.severity) {
                None => "not_due",
                Some(Severity::Info) => "right",
                Some(severity) => severity.as_str(),
            };
            answers.put_label(id(number), label);
        }
        Ok(answers)
    }

    fn with_findings(
        book: &Rulebook<RadioRules>,
        document: &str,
        answered: Option<(&Answers, &Assessor)>,
    ) -> Result<String, Refusal> {
        #[derive(Serialize)]
        struct AssessedDocument {
            findings: RadioFindings,
        }
        let heard = AssessedCall::read(document)?;
        let Some((answers, assessor)) = answered else { return Ok(document.to_owned()) };
        let by = if assessor.is_person() { FindingSource::Person } else { FindingSource::Model };
        let dangers = if by == FindingSource::Model { dangers(book, document)? } else { Vec::new() };
        let components = components(&book.rules, heard.difficulty, answers, &dangers);
        let critical = components.iter().filter(|component| component.severity == Severity::Critical);
        let blocking: Vec<&str> = critical.filter_map(|component| component.rule.as_deref()).collect();
        let block_reason = (!blocking.is_empty()).then(|| blocking.join("; "));
        let assessor = Some(if by == FindingSource::Person {
            assessor.version.to_string()
        } else {
            format!("{} {}", assessor.name, assessor.version)
        });
        Ok(to_json(&AssessedDocument { findings: RadioFindings { by, assessor, components, block_reason } }))
    }

    fn deliver(submission: &JudgedSubmission<'_>, _: &[String]) -> Result<RadioCommand, String> {
        delivery::command(submission)
    }
}

/// The texts shown to an assessor.
struct AssessedCall {
    /// Name of the source that precedes the call: `controller` or `situation`.
    before: &'static str,
    controller: String,
    pilot: String,
    difficulty: SessionDifficulty,
}

impl AssessedCall {
    fn read(document: &str) -> Result<Self, RadioRefusal> {
        let RadioDocument { controller, pilot, scenario, phase, difficulty, findings, .. } =
            RadioDocument::read(document)?;
        let (before, controller) = match (controller, scenario, phase, findings) {
            (Some(controller), None, None, None) => ("controller", controller),
            (None, Some(scenario), Some(phase), None) => before(&scenario, &phase)?,
            _ => {
                return Err(malformed(
                    "expected `controller` and `pilot`, or `scenario`, `phase` and `pilot`",
                ));
            }
        };
        let pilot = pilot.ok_or_else(|| malformed("`pilot` is missing"))?;
        checked("controller", &controller)?;
        checked("pilot", &pilot)?;
        Ok(Self { before, controller, pilot, difficulty })
    }
}

fn malformed(problem: &str) -> RadioRefusal {
    RadioRefusal::DocumentMalformed(format!("document: {problem}"))
}

/// The text that the student answers in a phase, with its source name.
fn before(scenario: &str, phase: &str) -> Result<(&'static str, String), RadioRefusal> {
    let chart = chart(scenario)?;
    let found = chart.scenario.phase(phase).ok_or_else(|| {
        let known: Vec<&str> = chart.scenario.phases.iter().map(|phase| phase.name.as_str()).collect();
        RadioRefusal::PhaseUnknown { phase: phase.to_owned(), known: known.join(", ") }
    })?;
    Ok(match (&found.controller, &found.cue) {
        (Some(controller), _) => ("controller", controller.clone()),
        (None, cue) => ("situation", cue.clone().unwrap_or_default()),
    })
}

fn id(number: usize) -> String {
    format!("component_{}", number + 1)
}

/// The critical components found by the parser. A model cannot lower them, so a transcript cannot talk it out
/// of them; a person can.
fn dangers(book: &Rulebook<RadioRules>, document: &str) -> Result<Vec<RubricComponent>, RadioRefusal> {
    let mut components = judged(book, &RadioDocument::read(document)?)?.verdict.detail.components;
    components.retain(|component| component.severity == Severity::Critical);
    Ok(components)
}

/// Converts labels to components; weights and deltas come from the rulebook.
fn components(
    rules: &RadioRules,
    difficulty: SessionDifficulty,
    answers: &Answers,
    dangers: &[RubricComponent],
) -> Vec<RubricComponent> {
    let danger = |code: ComponentCode| dangers.iter().find(|danger| danger.code == code.as_str());
    let known = ComponentCode::ALL.into_iter().enumerate().filter(|(_, code)| rules.has_component(*code));
    let labelled = known.filter_map(|(number, code)| {
        let label = if danger(code).is_some() { "critical" } else { answers.label(&id(number))? };
        let (severity, score) = match label {
            // A safety component exists only when something is wrong.
            "right" if code.is_safety() => return None,
            "right" => (Severity::Info, 1.0),
            "minor" => (Severity::Minor, 0.5),
            "major" => (Severity::Major, 0.0),
            "critical" => (Severity::Critical, 0.0),
            _ => return None,
        };
        Some((number, code, severity, score))
    });
    let labelled: Vec<_> = labelled.collect();
    let weight = |code: ComponentCode| if code.is_safety() { 0 } else { rules.weight_of(code) };
    let weights = in_hundredths(&labelled.iter().map(|(_, code, ..)| weight(*code)).collect::<Vec<_>>());
    let deltas = rules.deltas.of(difficulty);
    let given = labelled.into_iter().zip(weights).map(|((number, code, severity, score), weight)| {
        let component = RubricComponent {
            code: code.as_str().into(),
            category: code.category(),
            severity,
            weight,
            score,
            delta: f64::from(deltas.of(severity)),
            detail: if severity == Severity::Info { "right".to_owned() } else { code.rule().to_owned() },
            hazard: hazard(code, severity),
            evidence: evidence(answers, number),
            corrected: None,
            rule: Some(code.rule().into()),
        };
        match danger(code).filter(|_| answers.label(&id(number)) != Some("critical")) {
            Some(danger) => component.heard_by_reader(danger),
            None => component,
        }
    });
    given.collect()
}

impl RubricComponent {
    /// The component with the details of the parser's finding.
    fn heard_by_reader(self, danger: &Self) -> Self {
        Self {
            detail: format!("heard by the reader: {}", danger.detail),
            hazard: danger.hazard,
            evidence: danger.evidence.clone(),
            corrected: danger.corrected.clone(),
            ..self
        }
    }
}

fn evidence(answers: &Answers, number: usize) -> Vec<Evidence> {
    let quote = answers.quote(&id(number)).into_iter();
    quote
        .map(|quote| Evidence { source: "pilot".into(), text: quote.text.clone(), span: Some(quote.span) })
        .collect()
}

/// The hazard of a critical component, if it has one.
fn hazard(code: ComponentCode, severity: Severity) -> Option<SafetyHazard> {
    match code {
        _ if severity != Severity::Critical => None,
        ComponentCode::Callsign => Some(SafetyHazard::WrongCallsign),
        ComponentCode::Runway | ComponentCode::WrongRunway => Some(SafetyHazard::WrongRunway),
        ComponentCode::Altitude | ComponentCode::MisreadAltitude => Some(SafetyHazard::WrongLevel),
        _ => None,
    }
}
