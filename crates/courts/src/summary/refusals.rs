//! The refusals of the summary court, each with its stable code and message.

use assize_kernel::{BadName, Refusal, RefusalKind, SmolStr};

/// The reason why a document or command was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SummaryRefusal {
    /// The document cannot be parsed.
    #[error("document: {0}")]
    DocumentMalformed(String),
    /// A text has no words.
    #[error("{0}: has no words")]
    Empty(&'static str),
    /// A text is longer than the limit.
    #[error("{field}: has {bytes} bytes, at most {most} are read")]
    TooLong {
        /// The name of the text.
        field: &'static str,
        /// The length of the text.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// The text is not English, the only language that the reading supports.
    #[error("{field}: seems to be {language}; only English can be judged")]
    NotEnglish {
        /// The name of the text.
        field: &'static str,
        /// The likely language.
        language: &'static str,
    },
    /// A field of the findings is missing.
    #[error("findings: `{0}` is missing")]
    FindingsMissing(String),
    /// The findings cannot be parsed.
    #[error("findings: {0}")]
    FindingsMalformed(String),
    /// The findings contradict the texts or each other.
    #[error("findings: {field}: {problem}")]
    FindingsContradictory {
        /// The field of the findings.
        field: String,
        /// A description of the problem.
        problem: String,
    },
    /// The run was opened before.
    #[error("the run is already open")]
    AlreadyOpen,
    /// The run has not been opened.
    #[error("the run is not open")]
    NotOpen,
    /// The run has an item of this name.
    #[error("there is an item `{0}` already")]
    ItemExists(SmolStr),
    /// The name is not valid.
    #[error("{0}")]
    NameInvalid(String),
}

impl From<BadName> for SummaryRefusal {
    fn from(bad: BadName) -> Self {
        Self::NameInvalid(bad.to_string())
    }
}

impl From<SummaryRefusal> for Refusal {
    fn from(refusal: SummaryRefusal) -> Self {
        use RefusalKind::{Conflict, Malformed};
        let message = refusal.to_string();
        let (code, kind) = match &refusal {
            SummaryRefusal::DocumentMalformed(_) => ("summary.document.malformed", Malformed),
            SummaryRefusal::Empty(_) => ("summary.text.empty", Malformed),
            SummaryRefusal::TooLong { .. } => ("summary.text.too_long", Malformed),
            SummaryRefusal::NotEnglish { .. } => ("summary.text.not_english", Malformed),
            SummaryRefusal::FindingsMissing(_) => ("summary.findings.missing", Malformed),
            SummaryRefusal::FindingsMalformed(_) => ("summary.findings.malformed", Malformed),
            SummaryRefusal::FindingsContradictory { .. } => ("summary.findings.contradictory", Malformed),
            SummaryRefusal::AlreadyOpen => ("summary.run.already_open", Conflict),
            SummaryRefusal::NotOpen => ("summary.run.not_open", Conflict),
            SummaryRefusal::ItemExists(_) => ("summary.item.exists", Conflict),
            SummaryRefusal::NameInvalid(_) => ("summary.name.invalid", Malformed),
        };
        let plain = Self::new(code, kind, message);
        match refusal {
            // The error code of the original specification, for clients that expect it.
            SummaryRefusal::FindingsMissing(field) => {
                plain.with("error", "missing_metric").with("field", field)
            }
            SummaryRefusal::Empty(field)
            | SummaryRefusal::TooLong { field, .. }
            | SummaryRefusal::NotEnglish { field, .. } => plain.with("field", field),
            SummaryRefusal::FindingsContradictory { field, .. } => plain.with("field", field),
            _ => plain,
        }
    }
}
