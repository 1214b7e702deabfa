//! Revisions: judge a history again under another rulebook or with corrections, report the effect, and record
//! it when it is adopted. Nothing is overwritten: the records that a revision replaces stay in the ledger.

mod overlay;
mod report;
mod retrial;
mod standings;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::any_court::{AnyRulebook, Unreadable};
use crate::court::{Audience, Notice, to_json};
#[cfg(feature = "openapi")]
use crate::openapi::AnyObject;
use crate::record::RecordRef;
use crate::rulebook::RulebookRef;
use crate::{Actor, Refusal, SmolStr, VerdictText};

pub use overlay::Overlay;
pub use report::{BoardMoves, ChangedVerdict, Judged, Move, Place, RevisionReport};
pub use retrial::{Books, Retrial, Revised};
pub use standings::Standings;

/// The kind of record written for each record that a revision changes.
pub const RECORD_REVISED: &str = "RecordRevised";
/// The kind of record written after those; it puts the revision into effect.
pub const HISTORY_REVISED: &str = "HistoryRevised";

/// A requested change to a history.
#[derive(Debug, Clone)]
pub struct Revision {
    /// The rulebook to judge by; none keeps the current one.
    pub rulebook: Option<AnyRulebook>,
    /// Corrections, in the form that the court defines.
    pub amendments: Vec<Value>,
    /// The reason: recorded, and shown to the participants concerned.
    pub reason: String,
}

/// One correction, passed to the court.
#[derive(Debug, Clone, Copy)]
pub struct Correction<'a> {
    /// The correction, in the form that the court defines.
    pub amendment: &'a Value,
    /// The actor who requested it.
    pub actor: &'a Actor,
    /// The reason.
    pub reason: &'a str,
}

/// A revision in the form that is applied to each event.
#[derive(Debug)]
pub struct Revising<'a> {
    /// The rulebook to judge by, if it is another one.
    pub rulebook: Option<&'a RulebookRef>,
    /// The corrections.
    pub corrections: Vec<Correction<'a>>,
}

/// The result of judging a recorded event again.
#[derive(Debug)]
pub struct Retried {
    /// The participant that it concerns.
    pub participant: Option<SmolStr>,
    /// The indexes of the corrections that match it.
    pub corrections: Vec<usize>,
    /// The event as JSON, if it was corrected or judged again.
    pub body: Option<String>,
    /// The verdict, if something was judged.
    pub verdict: Option<VerdictText>,
    /// Why the event would be refused; then it does not count.
    pub refusal: Option<Refusal>,
}

/// The body of a record that replaces another one. The new verdict is stored beside it.
#[derive(Debug, Serialize, Deserialize)]
pub struct RecordRevised {
    /// The position of the replaced record.
    pub position: u64,
    /// The event that replaces the recorded one.
    pub event: Box<RawValue>,
    /// Why the event would be refused; then it does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
}

/// The body of the record that concludes a revision.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HistoryRevised {
    /// The reason.
    pub reason: String,
    /// The new rulebook, if it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub rulebook: Option<RulebookRef>,
    /// The corrections, in the form that the court defines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<AnyObject>))]
    pub amendments: Vec<Value>,
    /// The number of revised records: that many records of the stream precede this one.
    pub revised: u64,
}

#[derive(Serialize, Deserialize)]
enum Written<R, H> {
    RecordRevised(R),
    HistoryRevised(H),
}

/// Whether a record is part of a revision; no state is folded from such a record.
pub(crate) fn is_one(kind: &str) -> bool {
    matches!(kind, RECORD_REVISED | HISTORY_REVISED)
}

impl RecordRevised {
    /// Parses the body of a record.
    ///
    /// # Errors
    /// The record is of another kind or malformed.
    pub fn read(record: &RecordRef<'_>) -> Result<Self, Unreadable> {
        match serde_json::from_str(record.body) {
            Ok(Written::<Self, HistoryRevised>::RecordRevised(revised)) => Ok(revised),
            other => Err(unreadable(record, other.err())),
        }
    }

    /// The notice of a revised record: only the participant and judges receive it.
    pub(crate) fn notice(&self, participant: Option<&SmolStr>) -> Notice {
        let audience = participant.map_or(Audience::Judges, |who| Audience::Participant(who.clone()));
        let data = format!(r#"{{"kind":"{RECORD_REVISED}","revises":{}}}"#, self.position);
        Notice { audience, data }
    }

    fn to_body(&self) -> String {
        to_json(&Written::<&Self, &HistoryRevised>::RecordRevised(self))
    }
}

impl HistoryRevised {
    /// Parses the body of a record.
    ///
    /// # Errors
    /// The record is of another kind or malformed.
    pub fn read(record: &RecordRef<'_>) -> Result<Self, Unreadable> {
        match serde_json::from_str(record.body) {
            Ok(Written::<RecordRevised, Self>::HistoryRevised(revised)) => Ok(revised),
            other => Err(unreadable(record, other.err())),
        }
    }

    fn to_body(&self) -> String {
        to_json(&Written::<&RecordRevised, &Self>::HistoryRevised(self))
    }
}

/// The public notice of a revision. The reason and the effect may not be public yet, so neither is included.
pub(crate) fn notice_of_history() -> Notice {
    Notice { audience: Audience::Everyone, data: format!(r#"{{"kind":"{HISTORY_REVISED}"}}"#) }
}

fn unreadable(record: &RecordRef<'_>, error: Option<serde_json::Error>) -> Unreadable {
    let problem = error.map_or_else(|| "it is no such revision".to_owned(), |error| error.to_string());
    Unreadable {
        position: record.position,
        stream: record.stream.to_owned(),
        kind: record.kind.to_owned(),
        problem,
    }
}
