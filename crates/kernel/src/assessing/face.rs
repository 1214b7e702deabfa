//! A court whose findings others make, whichever it is.

use super::answers::Answers;
use super::concluding::{Concluded, Report, conclude};
use super::prompt::Prompt;
use super::questionnaire::{Questionnaire, Scale};
use super::{Assessable, Assessed};
use crate::any_court::{AnyRulebook, DecideError, typed};
use crate::rulebook::RulebookError;

/// What can be asked of such a court whatever its types are.
pub trait AnyBench: Send + Sync {
    /// The court.
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
    /// Everything that is wrong with it.
    fn prompt(&self) -> Result<Prompt, RulebookError>;
    /// See [`Assessable::ask`].
    ///
    /// # Errors
    /// A refusal, or our own fault.
    fn ask(&self, book: &AnyRulebook, document: &str) -> Result<Questionnaire, DecideError>;
    /// See [`Assessable::own_answers`].
    ///
    /// # Errors
    /// A refusal, or our own fault.
    fn own(&self, book: &AnyRulebook, document: &str) -> Result<Answers, DecideError>;
    /// Judges a document by what assessors have reported, or by the court's own reading where nobody's report can be
    /// used.
    ///
    /// # Errors
    /// A refusal, or our own fault.
    fn conclude(
        &self,
        book: &AnyRulebook,
        document: &str,
        reports: &[Report],
    ) -> Result<Concluded, DecideError>;
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
}
