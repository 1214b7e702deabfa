//! Turns the assessors' reports into a verdict that names the assessor it rests on.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::answers::{Answers, Struck};
use super::panel::merge;
use super::{Assessable, PANEL, PERSON};
use crate::court::to_json;
use crate::refusal::Refusal;
use crate::rounding::round;
use crate::rulebook::Rulebook;
use crate::verdict::{Assessor, Reason, Severity, VerdictText};

/// The most struck quotations that a reason shows; the others are counted.
const MOST_SHOWN: usize = 3;

/// The report of one assessor.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The assessor.
    pub assessor: Assessor,
    /// The answers, or why they are not usable.
    pub answers: Result<Answers, String>,
    /// Quotations that were struck.
    pub struck: Vec<Struck>,
}

/// The result of all reports on a submission.
#[derive(Debug, Clone, PartialEq)]
pub struct Concluded {
    /// The document with the findings that were judged.
    pub document: String,
    /// Reasons that concern the assessors.
    pub remarks: Vec<Reason>,
    /// The verdict as JSON, including the remarks.
    pub verdict: VerdictText,
    /// The disagreement between the assessors, from 0 to 1.
    pub disagreement: f64,
}

/// Judges a document by the assessors' reports. A person outranks models; when no report is usable, the
/// court's own reading is used, and the verdict says so.
pub(super) fn conclude<C: Assessable>(
    book: &Rulebook<C::Rules>,
    document: &str,
    reports: &[Report],
) -> Result<Concluded, Refusal> {
    let asked = C::ask(book, document)?;
    let usable: Vec<(&Report, &Answers)> =
        reports.iter().filter_map(|report| Some((report, report.answers.as_ref().ok()?))).collect();
    let people: Vec<(&Report, &Answers)> =
        usable.iter().copied().filter(|(report, _)| report.assessor.is_person()).collect();
    let heard = if people.is_empty() { &usable } else { &people };
    let everybody = merge(&asked, &usable.iter().map(|(_, answers)| *answers).collect::<Vec<_>>());
    let mut remarks = Vec::new();
    let document = match heard.as_slice() {
        [] => C::with_findings(book, document, None)?,
        [(report, answers)] => C::with_findings(book, document, Some((*answers, &report.assessor)))?,
        several => {
            let merged = merge(&asked, &several.iter().map(|(_, answers)| *answers).collect::<Vec<_>>());
            remarks.push(panel_remark(several, merged.disagreement));
            C::with_findings(book, document, Some((&merged.answers, &panel(several))))?
        }
    };
    remarks.extend(reports.iter().filter_map(|report| left_out(report, heard.is_empty())));
    remarks.extend(heard.iter().filter_map(|(report, _)| struck(report, C::PERSONAL)));
    let verdict = verdict::<C>(book, &document, &remarks)?;
    Ok(Concluded { document, remarks, verdict, disagreement: everybody.disagreement })
}

/// The verdict on a document with findings, with the remarks about the assessors added.
pub(super) fn verdict<C: Assessable>(
    book: &Rulebook<C::Rules>,
    document: &str,
    remarks: &[Reason],
) -> Result<VerdictText, Refusal> {
    let verdict = C::judge(book, document).map_err(Into::into)?;
    let text = if remarks.is_empty() { None } else { with_remarks(&verdict, remarks) };
    Ok(match text {
        Some(text) => verdict.with_text(text),
        None => verdict,
    })
}

impl Assessor {
    /// Whether a person has answered; answers of people are never merged with those of models.
    #[must_use]
    pub fn is_person(&self) -> bool {
        let first = self.version.split(' ').next();
        self.name == PERSON || (self.name == PANEL && first == Some(PERSON))
    }
}

fn panel(several: &[(&Report, &Answers)]) -> Assessor {
    let names: Vec<String> = several
        .iter()
        .map(|(report, _)| format!("{} {}", report.assessor.name, report.assessor.version))
        .collect();
    Assessor { name: PANEL.into(), version: names.join(", ").into() }
}

fn panel_remark(several: &[(&Report, &Answers)], disagreement: f64) -> Reason {
    let message = format!(
        "{} assessors answered; labels by majority, numbers by the middle one; they are {} apart, from 0 to 1",
        several.len(),
        round(disagreement, 4)
    );
    Reason::new("assessor.panel", Severity::Info, message)
}

/// The remark about a report that was not usable.
fn left_out(report: &Report, replaced: bool) -> Option<Reason> {
    let problem = report.answers.as_ref().err()?;
    let name = &report.assessor.name;
    Some(if replaced {
        let message = format!(
            "`{name}` gave no findings that could be used ({problem}); the court's own reading took over"
        );
        Reason::new("assessor.replaced", Severity::Info, message)
    } else {
        let message = format!("`{name}` gave no findings that could be used ({problem})");
        Reason::new("assessor.left_out", Severity::Info, message)
    })
}

/// The remark about quotations that are not in the text.
fn struck(report: &Report, personal: bool) -> Option<Reason> {
    let (count, name) = (report.struck.len(), &report.assessor.name);
    if count == 0 {
        return None;
    }
    let lowered = report.struck.iter().filter(|struck| struck.lowered.is_some()).count();
    let message =
        format!("`{name}` quoted what is not in the text: {count} struck, {lowered} labels lowered");
    let reason = Reason::new("assessor.quotation.struck", Severity::Info, message);
    let shown = report.struck.iter().filter(|struck| !struck.quote.is_empty() && !personal).take(MOST_SHOWN);
    Some(shown.fold(reason, |reason, struck| reason.showing("assessor", struck.quote.clone())))
}

/// Appends reasons to a verdict and leaves all its other bytes unchanged.
fn with_remarks(verdict: &str, remarks: &[Reason]) -> Option<String> {
    #[derive(Deserialize, Serialize)]
    struct Opened<'a> {
        #[serde(borrow)]
        court: &'a RawValue,
        #[serde(borrow)]
        rulebook: &'a RawValue,
        #[serde(borrow)]
        assessor: &'a RawValue,
        #[serde(borrow)]
        outcome: &'a RawValue,
        #[serde(borrow)]
        points: &'a RawValue,
        #[serde(borrow)]
        reasons: Vec<&'a RawValue>,
        #[serde(borrow)]
        derivation: &'a RawValue,
        #[serde(borrow)]
        detail: &'a RawValue,
    }
    let mut opened: Opened<'_> = serde_json::from_str(verdict).ok()?;
    let remarks: Vec<Box<RawValue>> =
        remarks.iter().map(|remark| RawValue::from_string(to_json(remark))).collect::<Result<_, _>>().ok()?;
    opened.reasons.extend(remarks.iter().map(|remark| &**remark));
    Some(to_json(&opened))
}
