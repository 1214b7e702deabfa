//! Grammar of conditions, expectations, requests and wind.

use super::super::figure::figure;
use super::super::item::{ClearanceCondition, ItemRole, ItemValue, Parameter};
use super::super::token::TokenKind;
use super::super::words::Keyword;
use super::{CallParser, ValueLabel};

impl CallParser<'_> {
    /// Keywords of conditions, expectations, requests and wind.
    pub(super) fn condition_word(&mut self, key: Keyword) -> bool {
        let next = self.key_at(self.at + 1);
        match key {
            Keyword::Behind => self.condition(ClearanceCondition::Behind, 1, !self.somebody_follows()),
            Keyword::After => self.condition(ClearanceCondition::After, 1, !self.somebody_follows()),
            Keyword::Until => self.condition(ClearanceCondition::Until, 1, false),
            Keyword::Before => self.condition(ClearanceCondition::Before, 1, true),
            Keyword::When => self.condition(ClearanceCondition::When, 1, true),
            Keyword::Or if next == Some(Keyword::Above) => {
                self.condition(ClearanceCondition::OrAbove, 2, false)
            }
            Keyword::Or if next == Some(Keyword::Below) => {
                self.condition(ClearanceCondition::OrBelow, 2, false)
            }
            Keyword::Not if next == Some(Keyword::Above) => {
                self.condition(ClearanceCondition::OrBelow, 2, false)
            }
            Keyword::Not if next == Some(Keyword::Below) => {
                self.condition(ClearanceCondition::OrAbove, 2, false)
            }
            Keyword::Or => {
                self.clause.alternative = true;
                self.at += 1;
            }
            Keyword::Passing => {
                self.clause.passing = true;
                self.at += 1;
            }
            Keyword::Expect => {
                self.role = ItemRole::Expect;
                self.at += 1;
            }
            Keyword::Request | Keyword::Ready => {
                let asks = key == Keyword::Request;
                self.found.markers.request |= asks;
                self.role = if asks { ItemRole::Request } else { self.role };
                self.at += 1;
            }
            Keyword::Wind => self.wind(),
            _ => return false,
        }
        true
    }

    /// Whether the condition names other traffic.
    fn somebody_follows(&self) -> bool {
        let next = self.key_at(self.at + 1);
        matches!(
            next,
            Some(Keyword::The | Keyword::Traffic | Keyword::Type | Keyword::Landing | Keyword::Filler)
        ) || self.word_at(self.at + 1) == Some(TokenKind::Name)
    }

    fn condition(&mut self, condition: ClearanceCondition, words: usize, weak: bool) {
        let to = self.at + words;
        self.push_item(Parameter::Condition(condition), ItemValue::Said, self.at, to, weak, None);
        self.at = to;
    }

    /// Skips the numbers of a wind report.
    fn wind(&mut self) {
        self.at += 1;
        self.label = ValueLabel::None;
        loop {
            match self.word_at(self.at) {
                Some(TokenKind::Keyword(
                    Keyword::Degrees
                    | Keyword::Knots
                    | Keyword::Gusting
                    | Keyword::Calm
                    | Keyword::Variable
                    | Keyword::At
                    | Keyword::And
                    | Keyword::Filler
                    | Keyword::Wind
                    | Keyword::To,
                )) => self.at += 1,
                Some(word) if word.is_numeric() => {
                    let Some(figure) = figure(self.tokens, self.at) else { break };
                    let runway = matches!(
                        self.key_at(figure.next),
                        Some(Keyword::Left | Keyword::Right | Keyword::Center)
                    );
                    if runway || figure.scaled {
                        break;
                    }
                    self.at = figure.next;
                }
                Some(TokenKind::Comma) if self.wind_goes_on() => self.at += 1,
                _ => break,
            }
        }
    }

    /// After a pause, only a number with a unit of wind continues the report.
    fn wind_goes_on(&self) -> bool {
        let speed = figure(self.tokens, self.at + 1);
        let after = speed.and_then(|speed| self.key_at(speed.next));
        matches!(after, Some(Keyword::Knots | Keyword::Gusting | Keyword::Degrees))
            || self.key_at(self.at + 1) == Some(Keyword::Gusting)
    }
}
