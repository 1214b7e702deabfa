//! Revising a history: the same records under another rulebook or with corrections, what would come of it, and what
//! is written down when it is adopted. Nothing is overwritten: what a revision replaces stays where it is.

mod overlay;
mod report;
mod retrial;
mod standings;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::any_court::{AnyRulebook, Unreadable};
use crate::court::{Audience, Notice, to_json};
use crate::record::RecordRef;
use crate::rulebook::RulebookRef;
use crate::{Actor, Refusal, SmolStr};

pub use overlay::Overlay;
pub use report::{BoardMoves, ChangedVerdict, Judged, Move, Place, RevisionReport};
pub use retrial::{Books, Retrial, Revised};
pub use standings::Standings;

/// Written once for every record that a revision changes.
pub const RECORD_REVISED: &str = "RecordRevised";
/// Written after those: from here on, they count.
pub const HISTORY_REVISED: &str = "HistoryRevised";

/// What is to be different about a history.
#[derive(Debug, Clone)]
pub struct Revision {
    /// What all of it is judged by; as before otherwise.
    pub rulebook: Option<AnyRulebook>,
    /// Corrections, each in the form that the court knows.
    pub amendments: Vec<Value>,
    /// Why: recorded, and shown to whom it concerns.
    pub reason: String,
}

/// A correction, as a court is asked to make it.
#[derive(Debug, Clone, Copy)]
pub struct Correction<'a> {
    /// What is to be corrected, in the court's own form.
    pub amendment: &'a Value,
    /// Who says so.
    pub actor: &'a Actor,
    /// Why.
    pub reason: &'a str,
}

/// What is to be different, as it is asked of every event.
#[derive(Debug)]
pub struct Revising<'a> {
    /// What it is judged by, when that is another one.
    pub rulebook: Option<&'a RulebookRef>,
    /// The corrections.
    pub corrections: Vec<Correction<'a>>,
}

/// What has become of a recorded event.
#[derive(Debug)]
pub struct Retried {
    /// Whom it is about.
    pub participant: Option<SmolStr>,
    /// The corrections that were about it, by their number from 0.
    pub corrections: Vec<usize>,
    /// The event, where it was corrected or judged again.
    pub body: Option<String>,
    /// The verdict, where it is one.
    pub verdict: Option<String>,
    /// Why it would not have been taken up: then it counts nothing.
    pub refusal: Option<Refusal>,
}

/// What a record says in a revised history. The verdict stands beside it.
#[derive(Debug, Serialize, Deserialize)]
pub struct RecordRevised {
    /// Which record.
    pub position: u64,
    /// The event in its place.
    pub event: Box<RawValue>,
    /// Why it would not have been taken up: then it counts nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
}

/// A history was revised by the records before this one.
#[derive(Debug, Serialize, Deserialize)]
pub struct HistoryRevised {
    /// Why.
    pub reason: String,
    /// What it is judged by now, when that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rulebook: Option<RulebookRef>,
    /// What was corrected, in the court's own form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub amendments: Vec<Value>,
    /// How many records were revised: as many of the stream, just before this one, say how.
    pub revised: u64,
}

#[derive(Serialize, Deserialize)]
enum Written<R, H> {
    RecordRevised(R),
    HistoryRevised(H),
}

/// Whether a record is part of a revision: no state is made of it by itself.
pub(crate) fn is_one(kind: &str) -> bool {
    matches!(kind, RECORD_REVISED | HISTORY_REVISED)
}

impl RecordRevised {
    /// From the record that says it.
    ///
    /// # Errors
    /// When it says something else.
    pub fn read(record: &RecordRef<'_>) -> Result<Self, Unreadable> {
        match serde_json::from_str(record.body) {
            Ok(Written::<Self, HistoryRevised>::RecordRevised(revised)) => Ok(revised),
            other => Err(unreadable(record, other.err())),
        }
    }

    /// The participant is told that there is something to read; nobody else but judges.
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
    /// From the record that says it.
    ///
    /// # Errors
    /// When it says something else.
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

/// Everybody is told that it happened. Why, and what came of it, may be what the public is not to know yet.
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
