//! Readback classes: items that must be read back, must agree if said, or are ignored.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::item::{ClearanceCondition, Parameter, RadioAction};

/// Readback class of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReadbackClass {
    /// The item must be read back.
    Required,
    /// The item must agree if it is said.
    Match,
    /// The item is not compared.
    Ignore,
}

/// Readback class of every item.
#[derive(Debug, Clone, Copy)]
pub struct ReadbackClasses([ReadbackClass; ROWS]);

/// Builds [`PARAMETERS`] and the lookup into it from one list. The lookup is an exhaustive match: a new
/// variant of [`Parameter`], [`ClearanceCondition`] or [`RadioAction`] does not compile until it is listed or
/// left out below.
macro_rules! item_table {
    (
        values: $($value:ident),+;
        conditions: $($condition:ident),+;
        actions: $($action:ident),+;
        values_without_class: $($free_value:ident),+;
        actions_without_class: $($free_action:ident),+;
    ) => {
        /// One row for each item that has a class.
        #[derive(Clone, Copy)]
        enum ItemRow { $($value,)+ $($condition,)+ $($action,)+ }

        const ROWS: usize = [$(ItemRow::$value,)+ $(ItemRow::$condition,)+ $(ItemRow::$action,)+].len();

        /// The items that a rulebook puts into classes, in the order of the table.
        pub(crate) const PARAMETERS: [Parameter; ROWS] = [
            $(Parameter::$value,)+
            $(Parameter::Condition(ClearanceCondition::$condition),)+
            $(Parameter::Action(RadioAction::$action),)+
        ];

        /// The row of an item; none for an item without a class.
        const fn row_of(parameter: Parameter) -> Option<ItemRow> {
            match parameter {
                $(Parameter::$value => Some(ItemRow::$value),)+
                $(Parameter::Condition(ClearanceCondition::$condition) => Some(ItemRow::$condition),)+
                $(Parameter::Action(RadioAction::$action) => Some(ItemRow::$action),)+
                $(Parameter::$free_value)|+ => None,
                $(Parameter::Action(RadioAction::$free_action))|+ => None,
            }
        }
    };
}

item_table! {
    values: Runway, HoldingPoint, Stand, Route, Level, Heading, Speed, Mach, Qnh, Squawk, Frequency, Information,
        Procedure, Destination, Direct, Turn, Side, Facing, ApproachType, Leg, Sequence, Rate;
    conditions: Behind, After, Until, Before, When, OrAbove, OrBelow;
    actions: TakeOff, Land, LineUp, TouchAndGo, GoAround, HoldShort, HoldPosition, Cross, Backtrack, Approach,
        CancelTakeOff, Stop, Climb, Descend, Taxi, Push, Start, Vacate, Continue, GiveWay, Join, Ident;
    values_without_class: Loose, LooseCode;
    actions_without_class: Follow, Expedite, Report, Contact, Standby, Orbit, Extend, Resume;
}

impl ReadbackClasses {
    /// Builds the table from the lists of a rulebook; an item that no list names is ignored.
    #[must_use]
    pub fn read(listed: &BTreeMap<String, ReadbackClass>) -> Self {
        let class_of = |parameter: Parameter| listed.get(parameter.name()).copied();
        Self(PARAMETERS.map(|parameter| class_of(parameter).unwrap_or(ReadbackClass::Ignore)))
    }

    /// The class of an item; an item that rulebooks do not classify is ignored.
    #[must_use]
    pub fn of(&self, parameter: Parameter) -> ReadbackClass {
        let class = row_of(parameter).and_then(|row| self.0.get(row as usize));
        class.copied().unwrap_or(ReadbackClass::Ignore)
    }
}

#[test]
fn every_item_is_found_in_its_own_row() {
    for (row, parameter) in PARAMETERS.into_iter().enumerate() {
        assert_eq!(row_of(parameter).map(|found| found as usize), Some(row), "{}", parameter.name());
    }
}
