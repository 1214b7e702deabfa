//! What is to be done: clearances and instructions.

use super::super::item::{Action, Parameter, Role, Value};
use super::super::token::Word;
use super::super::values::Side;
use super::super::words::Key;
use super::{Label, Scanner};

impl Scanner<'_> {
    /// Words of clearances and instructions.
    pub(super) fn action_word(&mut self, key: Key) -> bool {
        self.runway_word(key) || self.ground_word(key) || self.air_word(key) || self.side_word(key)
    }

    /// What is done on runways.
    fn runway_word(&mut self, key: Key) -> bool {
        let next = self.key_at(self.at + 1);
        match key {
            Key::Cleared => {
                self.instruct();
                self.clause.cleared = self.role == Role::Instruct;
                self.clause.begun = self.clause.cleared;
                self.at += 1;
            }
            Key::Takeoff => self.take_off(1),
            Key::Take if next == Some(Key::Off) => self.take_off(2),
            Key::Land if self.clause.cleared => self.act(Action::Land, 1, false),
            Key::Land if self.key_at(self.at.wrapping_sub(1)) == Some(Key::To) && !self.clause.numbered => {
                self.act(Action::Land, 1, true);
            }
            Key::Landing => {
                let traffic = matches!(next, Some(Key::Traffic | Key::Type | Key::Cleared | Key::Filler));
                let traffic = traffic || self.word_at(self.at + 1) == Some(Word::Name);
                let traffic = traffic || self.key_before() == Some(Key::Traffic);
                if traffic { self.at += 1 } else { self.act(Action::Land, 1, !self.clause.cleared) }
            }
            Key::LineUp => self.act(Action::LineUp, 1, false),
            Key::Line => {
                let whole = next == Some(Key::Up);
                self.act(Action::LineUp, 1 + usize::from(whole), !whole);
            }
            Key::Touch if self.key_at(self.at + 2) == Some(Key::Go) => self.act(Action::TouchAndGo, 3, false),
            Key::Option if self.clause.cleared => self.act(Action::TouchAndGo, 1, false),
            Key::GoAround => self.act(Action::GoAround, 1, false),
            Key::Go if next == Some(Key::Around) => self.act(Action::GoAround, 2, false),
            Key::Backtrack => self.act(Action::Backtrack, 1, false),
            Key::Back if next == Some(Key::Track) => self.act(Action::Backtrack, 2, false),
            Key::Cross if self.crosses() => {
                self.act(Action::Cross, 1, false);
                self.clause.bound = Some(Action::Cross);
            }
            _ => return false,
        }
        true
    }

    fn take_off(&mut self, words: usize) {
        let before = self.key_before();
        if self.clause.cancelled {
            self.act(Action::CancelTakeOff, words, false);
        } else if matches!(before, Some(Key::After | Key::Before | Key::Ready)) {
            self.at += words;
        } else {
            self.act(Action::TakeOff, words, false);
        }
    }

    /// `cross runway two seven`, not `crossing left to right`.
    fn crosses(&self) -> bool {
        let next = self.at + 1 + usize::from(self.key_at(self.at + 1) == Some(Key::The));
        self.key_at(next) == Some(Key::Runway) || self.word_at(next).is_some_and(Word::is_numeric)
    }

    /// What is done on the ground.
    fn ground_word(&mut self, key: Key) -> bool {
        let next = self.key_at(self.at + 1);
        match key {
            Key::Hold if next == Some(Key::Short) => {
                self.instruct();
                self.act(Action::HoldShort, 2, false);
                self.clause.bound = Some(Action::HoldShort);
            }
            Key::Hold if next == Some(Key::Position) => {
                self.instruct();
                self.act(Action::HoldPosition, 2, false);
            }
            Key::Hold if next == Some(Key::Decimal) => {
                self.label = Label::HoldingPoint;
                self.at += 2;
            }
            Key::Hold => self.act(Action::HoldPosition, 1, true),
            Key::Push | Key::Start | Key::Taxi if self.is_asked_for() => self.at += 1,
            Key::Taxi => self.act(Action::Taxi, 1, false),
            Key::Push | Key::Start => {
                let push = key == Key::Push;
                let whole = next == Some(if push { Key::Back } else { Key::Up });
                self.act(if push { Action::Push } else { Action::Start }, 1 + usize::from(whole), false);
                self.clause.approves = true;
            }
            Key::Vacate => self.act(Action::Vacate, 1, false),
            Key::Stop => self.act(Action::Stop, 1, false),
            Key::Give if next == Some(Key::Way) => {
                self.act(Action::GiveWay, 2, false);
                self.clause.yielding = true;
            }
            Key::Follow => {
                self.act(Action::Follow, 1, true);
                self.clause.yielding = true;
            }
            Key::Cancel => {
                self.clause.cancelled = true;
                self.at += 1;
            }
            _ => return false,
        }
        true
    }

    /// `ready for push-back` is a question or its answer.
    fn is_asked_for(&self) -> bool {
        let before = |words: usize| self.at.checked_sub(words).and_then(|at| self.key_at(at));
        before(2) == Some(Key::Ready) && matches!(before(1), Some(Key::Filler | Key::To))
    }

    /// What is done in the air and on the frequency.
    fn air_word(&mut self, key: Key) -> bool {
        let next = self.key_at(self.at + 1);
        match key {
            Key::Climb | Key::Descend => {
                self.instruct();
                let action = if key == Key::Climb { Action::Climb } else { Action::Descend };
                self.clause.passing = false;
                self.act(action, 1, false);
                self.label = Label::Level;
            }
            Key::Contact | Key::Monitor => {
                self.instruct();
                self.act(Action::Contact, 1, false);
                self.label = Label::Frequency;
            }
            Key::Approach if self.clause.cleared && self.label != Label::Frequency => {
                self.act(Action::Approach, 1, false);
            }
            Key::ApproachType => {
                let value = Value::Code(self.lower(self.at));
                self.push(Parameter::ApproachType, value, self.at, self.at + 1);
                if self.clause.cleared {
                    self.act(Action::Approach, 1, false);
                } else {
                    self.at += 1;
                }
                self.clause.doing = Some(Action::Approach);
            }
            Key::Continue => {
                self.instruct();
                self.act(Action::Continue, 1, false);
                // The runway of an approach that goes on is known already.
                if next == Some(Key::Approach) {
                    self.role = Role::Expect;
                }
            }
            Key::Join => {
                self.act(Action::Join, 1, false);
                self.clause.bound = Some(Action::Join);
            }
            Key::Report => {
                self.act(Action::Report, 1, true);
                self.role = Role::Expect;
            }
            Key::Standby => self.stand_by(1),
            Key::Stand if next == Some(Key::By) => self.stand_by(2),
            Key::Expedite => self.act(Action::Expedite, 1, true),
            Key::Orbit => self.act(Action::Orbit, 1, false),
            Key::Extend => self.act(Action::Extend, 1, false),
            Key::Ident => self.act(Action::Ident, 1, false),
            Key::Resume => self.act(Action::Resume, 1, true),
            _ => return false,
        }
        true
    }

    fn stand_by(&mut self, words: usize) {
        self.found.said.standby = true;
        self.act(Action::Standby, words, true);
        self.role = Role::Expect;
    }

    /// Left and right, where they are not part of a runway.
    fn side_word(&mut self, key: Key) -> bool {
        let side = match key {
            Key::Left => Side::Left,
            Key::Right => Side::Right,
            _ => return false,
        };
        let next = self.key_at(self.at + 1);
        let figure = super::super::figure::figure(self.tokens, self.at + 1);
        let degrees = figure.is_some_and(|figure| {
            let unit = self.key_at(figure.next);
            figure.digits.len() == 3
                && !matches!(unit, Some(Key::Distance | Key::Time | Key::Knots | Key::Feet))
        });
        let turning = matches!(self.label, Label::Turn | Label::Heading)
            || matches!(next, Some(Key::Turn | Key::Heading));
        if turning || (degrees && self.label == Label::None) {
            self.push(Parameter::Turn, Value::Side(side), self.at, self.at + 1);
            self.label = Label::Turn;
        } else {
            self.push(Parameter::Side, Value::Side(side), self.at, self.at + 1);
        }
        self.at += 1;
        true
    }

    /// Notes an action and steps over its words.
    fn act(&mut self, action: Action, words: usize, weak: bool) {
        let weak = weak || self.clause.alternative;
        let to = self.at + words;
        self.push_item(Parameter::Action(action), Value::Said, (self.at, to), weak, None);
        if is_on_runway(action) {
            self.clause.doing = Some(action);
            self.clause.begun = false;
            self.claim_runway();
        }
        self.clause.alternative = false;
        self.at = to;
    }

    /// A runway that was told just before belongs to what is now done on it.
    fn claim_runway(&mut self) {
        self.role = if self.role == Role::Inform { Role::Instruct } else { self.role };
        let role = self.role;
        if let Some(item) = self.found.items.last_mut()
            && matches!(item.parameter, Parameter::Action(_))
        {
            item.role = role;
        }
        let last = self.found.items.iter_mut().rev().take(4);
        if let Some(runway) = last.into_iter().find(|item| item.parameter == Parameter::Runway)
            && runway.role == Role::Inform
        {
            runway.role = role;
        }
    }

    /// An instruction ends what was only told, and what was only expected.
    pub(super) fn instruct(&mut self) {
        if matches!(self.role, Role::Inform) || (self.role == Role::Expect && self.ends_expectation()) {
            self.role = Role::Instruct;
        }
    }

    fn ends_expectation(&self) -> bool {
        !matches!(self.key_at(self.at), Some(Key::Cleared | Key::Hold | Key::Continue))
    }
}

const fn is_on_runway(action: Action) -> bool {
    matches!(
        action,
        Action::TakeOff
            | Action::Land
            | Action::LineUp
            | Action::TouchAndGo
            | Action::Backtrack
            | Action::Cross
            | Action::Approach
    )
}
