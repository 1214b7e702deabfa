//! A controller's words against the pilot's: what had to be read back, what was, and what is wrong.

use super::classes::{Class, Classes};
use super::finding::{About, ErrorKind, Finding};
use super::grammar::Scanned;
use super::item::{Action, Condition, Item, Parameter, Role};
use super::matching::{self, Match};

/// More items than any transmission has; what comes after them is not compared.
const MOST: usize = 48;

/// What is wrong with an answer, in the order of the controller's words.
pub(super) fn compare(
    classes: &Classes,
    controller: &Scanned,
    pilot: &Scanned,
    pilot_text: &str,
) -> Vec<Finding> {
    let mut comparing = Comparing {
        classes,
        given: controller.items.get(..MOST).unwrap_or(&controller.items),
        said: pilot.items.get(..MOST).unwrap_or(&pilot.items),
        words: pilot,
        text: pilot_text,
        used: [false; MOST],
        findings: Vec::new(),
    };
    comparing.forget_corrected();
    if comparing.is_other_business() {
        return Vec::new();
    }
    if comparing.is_only_acknowledged() {
        comparing.find(ErrorKind::RogerOnly, About::Readback, "a readback".into(), None);
        return comparing.findings;
    }
    comparing.all();
    comparing.extra_clearances(controller);
    comparing.findings
}

struct Comparing<'a> {
    classes: &'a Classes,
    given: &'a [Item],
    said: &'a [Item],
    words: &'a Scanned,
    text: &'a str,
    used: [bool; MOST],
    findings: Vec<Finding>,
}

