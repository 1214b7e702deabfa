//! The export format: JSON Lines, one record or personal text a line, bodies as the text that was hashed.

use std::borrow::Cow;

use assize_kernel::{Digest, Draft, Head, Moment, Personal, Record, RecordRef};
use serde::{Deserialize, Serialize};

use crate::hex;

/// The version of the format that this program writes and reads.
pub(crate) const FORMAT: u32 = 1;

/// One line of an export.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum ExportLine<'a> {
    /// The first line: the version of the format.
    AssizeLedger(u32),
    /// A record.
    #[serde(borrow)]
    Record(RecordLine<'a>),
    /// A personal text, after its record.
    #[serde(borrow)]
    Personal(PersonalLine<'a>),
    /// The last line; an export without it is incomplete.
    End(EndLine),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordLine<'a> {
    position: u64,
    batch: String,
    #[serde(borrow)]
    stream: Cow<'a, str>,
    version: u64,
    edition: u32,
    #[serde(borrow)]
    kind: Cow<'a, str>,
    at: Moment,
    #[serde(borrow)]
    actor: Cow<'a, str>,
    #[serde(borrow)]
    body: Cow<'a, str>,
    #[serde(borrow)]
    verdict: Option<Cow<'a, str>>,
    hash: Digest,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PersonalLine<'a> {
    pub(crate) position: u64,
    #[serde(borrow)]
    subject: Cow<'a, str>,
    salt: String,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EndLine {
    position: u64,
    hash: Digest,
}

impl<'a> From<RecordRef<'a>> for ExportLine<'a> {
    fn from(record: RecordRef<'a>) -> Self {
        Self::Record(RecordLine {
            position: record.position,
            batch: hex::write(&record.batch),
            stream: record.stream.into(),
            version: record.version,
            edition: record.edition,
            kind: record.kind.into(),
            at: record.at,
            actor: record.actor.into(),
            body: record.body.into(),
            verdict: record.verdict.map(Cow::from),
            hash: record.hash,
        })
    }
}

impl<'a> From<&'a (u64, Personal)> for ExportLine<'a> {
    fn from((position, personal): &'a (u64, Personal)) -> Self {
        Self::Personal(PersonalLine {
            position: *position,
            subject: personal.subject.as_str().into(),
            salt: hex::write(&personal.salt),
            text: personal.text.as_str().into(),
        })
    }
}

impl From<Head> for ExportLine<'_> {
    fn from(head: Head) -> Self {
        Self::End(EndLine { position: head.position, hash: head.hash })
    }
}

impl From<EndLine> for Head {
    fn from(end: EndLine) -> Self {
        Self { position: end.position, hash: end.hash }
    }
}

impl RecordLine<'_> {
    /// The record, not yet checked.
    pub(crate) fn into_record(self) -> Result<Record, String> {
        let batch = hex::read(&self.batch).ok_or_else(|| format!("`{}` is no batch id", self.batch))?;
        let draft = Draft {
            stream: self.stream.parse().map_err(|error: assize_kernel::BadName| error.to_string())?,
            version: self.version,
            edition: self.edition,
            kind: Cow::Owned(self.kind.into_owned()),
            at: self.at,
            actor: self.actor.into_owned(),
            body: self.body.into_owned(),
            verdict: self.verdict.map(|verdict| verdict.into_owned().into()),
        };
        Ok(Record { position: self.position, batch, draft, hash: self.hash })
    }
}

impl PersonalLine<'_> {
    /// The personal text, not yet checked.
    pub(crate) fn into_personal(self) -> Result<Personal, String> {
        let salt = hex::read(&self.salt).ok_or_else(|| format!("`{}` is no salt", self.salt))?;
        Ok(Personal { subject: self.subject.into_owned(), salt, text: self.text.into_owned() })
    }
}
