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

use serde::de::DeserializeOwned;

use crate::court::Court;
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::verdict::{Assessor, Reason};

/// A court whose findings can be made by assessors.
pub trait Assessable: Court {
    /// The first part of the stream names of its bench.
    const BENCH: &'static str;
    /// The prompt for models, a text in the form of a rulebook.
    const PROMPT: &'static str;
    /// Whether the text shown to an assessor is personal: then none of it enters the ledger.
    const PERSONAL: bool;
    /// The kinds of records of the destination stream that [`Assessable::deliver`] needs.
    const DELIVERY_RECORDS: &'static [&'static str] = &[];
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

    /// The command that delivers an assessed submission to its destination, a stream of this court. `records`
    /// are the events of [`Assessable::DELIVERY_RECORDS`] in that stream as JSON, in order.
    ///
    /// # Errors
    /// The reason why there is nothing to deliver; the bench records it.
    fn deliver(submission: &JudgedSubmission<'_>, records: &[String]) -> Result<Self::Command, String>;
}

/// A submission that was judged on the bench and has a destination.
#[derive(Debug)]
pub struct JudgedSubmission<'a> {
    /// The id of the submission.
    pub id: u64,
    /// The stream, and the place in it, that the verdict is for.
    pub destination: &'a Destination,
    /// The document with its findings, as [`Assessable::with_findings`] returned it.
    pub document: &'a str,
    /// Remarks on how the findings came about.
    pub remarks: &'a [Reason],
}

impl JudgedSubmission<'_> {
    /// Parses the document.
    ///
    /// # Errors
    /// The document does not have this form.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_str(self.document).map_err(|error| format!("its document cannot be read: {error}"))
    }

    /// The messages of the remarks, joined by semicolons.
    #[must_use]
    pub fn remark_messages(&self) -> String {
        let messages: Vec<&str> = self.remarks.iter().map(|remark| remark.message.as_str()).collect();
        messages.join("; ")
    }
}
