//! A type-erased interface to courts whose findings can be made by assessors.

use super::answers::Answers;
use super::concluding::{Concluded, Report, conclude};
use super::prompt::Prompt;
use super::questionnaire::{Questionnaire, Scale};
use super::{Assessable, Assessed, JudgedSubmission};
use crate::any_court::{AnyCommand, AnyRulebook, DecideError, typed};
use crate::rulebook::RulebookError;

/// An [`Assessable`] court with its types erased.
pub trait AnyBench: Send + Sync {
    /// The court's name.
    fn court(&self) -> &'static str;
    /// See [`Assessable::BENCH`].
    fn name(&self) -> &'static str;
    /// See [`Assessable::PERSONAL`].
    fn is_personal(&self) -> bool;
    /// See [`Assessable::SCALES`].
    fn scales(&self) -> &'static [(&'static str, &'static Scale)];
    /// See [`Assessable::PROMPT`].
    ///
    /// # Errors
    /// Lists every mistake in the prompt.
    fn prompt(&self) -> Result<Prompt, RulebookError>;
    /// See [`Assessable::ask`].
    ///
    /// # Errors
    /// A refusal, or an internal error.
    fn ask(&self, book: &AnyRulebook, document: &str) -> Result<Questionnaire, DecideError>;
    /// See [`Assessable::own_answers`].
    ///
    /// # Errors
    /// A refusal, or an internal error.
    fn own(&self, book: &AnyRulebook, document: &str) -> Result<Answers, DecideError>;
    /// Judges a document by the assessors' reports, or by the court's own reading when no report is usable.
    ///
    /// # Errors
    /// A refusal, or an internal error.
    fn conclude(
        &self,
        book: &AnyRulebook,
        document: &str,
        reports: &[Report],
    ) -> Result<Concluded, DecideError>;
    /// See [`Assessable::DELIVERY_RECORDS`].
    fn delivery_records(&self) -> &'static [&'static str];
    /// See [`Assessable::deliver`].
    ///
    /// # Errors
    /// The reason why there is nothing to deliver.
    fn deliver(&self, submission: &JudgedSubmission<'_>, records: &[String]) -> Result<AnyCommand, String>;
}

impl<C: Assessable> AnyBench for Assessed<C> {
    fn court(&self) -> &'static str {
        C::NAME
    }

    fn name(&self) -> &'static str {
        C::BENCH
    }

    fn is_personal(&self) -> bool {
        C::PERSONAL
    }

    fn scales(&self) -> &'static [(&'static str, &'static Scale)] {
        C::SCALES
    }

    fn prompt(&self) -> Result<Prompt, RulebookError> {
        Prompt::read(C::NAME, "the prompt that ships", C::PROMPT)
    }

    fn ask(&self, book: &AnyRulebook, document: &str) -> Result<Questionnaire, DecideError> {
        Ok(C::ask(typed::<C>(book)?, document)?)
    }

    fn own(&self, book: &AnyRulebook, document: &str) -> Result<Answers, DecideError> {
        Ok(C::own_answers(typed::<C>(book)?, document)?)
    }

    fn conclude(
        &self,
        book: &AnyRulebook,
        document: &str,
        reports: &[Report],
    ) -> Result<Concluded, DecideError> {
        Ok(conclude::<C>(typed::<C>(book)?, document, reports)?)
    }

    fn delivery_records(&self) -> &'static [&'static str] {
        C::DELIVERY_RECORDS
    }

    fn deliver(&self, submission: &JudgedSubmission<'_>, records: &[String]) -> Result<AnyCommand, String> {
        Ok(Box::new(C::deliver(submission, records)?))
    }
}
