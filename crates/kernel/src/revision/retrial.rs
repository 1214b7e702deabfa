//! Folds a history twice, as it is and as revised, and collects the differences.

use super::overlay::{AsItStands, Overlay};
use super::report::{ChangedVerdict, Judged, RevisionReport};
use super::standings::Standings;
use super::{Correction, HISTORY_REVISED, HistoryRevised, RECORD_REVISED, RecordRevised, Retried};
use super::{Revising, Revision};
use crate::any_court::{AnyCourt, AnyRulebook, AnyStream, DecideError};
use crate::board::StandingChange;
use crate::record::{Draft, RecordRef};
use crate::rulebook::RulebookRef;
use crate::{Actor, Moment, Refusal, RefusalKind, StreamId, VerdictText};

/// Looks up a rulebook by its reference.
pub type Books<'a> = dyn Fn(&RulebookRef) -> Option<AnyRulebook> + 'a;

/// The longest reason, in characters.
const LONGEST_REASON: usize = 1_000;

/// Folds the records of a stream one after the other, as they are and as revised.
pub struct Retrial<'a> {
    edition: u32,
    revision: &'a Revision,
    revising: Revising<'a>,
    overlay: &'a Overlay,
    books: &'a Books<'a>,
    book: Option<AnyRulebook>,
    before: Box<dyn AnyStream>,
    after: Box<dyn AnyStream>,
    standings: (Standings, Standings),
    /// Which corrections have matched an event.
    used: Vec<bool>,
    revised: Vec<Replaced>,
    changed: Vec<ChangedVerdict>,
    verdicts: u64,
    position: u64,
    last_judged: u64,
}

/// A record with its revised content.
struct Replaced {
    position: u64,
    event: String,
    verdict: Option<VerdictText>,
    refusal: Option<Refusal>,
}

/// The result of a retrial.
pub struct Revised {
    /// The stream after the revision, without pending board changes.
    pub any_stream: Box<dyn AnyStream>,
    /// The changes from the current boards to those after the revision.
    pub changes: Vec<StandingChange>,
    /// The effect of the revision, for people.
    pub report: RevisionReport,
    /// The position of the last verdict or revision.
    pub last_judged: u64,
    edition: u32,
    revised: Vec<Replaced>,
}

impl<'a> Retrial<'a> {
    /// Begins a retrial of a stream on top of the earlier revisions in `overlay`; `actor` requests it.
    #[must_use]
    pub fn new(
        court: &dyn AnyCourt,
        stream: &StreamId,
        revision: &'a Revision,
        actor: &'a Actor,
        overlay: &'a Overlay,
        books: &'a Books<'a>,
    ) -> Self {
        let correction = |amendment| Correction { amendment, actor, reason: &revision.reason };
        let rulebook = revision.rulebook.as_ref().map(|book| &book.reference);
        let corrections: Vec<_> = revision.amendments.iter().map(correction).collect();
        Self {
            edition: court.edition(),
            revision,
            used: vec![false; corrections.len()],
            revising: Revising { rulebook, corrections },
            overlay,
            books,
            book: None,
            before: court.empty(stream.clone()),
            after: court.empty(stream.clone()),
            standings: Default::default(),
            revised: Vec::new(),
            changed: Vec::new(),
            verdicts: 0,
            position: 0,
            last_judged: 0,
        }
    }

    /// Takes the next record of the stream; its verdict must be present.
    ///
    /// # Errors
    /// A refusal of the revision, or an internal error.
    pub fn take(&mut self, record: &RecordRef<'_>) -> Result<(), DecideError> {
        self.position = record.position;
        if record.verdict.is_some() || record.kind == HISTORY_REVISED {
            self.last_judged = record.position;
        }
        self.overlay.follow(&mut *self.before, record, u64::MAX).map_err(broken)?;
        match self.overlay.as_it_stands(record, u64::MAX) {
            Some(stands) => self.retry(&stands)?,
            None => self.after.pass(),
        }
        self.standings.0.take(&mut *self.before);
        self.standings.1.take(&mut *self.after);
        Ok(())
    }

    /// Ends the retrial after the last record.
    ///
    /// # Errors
    /// There was nothing to revise, or the stream cannot be revised like that.
    pub fn finish(self) -> Result<Revised, Refusal> {
        let stream = self.after.stream().clone();
        if self.position == 0 {
            let message = format!("there is no stream `{stream}`");
            return Err(Refusal::new("revision.stream.unknown", RefusalKind::Unknown, message));
        }
        if let Some(unused) = self.used.iter().position(|used| !used) {
            let message = format!("amendment {} is about nothing in {stream}", unused + 1);
            return Err(Refusal::new("revision.amendment.unmatched", RefusalKind::Unknown, message));
        }
        let (rulebook_before, rulebook_after) =
            (self.before.rulebook().cloned(), self.after.rulebook().cloned());
        if self.revising.rulebook.is_some_and(|wanted| Some(wanted) != rulebook_after.as_ref()) {
            let message = format!("{stream} cannot be judged by another rulebook");
            return Err(Refusal::new("revision.rulebook.kept", RefusalKind::Conflict, message));
        }
        let (before, after) = self.standings;
        let report = RevisionReport {
            stream,
            position: self.position,
            rulebook_before,
            rulebook_after,
            verdicts: self.verdicts,
            revised: self.revised.len(),
            changed: self.changed,
            boards: before.moves_to(&after),
        };
        Ok(Revised {
            any_stream: self.after,
            changes: before.changes_to(&after),
            report,
            last_judged: self.last_judged,
            edition: self.edition,
            revised: self.revised,
        })
    }

