//! Judging a document by itself: an article and a summary, read here or with the findings of somebody else.

use std::borrow::Cow;

use assize_kernel::{Assessor, Rulebook, Verdict};
use serde::Deserialize;
use serde_json::Value;

use super::findings::Findings;
use super::judging::{self, SummaryDetail};
use super::refusals::SummaryRefusal;
use super::rules::SummaryRules;
use super::{Texts, checking, reading};

/// No text is longer than this: a novel.
const LONGEST: usize = 2_000_000;

/// What `assize judge summary` takes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document<'a> {
    #[serde(borrow)]
    pub(super) article: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) summary: Cow<'a, str>,
    /// Those of a language model or a person; the reading's otherwise.
    findings: Option<Value>,
    /// Whose findings they are.
    assessor: Option<Assessor>,
}

impl<'a> Document<'a> {
    pub(super) fn read(document: &'a str) -> Result<Self, SummaryRefusal> {
        serde_json::from_str(document).map_err(|error| SummaryRefusal::DocumentMalformed(error.to_string()))
    }

    /// Whether somebody's findings came with it.
    pub(super) fn is_assessed(&self) -> bool {
        self.findings.is_some() || self.assessor.is_some()
    }

    pub(super) fn texts(&self) -> Texts<'_> {
        Texts { article: &self.article, summary: &self.summary }
    }
}

/// The verdict on a document, as JSON.
pub(super) fn judge(book: &Rulebook<SummaryRules>, document: &str) -> Result<String, SummaryRefusal> {
    let document = Document::read(document)?;
    let texts = Texts { article: &document.article, summary: &document.summary };
    let Some(findings) = document.findings else {
        if document.assessor.is_some() {
            return Err(SummaryRefusal::DocumentMalformed("an assessor without findings".to_owned()));
        }
        return assess(book, texts).map(|verdict| verdict.to_json());
    };
    let findings = read_findings(findings)?;
    let assessor = document.assessor.unwrap_or(Assessor { name: "findings".into(), version: "1".into() });
    weigh(book, texts, findings, assessor).map(|verdict| verdict.to_json())
}

/// Reads a summary and judges it.
///
/// # Errors
/// A refusal when a text is empty, too long or not English.
pub fn assess(
    book: &Rulebook<SummaryRules>,
    texts: Texts<'_>,
) -> Result<Verdict<SummaryDetail>, SummaryRefusal> {
    let (findings, assessor) = read(book, texts)?;
    Ok(judging::judge(book, texts, findings, assessor))
}

/// Reads a summary without judging it: what a command may bring along.
///
/// # Errors
/// A refusal when a text is empty, too long or not English.
pub fn read(book: &Rulebook<SummaryRules>, texts: Texts<'_>) -> Result<(Findings, Assessor), SummaryRefusal> {
    check_texts(texts)?;
    Ok((reading::read(&book.rules, texts)?, reading::ASSESSOR))
}

/// Judges by the findings of somebody else.
pub(super) fn weigh(
    book: &Rulebook<SummaryRules>,
    texts: Texts<'_>,
    findings: Findings,
    assessor: Assessor,
) -> Result<Verdict<SummaryDetail>, SummaryRefusal> {
    check_texts(texts)?;
    checking::check(&book.rules, &findings, texts)?;
    Ok(judging::judge(book, texts, findings, assessor))
}

pub(super) fn check_texts(texts: Texts<'_>) -> Result<(), SummaryRefusal> {
    for (field, text) in [("article", texts.article), ("summary", texts.summary)] {
        if text.trim().is_empty() {
            return Err(SummaryRefusal::Empty(field));
        }
        if text.len() > LONGEST {
            return Err(SummaryRefusal::TooLong { field, bytes: text.len(), most: LONGEST });
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
