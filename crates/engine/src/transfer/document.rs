//! The export format of a stream: one JSON document whose records are chained by hash, as in a ledger.

use std::borrow::Cow;

use assize_kernel::{Digest, Moment, Personal, RecordRef, StreamId};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Version of the format.
pub(super) const FORMAT: u32 = 1;

/// A parsed export.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    pub(super) assize_stream: u32,
    pub(super) stream: String,
    pub(super) records: Vec<Carried<'static>>,
    /// Raw log of the teams' tools.
    #[serde(default)]
    pub(super) logs: Vec<Carried<'static>>,
    pub(super) rulebooks: Vec<CarriedRulebook>,
    pub(super) end: End,
}

/// An exported record.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Carried<'a> {
    /// Position in the source ledger, by which other records may refer to it.
    pub(super) position: u64,
    pub(super) edition: u32,
    pub(super) kind: Cow<'a, str>,
    pub(super) at: Moment,
    pub(super) actor: Cow<'a, str>,
    /// The event, as the text that was hashed.
    pub(super) event: Cow<'a, RawValue>,
    pub(super) verdict: Option<Cow<'a, RawValue>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) personal: Vec<CarriedPersonal>,
    /// Chain digest over the previous digest and this record, without the personal texts.
    pub(super) digest: Digest,
}

/// A personal text of a record, which names its digest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CarriedPersonal {
    /// The subject without the prefix of the stream: a participant.
    subject: String,
    /// Hexadecimal.
    salt: String,
    text: String,
}

/// A rulebook named by a record or verdict.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CarriedRulebook {
    pub(super) name: String,
    pub(super) hash: Digest,
    pub(super) text: String,
}

/// The end of the document; an export without it is incomplete.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    pub(super) records: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) logs: u64,
    /// Digest of the last entry; the chain continues from the records to the logs.
    pub(super) digest: Digest,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Carried<'_> {
    /// The chain digest, computed as in a ledger with an all-zero batch id. `version` counts the records of
    /// `stream` in the document.
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

    /// The personal text with its subject in `stream`; `None` when the salt is malformed.
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