impl Comparing<'_> {
    /// What was said before `correction` does not count where it was said anew.
    fn forget_corrected(&mut self) {
        let Some(before) = self.words.said.correction else { return };
        for (index, item) in self.said.iter().enumerate().take(before) {
            let anew = self.said.iter().skip(before).any(|later| {
                later.parameter == item.parameter
                    || (later.parameter == Parameter::Loose && item.digits().is_some())
            });
            if let (true, Some(used)) = (anew, self.used.get_mut(index)) {
                *used = true;
            }
        }
    }

    /// `say again`, `standby` and `unable` are answers of their own.
    fn is_other_business(&self) -> bool {
        let said = self.words.said;
        let told_to_stand_by =
            self.given.iter().any(|item| item.parameter == Parameter::Action(Action::Standby));
        said.say_again || said.unable || (said.standby && !told_to_stand_by)
    }

    fn is_only_acknowledged(&self) -> bool {
        let said = self.words.said;
        let acknowledged = said.roger || said.wilco || said.affirm;
        let nothing =
            self.said.iter().all(|item| matches!(item.parameter, Parameter::Loose | Parameter::LooseCode));
        acknowledged && nothing && self.given.iter().any(|item| self.class(item) == Class::Required)
    }

    /// The rulebook says what must be read back; what was expected, alternative or vague need only agree.
    fn class(&self, item: &Item) -> Class {
        let class = self.classes.of(item.parameter);
        let soft = item.weak && matches!(item.parameter, Parameter::Action(_) | Parameter::Condition(_));
        match item.role {
            Role::Inform | Role::State | Role::Request => Class::Ignore,
            Role::Expect if class == Class::Required => Class::Match,
            Role::Instruct if class == Class::Required && soft => Class::Match,
            _ => class,
        }
    }

    fn all(&mut self) {
        // Exact matches first, so that no value is taken for a wrong one of another item.
        let mut settled = [false; MOST];
        for (given, settled) in self.given.iter().zip(settled.iter_mut()) {
            if self.class(given) != Class::Ignore && !is_deed(given) {
                *settled = self.take(given, Match::Exact);
            }
        }
        for (given, settled) in self.given.iter().zip(settled.iter_mut()) {
            if !*settled && self.class(given) == Class::Required && !is_deed(given) {
                *settled = self.take(given, Match::Loose);
            }
        }
        for (given, settled) in self.given.iter().zip(settled) {
            match (self.class(given), given.parameter) {
                (Class::Ignore, _) => {}
                (class, Parameter::Action(action)) => self.action(given, action, class),
                (class, Parameter::Condition(condition)) => self.condition(given, condition, class),
                (class, _) if !settled => self.value(given, class),
                _ => {}
            }
        }
    }

    /// Finds an unused item that agrees, and uses it up.
    fn take(&mut self, given: &Item, how: Match) -> bool {
        for (said, used) in self.said.iter().zip(self.used.iter_mut()) {
            if !*used && matching::agree(given, said, how) {
                *used = true;
                if let Some(words) = matching::words_left_out(given, said) {
                    let about = About::Item(given.parameter);
                    let finding = Finding {
                        kind: ErrorKind::WordsLeftOut,
                        about,
                        expected: words.to_owned(),
                        said: self.text.get(said.span.0..said.span.1).unwrap_or_default().to_owned(),
                        span: said.span,
                    };
                    self.findings.push(finding);
                }
                return true;
            }
        }
        false
    }

    /// A value that was not found as it was given.
    fn value(&mut self, given: &Item, class: Class) {
        let about = About::Item(given.parameter);
        let known = |said: &Item| self.given.iter().any(|other| matching::agree(other, said, Match::Exact));
        let mut candidates = self.said.iter().zip(self.used).enumerate();
        let same = candidates.find(|(_, (said, used))| {
            !used && matching::is_same_kind(given, said) && said.role != Role::State && !known(said)
        });
        let other = || {
            let mut unused = self.said.iter().zip(self.used).enumerate();
            unused.find(|(_, (said, used))| !used && !known(said) && matching::misplaced(given, said))
        };
        let near = || {
            let mut unused = self.said.iter().zip(self.used).enumerate();
            unused.find(|(_, (said, used))| !used && !known(said) && matching::near(given, said))
        };
        if let Some((index, (said, _))) = same {
            let torn = said.trails_off && self.words.said.unfinished;
            let kind = if torn { ErrorKind::Unclear } else { matching::difference(given, said) };
            self.use_up(index);
            self.find(kind, about, given.value.to_string(), Some(said));
        } else if class != Class::Required {
        } else if let Some((index, (said, _))) = other() {
            self.use_up(index);
            self.find(ErrorKind::WrongParameter, about, given.value.to_string(), Some(said));
        } else if let Some((index, (said, _))) = near() {
            let kind = matching::difference(given, said);
            self.use_up(index);
            self.find(kind, about, given.value.to_string(), Some(said));
        } else {
            self.omitted(given);
        }
    }

    fn omitted(&mut self, given: &Item) {
        // What a controller says twice need be read back once.
        let mut before = self.given.iter().take_while(|earlier| !std::ptr::eq(*earlier, given));
        if before.any(|earlier| matching::agree(earlier, given, Match::Exact)) {
            return;
        }
        let mut unused = self.said.iter().zip(self.used).filter(|(_, used)| !used);
        let fragment = unused.any(|(said, _)| matching::is_fragment(given, said));
        let lost = fragment || self.words.said.unfinished;
        let kind = if lost { ErrorKind::Unclear } else { ErrorKind::Omission };
        self.find(kind, About::Item(given.parameter), given.value.to_string(), None);
    }

    fn use_up(&mut self, index: usize) {
        if let Some(used) = self.used.get_mut(index) {
            *used = true;
        }
    }

    fn action(&mut self, given: &Item, action: Action, class: Class) {
        if self.said.iter().any(|said| matching::does(action, said)) {
            return;
        }
        let about = About::Item(given.parameter);
        let other = self.said.iter().find(|said| self.conflicts(action, said));
        if let Some(other) = other {
            self.find(ErrorKind::WrongAction, about, action.phrase().into_owned(), Some(other));
        } else if class == Class::Required {
            let kind =
                if matching::begun(action, self.words) { ErrorKind::Unclear } else { ErrorKind::Omission };
            self.find(kind, about, action.phrase().into_owned(), None);
        }
    }

    /// Whether something was said that is not what was given and cannot stand beside it.
    fn conflicts(&self, action: Action, said: &Item) -> bool {
        let Parameter::Action(other) = said.parameter else { return false };
        let given = self.given.iter().any(|given| given.parameter == said.parameter);
        let level =
            matches!((action, other), (Action::Climb, Action::Descend) | (Action::Descend, Action::Climb));
        let role = !matches!(said.role, Role::Request | Role::Expect | Role::Inform);
        role && !given
            && !said.weak
            && (level || (matching::keeps_off_or_uses(action) && matching::is_runway_use(other)))
    }

    fn condition(&mut self, given: &Item, condition: Condition, class: Class) {
        let said = self.said.iter().any(|said| matching::keeps(condition, given, said));
        if !said && class == Class::Required {
            let expected = condition.name().replace('_', " ");
            self.find(ErrorKind::DroppedCondition, About::Item(given.parameter), expected, None);
        }
    }

    /// Clearances that nobody gave.
    fn extra_clearances(&mut self, controller: &Scanned) {
        let wrong = self.findings.iter().any(|finding| finding.kind == ErrorKind::WrongAction);
        let asked =
            controller.said.request && self.given.iter().all(|item| self.class(item) != Class::Required);
        let extra = self.said.iter().find(|said| {
            let Parameter::Action(action) = said.parameter else {
                return asked && matches!(said.parameter, Parameter::Procedure | Parameter::Squawk);
            };
            let given = self.given.iter().any(|given| given.parameter == said.parameter);
            said.role == Role::Instruct && !said.weak && !given && matching::is_runway_use(action)
        });
        if let (Some(extra), false) = (extra, wrong) {
            self.find(ErrorKind::ExtraClearance, About::Item(extra.parameter), String::new(), Some(extra));
        }
    }

    fn find(&mut self, kind: ErrorKind, about: About, expected: String, said: Option<&Item>) {
        let end = self.text.len();
        let span = said.map_or((end, end), |item| item.span);
        let said =
            said.map_or_else(String::new, |_| self.text.get(span.0..span.1).unwrap_or_default().to_owned());
        self.findings.push(Finding { kind, about, expected, said, span });
    }
}

/// Actions and conditions are not values.
const fn is_deed(item: &Item) -> bool {
    matches!(item.parameter, Parameter::Action(_) | Parameter::Condition(_))
}
