//! Tests of the parser.

mod arbitrary;
mod linear;
mod many;
mod right;
mod round_trip;
mod wrong;

use assize_kernel::Rulebook;

use super::ReadbackClasses;
use crate::radio::RadioRules;

/// Readback classes of the default rulebook.
pub(crate) fn classes() -> ReadbackClasses {
    let text = include_str!("../../../../../../rulebooks/radio/icao.toml");
    *Rulebook::<RadioRules>::read("radio", "icao.toml", text).unwrap().rules.classes()
}
