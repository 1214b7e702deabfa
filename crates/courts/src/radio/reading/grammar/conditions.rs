//! Conditions, expectations, requests, and what is only told.

use super::super::figure::figure;
use super::super::item::{Condition, Parameter, Role, Value};
use super::super::token::Word;
use super::super::words::Key;
use super::{Label, Scanner};

impl Scanner<'_> {
    /// Words that say when, whether, or that nothing is to be done.
    pub(super) fn condition_word(&mut self, key: Key) -> bool {
        let next = self.key_at(self.at + 1);
        match key {
            Key::Behind => self.condition(Condition::Behind, 1, !self.somebody_follows()),
            Key::After => self.condition(Condition::After, 1, !self.somebody_follows()),
            Key::Until => self.condition(Condition::Until, 1, false),
            Key::Before => self.condition(Condition::Before, 1, true),
            Key::When => self.condition(Condition::When, 1, true),
            Key::Or if next == Some(Key::Above) => self.condition(Condition::OrAbove, 2, false),
            Key::Or if next == Some(Key::Below) => self.condition(Condition::OrBelow, 2, false),
            Key::Not if next == Some(Key::Above) => self.condition(Condition::OrBelow, 2, false),
            Key::Not if next == Some(Key::Below) => self.condition(Condition::OrAbove, 2, false),
            Key::Or => {
                self.clause.alternative = true;
                self.at += 1;
            }
            Key::Passing => {
                self.clause.passing = true;
                self.at += 1;
            }
            Key::Expect => {
                self.role = Role::Expect;
                self.at += 1;
            }
            Key::Request | Key::Ready => {
                let asks = key == Key::Request;
                self.found.said.request |= asks;
                self.role = if asks { Role::Request } else { self.role };
                self.at += 1;
            }
            Key::Wind => self.wind(),
            _ => return false,
        }
        true
    }

    /// Whether the condition names whom it is about.
    fn somebody_follows(&self) -> bool {
        let next = self.key_at(self.at + 1);
        matches!(next, Some(Key::The | Key::Traffic | Key::Type | Key::Landing | Key::Filler))
            || self.word_at(self.at + 1) == Some(Word::Name)
    }

    fn condition(&mut self, condition: Condition, words: usize, weak: bool) {
        let to = self.at + words;
        self.push_item(Parameter::Condition(condition), Value::Said, (self.at, to), weak, None);
        self.at = to;
    }

    /// Steps over the numbers of a wind.
    fn wind(&mut self) {
        self.at += 1;
        self.label = Label::None;
        loop {
            match self.word_at(self.at) {
                Some(Word::Key(
                    Key::Degrees
                    | Key::Knots
                    | Key::Gusting
                    | Key::Calm
                    | Key::Variable
                    | Key::At
                    | Key::And
                    | Key::Filler
                    | Key::Wind
                    | Key::To,
                )) => self.at += 1,
                Some(word) if word.is_numeric() => {
                    let Some(figure) = figure(self.tokens, self.at) else { break };
                    let runway =
                        matches!(self.key_at(figure.next), Some(Key::Left | Key::Right | Key::Center));
                    if runway || figure.scaled {
                        break;
                    }
                    self.at = figure.next;
                }
                Some(Word::Comma) if self.wind_goes_on() => self.at += 1,
                _ => break,
            }
        }
    }

    /// Behind a pause, only a number of knots is still the wind.
    fn wind_goes_on(&self) -> bool {
        let speed = figure(self.tokens, self.at + 1);
        let after = speed.and_then(|speed| self.key_at(speed.next));
        matches!(after, Some(Key::Knots | Key::Gusting | Key::Degrees))
            || self.key_at(self.at + 1) == Some(Key::Gusting)
    }
}