    fn retry(&mut self, stands: &AsItStands<'_>) -> Result<(), DecideError> {
        self.find_book()?;
        // An event that was set aside may count again, so its last verdict is compared.
        let record = RecordRef { verdict: stands.was_judged, ..stands.record };
        let retried = self.after.retry(self.book.as_ref(), &record, &self.revising)?;
        for index in &retried.corrections {
            self.used.get_mut(*index).into_iter().for_each(|used| *used = true);
        }
        self.verdicts += u64::from(stands.was_judged.is_some());
        let same_body = retried.body.as_deref().is_none_or(|body| body == record.body);
        let same = same_body
            && retried.refusal.is_some() == stands.refusal.is_some()
            && (retried.refusal.is_some() || retried.verdict.as_deref() == record.verdict);
        if !same {
            self.note(stands, &record, retried);
        }
        Ok(())
    }

    fn note(&mut self, stands: &AsItStands<'_>, record: &RecordRef<'_>, retried: Retried) {
        let Retried { participant, body, verdict, refusal, .. } = retried;
        let RecordRef { position, at, .. } = *record;
        let before = stands.refusal.map(|code| Judged::refused(code.clone()));
        let before = before.or_else(|| Judged::read(record.verdict?));
        let after = refusal.as_ref().map(|refusal| Judged::refused(refusal.code.clone()));
        let after = after.or_else(|| Judged::read(verdict.as_deref()?));
        if let (Some(before), Some(after)) = (before, after) {
            self.changed.push(ChangedVerdict { position, at, participant, before, after });
        }
        let event = body.unwrap_or_else(|| record.body.to_owned());
        self.revised.push(Replaced { position, event, verdict, refusal });
    }

    /// Looks up the rulebook to judge by, once the stream is open.
    fn find_book(&mut self) -> Result<(), DecideError> {
        let own = self.after.rulebook();
        if own == self.book.as_ref().map(|book| &book.reference) {
            return Ok(());
        }
        self.book = match own {
            None => None,
            Some(own) => {
                let given = self.revision.rulebook.clone().filter(|given| given.reference == *own);
                let found = given.or_else(|| (self.books)(own));
                let missing = || DecideError::Broken(format!("the rulebook {own} cannot be read").into());
                Some(found.ok_or_else(missing)?)
            }
        };
        Ok(())
    }
}

impl Revised {
    /// Whether the revision changes nothing.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.revised.is_empty()
    }

    /// The records that put the revision into effect; the stream counts them as recorded.
    ///
    /// # Errors
    /// A refusal, when nothing would change or no reason is given.
    pub fn adopt(
        &mut self,
        revision: &Revision,
        at: Moment,
        actor: &Actor,
    ) -> Result<Vec<Draft>, DecideError> {
        let reason = revision.reason.trim();
        if reason.is_empty() || reason.chars().count() > LONGEST_REASON {
            let message = format!("`reason` must say why, in 1 to {LONGEST_REASON} characters");
            return Err(Refusal::new("revision.reason.invalid", RefusalKind::Malformed, message).into());
        }
        if self.is_nothing() {
            let message = "nothing would be different; what stands stands";
            return Err(Refusal::new("revision.nothing", RefusalKind::Conflict, message).into());
        }
        let count = self.revised.len() as u64;
        let records = std::mem::take(&mut self.revised);
        let mut drafts = Vec::with_capacity(records.len() + 1);
        for replaced in records {
            let Replaced { position, event, verdict, refusal } = replaced;
            let event = serde_json::value::RawValue::from_string(event).map_err(broken)?;
            let body = RecordRevised { position, event, refusal }.to_body();
            drafts.push(self.draft(RECORD_REVISED, at, actor, body, verdict));
        }
        let rulebook = revision.rulebook.as_ref().map(|book| book.reference.clone());
        let amendments = revision.amendments.clone();
        let body = HistoryRevised { reason: reason.to_owned(), rulebook, amendments, revised: count };
        drafts.push(self.draft(HISTORY_REVISED, at, actor, body.to_body(), None));
        Ok(drafts)
    }

    fn draft(
        &mut self,
        kind: &'static str,
        at: Moment,
        actor: &Actor,
        body: String,
        verdict: Option<VerdictText>,
    ) -> Draft {
        self.any_stream.pass();
        Draft {
            stream: self.any_stream.stream().clone(),
            version: self.any_stream.version(),
            edition: self.edition,
            kind: kind.into(),
            at,
            actor: actor.to_string(),
            body,
            verdict,
        }
    }
}

fn broken(error: impl ToString) -> DecideError {
    DecideError::Broken(error.to_string().into())
}
