//! English word lists of the reading.

mod common;
mod feelings;
mod forms;
mod kinds;
mod meanings;

pub(super) use common::{
    APPROXIMATE, BEFORE_NOUN, BEFORE_VERB, DATES, DENIAL, FUNCTION, NEGATION, NUMBERS, PRONOUNS, SCALES,
    VAGUE,
};
pub(super) use feelings::{BIASED, GROUPS, HOSTILE, NEGATIVE, POSITIVE, PROFANE, SLURS, SUBJECTIVE, TRAITS};
pub(super) use forms::FORMS;
pub(super) use kinds::KINDS;
pub(super) use meanings::{OPPOSITES, SYNONYMS};
