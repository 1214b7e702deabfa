//! Grammar of actions: clearances and instructions.

use super::super::item::{ItemRole, ItemValue, Parameter, RadioAction};
use super::super::token::TokenKind;
use super::super::values::Side;
use super::super::words::Keyword;
use super::{CallParser, ValueLabel};

impl CallParser<'_> {
    /// Keywords of clearances and instructions.
    pub(super) fn action_word(&mut self, key: Keyword) -> bool {
        self.runway_word(key) || self.ground_word(key) || self.air_word(key) || self.side_word(key)
    }

    /// Actions on runways.
    fn runway_word(&mut self, key: Keyword) -> bool {
        let next = self.key_at(self.at + 1);
        match key {
            Keyword::Cleared => {
                self.instruct();
                self.clause.cleared = self.role == ItemRole::Instruct;
                self.clause.begun = self.clause.cleared;
                self.at += 1;
            }
            Keyword::Takeoff => self.take_off(1),
            Keyword::Take if next == Some(Keyword::Off) => self.take_off(2),
            Keyword::Land if self.clause.cleared => self.act(RadioAction::Land, 1, false),
            Keyword::Land
                if self.key_at(self.at.wrapping_sub(1)) == Some(Keyword::To) && !self.clause.numbered =>
            {
                self.act(RadioAction::Land, 1, true);
            }
            Keyword::Landing => {
                let traffic = matches!(
                    next,
                    Some(Keyword::Traffic | Keyword::Type | Keyword::Cleared | Keyword::Filler)
                );
                let traffic = traffic || self.word_at(self.at + 1) == Some(TokenKind::Name);
                let traffic = traffic || self.key_before() == Some(Keyword::Traffic);
                if traffic { self.at += 1 } else { self.act(RadioAction::Land, 1, !self.clause.cleared) }
            }
            Keyword::LineUp => self.act(RadioAction::LineUp, 1, false),
            Keyword::Line => {
                let whole = next == Some(Keyword::Up);
                self.act(RadioAction::LineUp, 1 + usize::from(whole), !whole);
            }
            Keyword::Touch if self.key_at(self.at + 2) == Some(Keyword::Go) => {
                self.act(RadioAction::TouchAndGo, 3, false)
            }
            Keyword::Option if self.clause.cleared => self.act(RadioAction::TouchAndGo, 1, false),
            Keyword::GoAround => self.act(RadioAction::GoAround, 1, false),
            Keyword::Go if next == Some(Keyword::Around) => self.act(RadioAction::GoAround, 2, false),
            Keyword::Backtrack => self.act(RadioAction::Backtrack, 1, false),
            Keyword::Back if next == Some(Keyword::Track) => self.act(RadioAction::Backtrack, 2, false),
            Keyword::Cross if self.crosses() => {
                self.act(RadioAction::Cross, 1, false);
                self.clause.bound = Some(RadioAction::Cross);
            }
            _ => return false,
        }
        true
    }

    fn take_off(&mut self, words: usize) {
        let before = self.key_before();
        if self.clause.cancelled {
            self.act(RadioAction::CancelTakeOff, words, false);
        } else if matches!(before, Some(Keyword::After | Keyword::Before | Keyword::Ready)) {
            self.at += words;
        } else {
            self.act(RadioAction::TakeOff, words, false);
        }
    }

    /// `cross runway two seven`, not `crossing left to right`.
    fn crosses(&self) -> bool {
        let next = self.at + 1 + usize::from(self.key_at(self.at + 1) == Some(Keyword::The));
        self.key_at(next) == Some(Keyword::Runway) || self.word_at(next).is_some_and(TokenKind::is_numeric)
    }

    /// Actions on the ground.
    fn ground_word(&mut self, key: Keyword) -> bool {
        let next = self.key_at(self.at + 1);
        match key {
            Keyword::Hold if next == Some(Keyword::Short) => {
                self.instruct();
                self.act(RadioAction::HoldShort, 2, false);
                self.clause.bound = Some(RadioAction::HoldShort);
            }
            Keyword::Hold if next == Some(Keyword::Position) => {
                self.instruct();
                self.act(RadioAction::HoldPosition, 2, false);
            }
            Keyword::Hold if next == Some(Keyword::Decimal) => {
                self.label = ValueLabel::HoldingPoint;
                self.at += 2;
            }
            Keyword::Hold => self.act(RadioAction::HoldPosition, 1, true),
            Keyword::Push | Keyword::Start | Keyword::Taxi if self.is_asked_for() => self.at += 1,
            Keyword::Taxi => self.act(RadioAction::Taxi, 1, false),
            Keyword::Push | Keyword::Start => {
                let push = key == Keyword::Push;
                let whole = next == Some(if push { Keyword::Back } else { Keyword::Up });
                self.act(
                    if push { RadioAction::Push } else { RadioAction::Start },
                    1 + usize::from(whole),
                    false,
                );
                self.clause.approves = true;
            }
            Keyword::Vacate => self.act(RadioAction::Vacate, 1, false),
            Keyword::Stop => self.act(RadioAction::Stop, 1, false),
            Keyword::Give if next == Some(Keyword::Way) => {
                self.act(RadioAction::GiveWay, 2, false);
                self.clause.yielding = true;
            }
            Keyword::Follow => {
                self.act(RadioAction::Follow, 1, true);
                self.clause.yielding = true;
            }
            Keyword::Cancel => {
                self.clause.cancelled = true;
                self.at += 1;
            }
            _ => return false,
        }
        true
    }

    /// `ready for push-back` is a request or the answer to one, not a clearance.
    fn is_asked_for(&self) -> bool {
        let before = |words: usize| self.at.checked_sub(words).and_then(|at| self.key_at(at));
        before(2) == Some(Keyword::Ready) && matches!(before(1), Some(Keyword::Filler | Keyword::To))
    }

    /// Actions in the air and on the frequency.
    fn air_word(&mut self, key: Keyword) -> bool {
        let next = self.key_at(self.at + 1);
        match key {
            Keyword::Climb | Keyword::Descend => {
                self.instruct();
                let action = if key == Keyword::Climb { RadioAction::Climb } else { RadioAction::Descend };
                self.clause.passing = false;
                self.act(action, 1, false);
                self.label = ValueLabel::Level;
            }
            Keyword::Contact | Keyword::Monitor => {
                self.instruct();
                self.act(RadioAction::Contact, 1, false);
                self.label = ValueLabel::Frequency;
            }
            Keyword::Approach if self.clause.cleared && self.label != ValueLabel::Frequency => {
                self.act(RadioAction::Approach, 1, false);
            }
            Keyword::ApproachType => {
                let value = ItemValue::Code(self.lower(self.at));
                self.push(Parameter::ApproachType, value, self.at, self.at + 1);
                if self.clause.cleared {
                    self.act(RadioAction::Approach, 1, false);
                } else {
                    self.at += 1;
                }
                self.clause.doing = Some(RadioAction::Approach);
            }
            Keyword::Continue => {
                self.instruct();
                self.act(RadioAction::Continue, 1, false);
                // The runway of a continued approach is already known.
                if next == Some(Keyword::Approach) {
                    self.role = ItemRole::Expect;
                }
            }
            Keyword::Join => {
                self.act(RadioAction::Join, 1, false);
                self.clause.bound = Some(RadioAction::Join);
            }
            Keyword::Report => {
                self.act(RadioAction::Report, 1, true);
                self.role = ItemRole::Expect;
            }
            Keyword::Standby => self.stand_by(1),
            Keyword::Stand if next == Some(Keyword::By) => self.stand_by(2),
            Keyword::Expedite => self.act(RadioAction::Expedite, 1, true),
            Keyword::Orbit => self.act(RadioAction::Orbit, 1, false),
            Keyword::Extend => self.act(RadioAction::Extend, 1, false),
            Keyword::Ident => self.act(RadioAction::Ident, 1, false),
            Keyword::Resume => self.act(RadioAction::Resume, 1, true),
            _ => return false,
        }
        true
    }

    fn stand_by(&mut self, words: usize) {
        self.found.markers.standby = true;
        self.act(RadioAction::Standby, words, true);
        self.role = ItemRole::Expect;
    }

    /// Left and right, unless they are part of a runway.
    fn side_word(&mut self, key: Keyword) -> bool {
        let side = match key {
            Keyword::Left => Side::Left,
            Keyword::Right => Side::Right,
            _ => return false,
        };
        let next = self.key_at(self.at + 1);
        let figure = super::super::figure::figure(self.tokens, self.at + 1);
        let degrees = figure.is_some_and(|figure| {
            let unit = self.key_at(figure.next);
            figure.digits.len() == 3
                && !matches!(unit, Some(Keyword::Distance | Keyword::Time | Keyword::Knots | Keyword::Feet))
        });
        let turning = matches!(self.label, ValueLabel::Turn | ValueLabel::Heading)
            || matches!(next, Some(Keyword::Turn | Keyword::Heading));
        if turning || (degrees && self.label == ValueLabel::None) {
            self.push(Parameter::Turn, ItemValue::Side(side), self.at, self.at + 1);
            self.label = ValueLabel::Turn;
        } else {
            self.push(Parameter::Side, ItemValue::Side(side), self.at, self.at + 1);
        }
        self.at += 1;
        true
    }

    /// Adds an action and skips its tokens.
    fn act(&mut self, action: RadioAction, words: usize, weak: bool) {
        let weak = weak || self.clause.alternative;
        let to = self.at + words;
        self.push_item(Parameter::Action(action), ItemValue::Said, self.at, to, weak, None);
        if is_on_runway(action) {
            self.clause.doing = Some(action);
            self.clause.begun = false;
            self.claim_runway();
        }
        self.clause.alternative = false;
        self.at = to;
    }

    /// Turns a runway given as information just before into part of the instruction.
    fn claim_runway(&mut self) {
        self.role = if self.role == ItemRole::Inform { ItemRole::Instruct } else { self.role };
        let role = self.role;
        if let Some(item) = self.found.items.last_mut()
            && matches!(item.parameter, Parameter::Action(_))
        {
            item.role = role;
        }
        let last = self.found.items.iter_mut().rev().take(4);
        if let Some(runway) = last.into_iter().find(|item| item.parameter == Parameter::Runway)
            && runway.role == ItemRole::Inform
        {
            runway.role = role;
        }
    }

    /// Ends a passage of information or expectation at an instruction.
    pub(super) fn instruct(&mut self) {
        if matches!(self.role, ItemRole::Inform) || (self.role == ItemRole::Expect && self.ends_expectation())
        {
            self.role = ItemRole::Instruct;
        }
    }

    fn ends_expectation(&self) -> bool {
        !matches!(self.key_at(self.at), Some(Keyword::Cleared | Keyword::Hold | Keyword::Continue))
    }
}

const fn is_on_runway(action: RadioAction) -> bool {
    matches!(
        action,
        RadioAction::TakeOff
            | RadioAction::Land
            | RadioAction::LineUp
            | RadioAction::TouchAndGo
            | RadioAction::Backtrack
            | RadioAction::Cross
            | RadioAction::Approach
    )
}
