//! Compares the parsed items of a controller with those of the pilot's readback.

use super::classes::{ReadbackClass, ReadbackClasses};
use super::finding::{ErrorKind, Finding, FindingSubject};
use super::grammar::ParsedItems;
use super::item::{CallItem, ClearanceCondition, ItemRole, Parameter, RadioAction};
use super::matching::{self, MatchMode};

/// Maximum number of compared items; later ones are not compared.
const MOST: usize = 48;

/// Errors in a readback, in the order of the controller's items.
pub(super) fn compare(
    classes: &ReadbackClasses,
    controller: &ParsedItems,
    pilot: &ParsedItems,
    pilot_text: &str,
) -> Vec<Finding> {
    let mut comparing = ReadbackComparison {
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
        comparing.find(ErrorKind::RogerOnly, FindingSubject::Readback, "a readback".into(), None);
        return comparing.findings;
    }
    comparing.all();
    comparing.extra_clearances(controller);
    comparing.findings
}

struct ReadbackComparison<'a> {
    classes: &'a ReadbackClasses,
    given: &'a [CallItem],
    said: &'a [CallItem],
    words: &'a ParsedItems,
    text: &'a str,
    used: [bool; MOST],
    findings: Vec<Finding>,
}

impl ReadbackComparison<'_> {
    /// Discards items before `correction` that are repeated after it.
    fn forget_corrected(&mut self) {
        let Some(before) = self.words.markers.correction else { return };
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

    /// `say again`, `standby` and `unable` are not readbacks.
    fn is_other_business(&self) -> bool {
        let markers = self.words.markers;
        let told_to_stand_by =
            self.given.iter().any(|item| item.parameter == Parameter::Action(RadioAction::Standby));
        markers.say_again || markers.unable || (markers.standby && !told_to_stand_by)
    }

    fn is_only_acknowledged(&self) -> bool {
        let markers = self.words.markers;
        let acknowledged = markers.roger || markers.wilco || markers.affirm;
        let nothing =
            self.said.iter().all(|item| matches!(item.parameter, Parameter::Loose | Parameter::LooseCode));
        acknowledged && nothing && self.given.iter().any(|item| self.class(item) == ReadbackClass::Required)
    }

    /// Class of an item by the rulebook, lowered for expectations, alternatives and weak matches, which need
    /// only agree.
    fn class(&self, item: &CallItem) -> ReadbackClass {
        let class = self.classes.of(item.parameter);
        let soft = item.weak && matches!(item.parameter, Parameter::Action(_) | Parameter::Condition(_));
        match item.role {
            ItemRole::Inform | ItemRole::State | ItemRole::Request => ReadbackClass::Ignore,
            ItemRole::Expect if class == ReadbackClass::Required => ReadbackClass::Match,
            ItemRole::Instruct if class == ReadbackClass::Required && soft => ReadbackClass::Match,
            _ => class,
        }
    }

    fn all(&mut self) {
        // Exact matches first, so that a value is not reported as a wrong value of another item.
        let mut settled = [false; MOST];
        for (given, settled) in self.given.iter().zip(settled.iter_mut()) {
            if self.class(given) != ReadbackClass::Ignore && !is_deed(given) {
                *settled = self.take(given, MatchMode::Exact);
            }
        }
        for (given, settled) in self.given.iter().zip(settled.iter_mut()) {
            if !*settled && self.class(given) == ReadbackClass::Required && !is_deed(given) {
                *settled = self.take(given, MatchMode::Loose);
            }
        }
        for (given, settled) in self.given.iter().zip(settled) {
            match (self.class(given), given.parameter) {
                (ReadbackClass::Ignore, _) => {}
                (class, Parameter::Action(action)) => self.action(given, action, class),
                (class, Parameter::Condition(condition)) => self.condition(given, condition, class),
                (class, _) if !settled => self.value(given, class),
                _ => {}
            }
        }
    }

    /// Finds an unused item that agrees, and marks it as used.
    fn take(&mut self, given: &CallItem, how: MatchMode) -> bool {
        for (said, used) in self.said.iter().zip(self.used.iter_mut()) {
            if !*used && matching::agree(given, said, how) {
                *used = true;
                if let Some(words) = matching::words_left_out(given, said) {
                    let about = FindingSubject::Item(given.parameter);
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

    /// Reports a value without a match: a wrong value, a wrong parameter, or an omission.
    fn value(&mut self, given: &CallItem, class: ReadbackClass) {
        let about = FindingSubject::Item(given.parameter);
        let known =
            |said: &CallItem| self.given.iter().any(|other| matching::agree(other, said, MatchMode::Exact));
        let mut candidates = self.said.iter().zip(self.used).enumerate();
        let same = candidates.find(|(_, (said, used))| {
            !used && matching::is_same_kind(given, said) && said.role != ItemRole::State && !known(said)
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
            let torn = said.trails_off && self.words.markers.unfinished;
            let kind = if torn { ErrorKind::Unclear } else { matching::difference(given, said) };
            self.use_up(index);
            self.find(kind, about, given.value.to_string(), Some(said));
        } else if class != ReadbackClass::Required {
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

    fn omitted(&mut self, given: &CallItem) {
        // A repeated instruction is read back once.
        let mut before = self.given.iter().take_while(|earlier| !std::ptr::eq(*earlier, given));
        if before.any(|earlier| matching::agree(earlier, given, MatchMode::Exact)) {
            return;
        }
        let mut unused = self.said.iter().zip(self.used).filter(|(_, used)| !used);
        let fragment = unused.any(|(said, _)| matching::is_fragment(given, said));
        let lost = fragment || self.words.markers.unfinished;
        let kind = if lost { ErrorKind::Unclear } else { ErrorKind::Omission };
        self.find(kind, FindingSubject::Item(given.parameter), given.value.to_string(), None);
    }

    fn use_up(&mut self, index: usize) {
        if let Some(used) = self.used.get_mut(index) {
            *used = true;
        }
    }

    fn action(&mut self, given: &CallItem, action: RadioAction, class: ReadbackClass) {
        if self.said.iter().any(|said| matching::does(action, said)) {
            return;
        }
        let about = FindingSubject::Item(given.parameter);
        let other = self.said.iter().find(|said| self.conflicts(action, said));
        if let Some(other) = other {
            self.find(ErrorKind::WrongAction, about, action.phrase().into_owned(), Some(other));
        } else if class == ReadbackClass::Required {
            let kind =
                if matching::begun(action, self.words) { ErrorKind::Unclear } else { ErrorKind::Omission };
            self.find(kind, about, action.phrase().into_owned(), None);
        }
    }

    /// Whether the pilot said an action that was not given and contradicts this one.
    fn conflicts(&self, action: RadioAction, said: &CallItem) -> bool {
        let Parameter::Action(other) = said.parameter else { return false };
        let given = self.given.iter().any(|given| given.parameter == said.parameter);
        let level = matches!(
            (action, other),
            (RadioAction::Climb, RadioAction::Descend) | (RadioAction::Descend, RadioAction::Climb)
        );
        let role = !matches!(said.role, ItemRole::Request | ItemRole::Expect | ItemRole::Inform);
        role && !given
            && !said.weak
            && (level || (matching::keeps_off_or_uses(action) && matching::is_runway_use(other)))
    }

    fn condition(&mut self, given: &CallItem, condition: ClearanceCondition, class: ReadbackClass) {
        let said = self.said.iter().any(|said| matching::keeps(condition, given, said));
        if !said && class == ReadbackClass::Required {
            let expected = condition.name().replace('_', " ");
            self.find(ErrorKind::DroppedCondition, FindingSubject::Item(given.parameter), expected, None);
        }
    }

    /// Reports a clearance that was not given.
    fn extra_clearances(&mut self, controller: &ParsedItems) {
        let wrong = self.findings.iter().any(|finding| finding.kind == ErrorKind::WrongAction);
        let asked = controller.markers.request
            && self.given.iter().all(|item| self.class(item) != ReadbackClass::Required);
        let extra = self.said.iter().find(|said| {
            let Parameter::Action(action) = said.parameter else {
                return asked && matches!(said.parameter, Parameter::Procedure | Parameter::Squawk);
            };
            let given = self.given.iter().any(|given| given.parameter == said.parameter);
            said.role == ItemRole::Instruct && !said.weak && !given && matching::is_runway_use(action)
        });
        if let (Some(extra), false) = (extra, wrong) {
            self.find(
                ErrorKind::ExtraClearance,
                FindingSubject::Item(extra.parameter),
                String::new(),
                Some(extra),
            );
        }
    }

    fn find(&mut self, kind: ErrorKind, about: FindingSubject, expected: String, said: Option<&CallItem>) {
        let end = self.text.len();
        let span = said.map_or((end, end), |item| item.span);
        let said =
            said.map_or_else(String::new, |_| self.text.get(span.0..span.1).unwrap_or_default().to_owned());
        self.findings.push(Finding { kind, about, expected, said, span });
    }
}

/// Whether an item is an action or a condition, and not a value.
const fn is_deed(item: &CallItem) -> bool {
    matches!(item.parameter, Parameter::Action(_) | Parameter::Condition(_))
}
