//! Judging a single document outside a run: an article and a summary, with or without an assessor's findings.

use std::borrow::Cow;

use assize_kernel::{Assessor, Rulebook, Verdict, VerdictText};
use serde::Deserialize;
use serde_json::Value;

use super::findings::Findings;
use super::judging::{self, SummaryDetail};
use super::refusals::SummaryRefusal;
use super::rules::SummaryRules;
use super::{TextPair, checking, reading};

/// The maximum length of a text in bytes: about a novel.
const MAX_TEXT_BYTES: usize = 2_000_000;

/// The input of `assize judge summary`. Parse errors show the name of this type to the caller.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document<'a> {
    #[serde(borrow)]
    pub(super) article: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) summary: Cow<'a, str>,
    /// The findings of a language model or a person; the court reads the texts itself when absent.
    findings: Option<Value>,
    /// The author of the findings.
    assessor: Option<Assessor>,
}

impl<'a> Document<'a> {
    pub(super) fn read(document: &'a str) -> Result<Self, SummaryRefusal> {
        serde_json::from_str(document).map_err(|error| SummaryRefusal::DocumentMalformed(error.to_string()))
    }

    /// Whether the document has findings or names an assessor.
    pub(super) fn is_assessed(&self) -> bool {
        self.findings.is_some() || self.assessor.is_some()
    }

    pub(super) fn texts(&self) -> TextPair<'_> {
        TextPair { article: &self.article, summary: &self.summary }
    }
}

/// Judges a document and returns the verdict as JSON.
pub(super) fn judge(book: &Rulebook<SummaryRules>, document: &str) -> Result<VerdictText, SummaryRefusal> {
    let document = Document::read(document)?;
    let texts = TextPair { article: &document.article, summary: &document.summary };
    let Some(findings) = document.findings else {
        if document.assessor.is_some() {
            return Err(SummaryRefusal::DocumentMalformed("an assessor without findings".to_owned()));
        }
        return assess(book, texts).map(|verdict| verdict.to_text());
    };
    let findings = read_findings(findings)?;
    let assessor = document.assessor.unwrap_or(Assessor { name: "findings".into(), version: "1".into() });
    weigh(book, texts, findings, assessor).map(|verdict| verdict.to_text())
}

/// Reads a summary with the court's own assessor and judges it.
///
/// # Errors
/// A refusal when a text is empty, too long or not English.
pub fn assess(
    book: &Rulebook<SummaryRules>,
    texts: TextPair<'_>,
) -> Result<Verdict<SummaryDetail>, SummaryRefusal> {
    let (findings, assessor) = read(book, texts)?;
    Ok(judging::judge(book, texts, findings, assessor))
}

/// Reads a summary without judging it; the findings can be passed along with a command.
///
/// # Errors
/// A refusal when a text is empty, too long or not English.
pub fn read(
    book: &Rulebook<SummaryRules>,
    texts: TextPair<'_>,
) -> Result<(Findings, Assessor), SummaryRefusal> {
    check_texts(texts)?;
    Ok((reading::read(&book.rules, texts)?, reading::ASSESSOR))
}

/// Checks the findings of another assessor and judges by them.
pub(super) fn weigh(
    book: &Rulebook<SummaryRules>,
    texts: TextPair<'_>,
    findings: Findings,
    assessor: Assessor,
) -> Result<Verdict<SummaryDetail>, SummaryRefusal> {
    check_texts(texts)?;
    checking::check(&book.rules, &findings, texts)?;
    Ok(judging::judge(book, texts, findings, assessor))
}

pub(super) fn check_texts(texts: TextPair<'_>) -> Result<(), SummaryRefusal> {
    for (field, text) in [("article", texts.article), ("summary", texts.summary)] {
        if text.trim().is_empty() {
            return Err(SummaryRefusal::Empty(field));
        }
        if text.len() > MAX_TEXT_BYTES {
            return Err(SummaryRefusal::TooLong { field, bytes: text.len(), most: MAX_TEXT_BYTES });
        }
    }
    Ok(())
}

fn read_findings(findings: Value) -> Result<Findings, SummaryRefusal> {
    serde_json::from_value(findings).map_err(|error| {
        let problem = error.to_string();
        let missing = problem.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
        match missing {
            Some(field) => SummaryRefusal::FindingsMissing(field.to_owned()),
            None => SummaryRefusal::FindingsMalformed(problem),
        }
    })
}
