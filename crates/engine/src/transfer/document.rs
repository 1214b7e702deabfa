//! What a carried stream looks like: one JSON document, its records chained to each other as in a ledger.

use std::borrow::Cow;

use assize_kernel::{Digest, Moment, Personal, RecordRef, StreamId};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The format this program writes and reads.
pub(super) const FORMAT: u32 = 1;

/// A document as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    pub(super) assize_stream: u32,
    pub(super) stream: String,
    pub(super) records: Vec<Carried<'static>>,
    /// What teams' tools have logged beside it.
    #[serde(default)]
    pub(super) logs: Vec<Carried<'static>>,
    pub(super) rulebooks: Vec<CarriedRulebook>,
    pub(super) end: End,
}

/// A record.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Carried<'a> {
    /// Where it stood in the ledger it comes from: other records may refer to it by that.
    pub(super) position: u64,
    pub(super) edition: u32,
    pub(super) kind: Cow<'a, str>,
    pub(super) at: Moment,
    pub(super) actor: Cow<'a, str>,
    /// The event, exactly as it was hashed.
    pub(super) event: Cow<'a, RawValue>,
    pub(super) verdict: Option<Cow<'a, RawValue>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) personal: Vec<CarriedPersonal>,
    /// Over all of this but the personal texts, and the digest before it.
    pub(super) digest: Digest,
}

/// A personal text that came with a record, which names its digest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CarriedPersonal {
    /// Whose it is, below the stream: a participant.
    subject: String,
    /// Hexadecimal.
    salt: String,
    text: String,
}

/// A rulebook that something was judged by.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CarriedRulebook {
    pub(super) name: String,
    pub(super) hash: Digest,
    pub(super) text: String,
}

/// Without this, something is missing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    pub(super) records: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) logs: u64,
    /// Of the last of the logs, which are chained to the records.
    pub(super) digest: Digest,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Carried<'_> {
    /// The same rule as in a ledger, with zeros for the batch: `version` counts the records of `stream` in the
    /// document.
    pub(super) fn chained_to(&self, previous: &Digest, stream: &str, version: u64) -> Digest {
        let record = RecordRef {
            edition: self.edition,
            actor: &self.actor,
            verdict: self.verdict.as_deref().map(RawValue::get),
            ..RecordRef::facts(self.position, stream, version, &self.kind, self.at, self.event.get())
        };
        record.chained_to(previous)
    }
}

impl CarriedPersonal {
    pub(super) fn of(personal: &Personal, stream: &StreamId) -> Self {
        let below = personal.subject.strip_prefix(stream.as_str()).and_then(|rest| rest.strip_prefix('/'));
        let subject = below.unwrap_or(&personal.subject).to_owned();
        let salt = personal.salt.iter().map(|byte| format!("{byte:02x}")).collect();
        Self { subject, salt, text: personal.text.clone() }
    }

    /// The text as it belongs to a stream; none when the salt is none.
    pub(super) fn to_personal(&self, stream: &StreamId) -> Option<Personal> {
        let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
        let pairs = self.salt.as_bytes().chunks(2).map(|pair| match pair {
            [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
            _ => None,
        });
        let salt = pairs.collect::<Option<Vec<u8>>>()?.try_into().ok()?;
        Some(Personal { subject: format!("{stream}/{}", self.subject), salt, text: self.text.clone() })
    }
}
