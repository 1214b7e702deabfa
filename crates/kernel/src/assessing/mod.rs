//! Findings that others make: a court asks, a model or a person answers, the court computes.
//!
//! An assessor is never asked for a score. The court reads its document, makes a list of small questions out of it,
//! each with the answers that it may have, and turns the answers into findings. So whoever answers can only choose
//! among what the court can compute with; several assessors answer the very same questions, and can be compared.

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

/// A court whose findings others can make.
pub trait Assessable: Court {
    /// The first part of the names of the streams in which its submissions wait for an assessor.
    const BENCH: &'static str;
    /// What a model is told: a text like a rulebook.
    const PROMPT: &'static str;
    /// Whether what is quoted to an assessor is personal: then none of it enters the chain.
    const PERSONAL: bool;
    /// The kinds of items with the labels they may have.
    const SCALES: &'static [(&'static str, &'static Scale)];

    /// What there is to be found out about a document.
    ///
    /// # Errors
    /// A refusal, when the document cannot be read or there is nothing to ask.
    fn ask(book: &Rulebook<Self::Rules>, document: &str) -> Result<Questionnaire, Refusal>;

    /// What the court's own reading would answer: to be compared with others.
    ///
    /// # Errors
    /// A refusal, when the document cannot be read.
    fn own_answers(book: &Rulebook<Self::Rules>, document: &str) -> Result<Answers, Refusal>;

    /// The document with findings in it, ready to be judged and without what is personal: what these answers of this
    /// assessor come to, or the court's own reading when there are none.
    ///
    /// # Errors
    /// A refusal, when the document cannot be read.
    fn with_findings(
        book: &Rulebook<Self::Rules>,
        document: &str,
        answered: Option<(&Answers, &Assessor)>,
    ) -> Result<String, Refusal>;
}
