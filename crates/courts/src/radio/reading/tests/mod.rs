//! What the reading must understand.

mod arbitrary;
mod linear;
mod many;
mod right;
mod round_trip;
mod wrong;

use assize_kernel::Rulebook;

use super::Classes;
use crate::radio::RadioRules;

/// The classes of the rulebook that is used unless another is named.
pub(crate) fn classes() -> Classes {
    let text = include_str!("../../../../../../rulebooks/radio/icao.toml");
    *Rulebook::<RadioRules>::read("radio", "icao.toml", text).unwrap().rules.classes()
}
