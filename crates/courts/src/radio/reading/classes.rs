//! The three classes of item: what must be read back, what must agree if it is said, and what is ignored.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::item::{Action, Condition, Parameter};

/// What is asked of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// It must be read back.
    Required,
    /// It must agree if it is said.
    Match,
    /// It may be said or not.
    Ignore,
}

/// The class of every item.
#[derive(Debug, Clone, Copy)]
pub struct Classes([Class; PARAMETERS.len()]);

/// Everything that can be in a class, under the names of the rulebooks.
#[rustfmt::skip]
pub(crate) const PARAMETERS: [Parameter; 51] = {
    use Parameter as P;
    [
        P::Runway, P::HoldingPoint, P::Stand, P::Route, P::Level, P::Heading, P::Speed, P::Mach, P::Qnh, P::Squawk,
        P::Frequency, P::Information, P::Procedure, P::Destination, P::Direct, P::Turn, P::Side, P::Facing,
        P::ApproachType, P::Leg, P::Sequence, P::Rate,
        P::Condition(Condition::Behind), P::Condition(Condition::After), P::Condition(Condition::Until),
        P::Condition(Condition::Before), P::Condition(Condition::When), P::Condition(Condition::OrAbove),
        P::Condition(Condition::OrBelow),
        P::Action(Action::TakeOff), P::Action(Action::Land), P::Action(Action::LineUp), P::Action(Action::TouchAndGo),
        P::Action(Action::GoAround), P::Action(Action::HoldShort), P::Action(Action::HoldPosition),
        P::Action(Action::Cross), P::Action(Action::Backtrack), P::Action(Action::Approach),
        P::Action(Action::CancelTakeOff), P::Action(Action::Stop), P::Action(Action::Climb),
        P::Action(Action::Descend), P::Action(Action::Taxi), P::Action(Action::Push), P::Action(Action::Start),
        P::Action(Action::Vacate), P::Action(Action::Continue), P::Action(Action::GiveWay), P::Action(Action::Join),
        P::Action(Action::Ident),
    ]
};

impl Classes {
    /// The classes as a rulebook lists them.
    ///
    /// # Errors
    /// Names that are no item, and items that are in no class.
    pub fn read(listed: &BTreeMap<String, Class>) -> Result<Self, Vec<(String, String)>> {
        let known = |name: &str| PARAMETERS.iter().any(|parameter| parameter.name() == name);
        let unknown = listed.keys().filter(|name| !known(name));
        let mut faults: Vec<(String, String)> =
            unknown.map(|name| (name.clone(), "there is no such item".to_owned())).collect();
        let mut classes = Self([Class::Ignore; PARAMETERS.len()]);
        for (parameter, class) in PARAMETERS.iter().zip(classes.0.iter_mut()) {
            match listed.get(parameter.name()) {
                Some(listed) => *class = *listed,
                None => faults.push((parameter.name().to_owned(), "is missing".to_owned())),
            }
        }
        if faults.is_empty() { Ok(classes) } else { Err(faults) }
    }

    /// The class of an item.
    #[must_use]
    pub fn of(&self, parameter: Parameter) -> Class {
        let place = PARAMETERS.iter().position(|known| *known == parameter);
        place.and_then(|place| self.0.get(place).copied()).unwrap_or(Class::Ignore)
    }
}
