//! Why the summary court does not take something up: each refusal with its stable code and its words.

use assize_kernel::{BadName, Refusal, RefusalKind, SmolStr};

/// Why a document or a command was not taken up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SummaryRefusal {
    /// The document cannot be read.
    #[error("document: {0}")]
    DocumentMalformed(String),
    /// A text has no words.
    #[error("{0}: has no words")]
    Empty(&'static str),
    /// A text is longer than is read.
    #[error("{field}: has {bytes} bytes, at most {most} are read")]
    TooLong {
        /// Which text.
        field: &'static str,
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        most: usize,
    },
    /// The reading knows English only.
    #[error("{field}: seems to be {language}; only English can be judged")]
    NotEnglish {
        /// Which text.
        field: &'static str,
        /// As far as it can be told.
        language: &'static str,
    },
    /// A part of the findings is not there.
    #[error("findings: `{0}` is missing")]
    FindingsMissing(String),
    /// The findings cannot be read.
    #[error("findings: {0}")]
    FindingsMalformed(String),
    /// The findings cannot be true of these texts, or of themselves.
    #[error("findings: {field}: {problem}")]
    FindingsContradictory {
        /// Where.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// It was opened before.
    #[error("the run is already open")]
    AlreadyOpen,
    /// Nothing can happen yet.
    #[error("the run is not open")]
    NotOpen,
    /// The name is taken.
    #[error("there is an item `{0}` already")]
    ItemExists(SmolStr),
    /// A name that cannot be one.
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
            // The seed's word for it, for programs that wait for one.
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
