//! Assessment by models and people: the court asks, an assessor answers, the court computes.
//!
//! An assessor is never asked for a score. The court turns its document into a list of small questions, each
//! with a fixed set of answers, and turns the answers into findings. An assessor can therefore only choose
//! among values that the court can compute with, and several assessors answer the same questions and can be
//! compared.

mod agreement;
mod answers;
mod bench;
mod concluding;
mod face;
mod panel;
mod prompt;
mod questionnaire;
mod quoting;

pub use agreement::Confusion;
pub use answers::{Answers, Given, Quotation, Read, Struck};
pub use bench::{
    Assessed, Begun, BenchCommand, BenchEvent, BenchState, Destination, Exchange, PANEL, PERSON, Panel,
    Phase, Reported, Testimony, Undelivered, Usage, Waiting,
};
pub use concluding::{Concluded, Report};
pub use face::AnyBench;
pub use panel::{Merged, merge};
pub use prompt::{Prompt, PromptRules};
pub use questionnaire::{Choice, Item, Questionnaire, Scale, Source};

use crate::court::Court;
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::verdict::Assessor;

/// A court whose findings can be made by assessors.
pub trait Assessable: Court {
    /// The first part of the stream names of its bench.
    const BENCH: &'static str;
    /// The prompt for models, a text in the form of a rulebook.
    const PROMPT: &'static str;
    /// Whether the text shown to an assessor is personal: then none of it enters the ledger.
    const PERSONAL: bool;
    /// The scale of each kind of item.
    const SCALES: &'static [(&'static str, &'static Scale)];

    /// The questions about a document.
    ///
    /// # Errors
    /// The document cannot be read, or there is nothing to ask.
    fn ask(book: &Rulebook<Self::Rules>, document: &str) -> Result<Questionnaire, Refusal>;

    /// The answers of the court's own reading, to be compared with those of assessors.
    ///
    /// # Errors
    /// The document cannot be read.
    fn own_answers(book: &Rulebook<Self::Rules>, document: &str) -> Result<Answers, Refusal>;

    /// The document with findings in it, ready to be judged and without personal text. The findings are made
    /// from the answers of this assessor, or by the court's own reading when there are none.
    ///
    /// # Errors
    /// The document cannot be read.
    fn with_findings(
        book: &Rulebook<Self::Rules>,
        document: &str,
        answered: Option<(&Answers, &Assessor)>,
    ) -> Result<String, Refusal>;
}
