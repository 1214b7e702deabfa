//! Revises the history of a story, as a judge would, and compares the result.

use serde_json::Value;

use super::compare::{Difference, compare_refusal, compare_verdict};
use super::format::{Expected, ExpectedRevised, Revise, Step};
use super::shipped;
use super::story::Story;
use crate::any_court::{AnyStream, DecideError};
use crate::revision::{Overlay, RECORD_REVISED, RecordRevised, Retrial, Revised, Revision};
use crate::{Actor, Moment, RulebookRef};

impl Story<'_> {
    /// Revises all steps before this one.
    pub(super) fn revise(
        &mut self,
        revise: &Revise,
        step: &Step,
        at: Moment,
        actor: &Actor,
        assessor: Option<&Value>,
    ) -> Result<Vec<Difference>, String> {
        let rulebook = revise.rulebook.as_deref().map(|name| shipped(self.court, name)).transpose()?;
        self.books.extend(rulebook.clone());
        let amendments = revise.amendments.iter().map(|amendment| self.with_positions(amendment));
        let amendments = amendments.collect::<Result<_, _>>()?;
        let revision = Revision { rulebook, amendments, reason: revise.reason.clone() };
        let retried = self.retry(&revision, actor).and_then(|mut revised| {
            let drafts = revised.adopt(&revision, at, actor)?;
            Ok((revised, drafts))
        });
        match (retried, step.expected()) {
            (Err(DecideError::Broken(problem)), _) => Err(format!("our fault: {problem}")),
            (Err(DecideError::Refused(refusal)), Expected::Refusal(expected)) => {
                Ok(compare_refusal(expected, &refusal))
            }
            (Err(DecideError::Refused(refusal)), _) => Err(format!("refused: {refusal}")),
            (Ok(_), Expected::Refusal(_)) => Err("expected a refusal, was accepted".to_owned()),
            (Ok((revised, drafts)), _) => {
                let first = self.records.len();
                self.seal(drafts);
                self.show(revised.changes);
                self.any_stream = revised.any_stream;
                self.book = revision.rulebook.unwrap_or_else(|| self.book.clone());
                self.compare_revised(&step.revised, first, assessor)
            }
        }
    }

    /// Replays the records with the revision applied; the verdicts and the state must be the same.
    pub(super) fn replay_revised(&self, position: u64) -> Result<Box<dyn AnyStream>, String> {
        let overlay = self.overlay(position)?;
        let mut again = self.court.empty(self.any_stream.stream().clone());
        for record in self.records.iter().filter(|record| record.position <= position) {
            let view = record.view();
            if let Some(standing) = overlay.standing(&view, u64::MAX) {
                self.compare(&*again, &standing)?;
            }
            overlay.follow(&mut *again, &view, u64::MAX).map_err(|error| error.to_string())?;
        }
        again.drop_changes();
        Ok(again)
    }

    fn retry(&self, revision: &Revision, actor: &Actor) -> Result<Revised, DecideError> {
        let overlay = self.overlay(u64::MAX).map_err(|error| DecideError::Broken(error.into()))?;
        let books = |wanted: &RulebookRef| self.books.iter().find(|book| book.reference == *wanted).cloned();
        let stream = self.any_stream.stream();
        let mut retrial = Retrial::new(self.court, stream, revision, actor, &overlay, &books);
        self.records.iter().try_for_each(|record| retrial.take(&record.view()))?;
        Ok(retrial.finish()?)
    }

    fn overlay(&self, position: u64) -> Result<Overlay, String> {
        let mut overlay = Overlay::default();
        let mut records = self.records.iter().filter(|record| record.position <= position);
        let noted = records.try_for_each(|record| overlay.note(&record.view()));
        noted.map(|()| overlay).map_err(|error| error.to_string())
    }

    /// Compares the revised verdicts, found in the records after the first `first`, with the expected ones.
    fn compare_revised(
        &self,
        expected: &[ExpectedRevised],
        first: usize,
        assessor: Option<&Value>,
    ) -> Result<Vec<Difference>, String> {
        let mut revised = Vec::new();
        for record in self.records.iter().skip(first).filter(|record| record.draft.kind == RECORD_REVISED) {
            let said = RecordRevised::read(&record.view()).map_err(|error| error.to_string())?;
            let verdict = record.draft.verdict.as_deref();
            if verdict.is_some() || said.refusal.is_some() {
                revised.push((said, verdict));
            }
        }
        let mut differences = Vec::new();
        for (index, expected) in expected.iter().enumerate() {
            let step = expected.step;
            let position = self.position_of(step)?;
            let found = revised.iter().position(|(said, _)| said.position == position);
            let found = found.map(|index| revised.remove(index));
            let (said, verdict) =
                found.ok_or_else(|| format!("the verdict of step {step} did not change"))?;
            let compared = match (expected.expected(), verdict, &said.refusal) {
                (Expected::Verdict(expected), Some(verdict), None) => {
                    compare_verdict(expected, assessor, verdict)?
                }
                (Expected::Refusal(expected), _, Some(refusal)) => compare_refusal(expected, refusal),
                (_, _, Some(refusal)) => {
                    vec![Difference::other(format!("expected a verdict, got the refusal `{refusal}`"))]
                }
                _ => vec![Difference::other("expected a refusal, got a verdict".to_owned())],
            };
            let part = format!("revised step {step}");
            differences.extend(compared.into_iter().map(|each| each.within(&part, "revised", index)));
        }
        let more = revised.iter().map(|(said, _)| format!("record {} was revised too", said.position));
        differences.extend(more.map(Difference::other));
        Ok(differences)
    }

    /// Replaces `step` in an amendment by the position of that step's record.
    fn with_positions(&self, amendment: &Value) -> Result<Value, String> {
        let mut amendment = amendment.clone();
        let fields = amendment.as_object_mut().into_iter().flat_map(|object| object.values_mut());
        for fields in fields.filter_map(Value::as_object_mut) {
            if let Some(step) = fields.shift_remove("step") {
                let step = step.as_u64().and_then(|step| usize::try_from(step).ok());
                let step = step.ok_or("amendments: `step` must be the number of a step")?;
                fields.insert("position".into(), self.position_of(step)?.into());
            }
        }
        Ok(amendment)
    }

    fn position_of(&self, step: usize) -> Result<u64, String> {
        let position = step.checked_sub(1).and_then(|index| self.positions.get(index)).copied();
        position.ok_or_else(|| format!("there is no step {step} before this one"))
    }
}
