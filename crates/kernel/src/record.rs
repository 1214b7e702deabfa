//! Records of the ledger; each contains the hash of the one before it, so that a change to the past is
//! detected.

use crate::{Actor, Digest, Moment, StreamId, VerdictText};
use std::borrow::Cow;

/// The id of a batch of records written together.
pub type BatchId = [u8; 16];

/// A record before it has its position in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The stream.
    pub stream: StreamId,
    /// The position within the stream, from 1.
    pub version: u64,
    /// The edition of the court that wrote it.
    pub edition: u32,
    /// The kind of event, in the past tense: `AnswerJudged`.
    pub kind: Cow<'static, str>,
    /// When the command was received.
    pub at: Moment,
    /// The sender of the command, as `role:name`.
    pub actor: String,
    /// The event as JSON.
    pub body: String,
    /// The verdict as JSON, if something was judged.
    pub verdict: Option<VerdictText>,
}

/// A draft with its position in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The position in the total order of the ledger, from 1, without gaps.
    pub position: u64,
    /// The batch that it was written with.
    pub batch: BatchId,
    /// The content.
    pub draft: Draft,
    /// The hash over all fields above and the hash of the record before it.
    pub hash: Digest,
}

/// A borrowed record, as stores hand it out while scanning.
///
/// A scan for facts leaves the fields blank that no state is folded from: see [`RecordRef::facts`].
#[derive(Debug, Clone, Copy)]
pub struct RecordRef<'a> {
    /// See [`Record::position`].
    pub position: u64,
    /// See [`Record::batch`].
    pub batch: BatchId,
    /// See [`Draft::stream`].
    pub stream: &'a str,
    /// See [`Draft::version`].
    pub version: u64,
    /// See [`Draft::edition`].
    pub edition: u32,
    /// See [`Draft::kind`].
    pub kind: &'a str,
    /// See [`Draft::at`].
    pub at: Moment,
    /// See [`Draft::actor`].
    pub actor: &'a str,
    /// See [`Draft::body`].
    pub body: &'a str,
    /// See [`Draft::verdict`].
    pub verdict: Option<&'a str>,
    /// See [`Record::hash`].
    pub hash: Digest,
}

/// The end of the ledger: the last position and its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The last position; 0 when the ledger is empty.
    pub position: u64,
    /// The last hash; zeros when the ledger is empty.
    pub hash: Digest,
}

/// Personal text, stored outside the hash chain, which holds only its salted digest: it can be erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Personal {
    /// The person it belongs to.
    pub subject: String,
    /// Random, so that a short text cannot be guessed from its digest once the salt is erased.
    pub salt: [u8; 16],
    /// The text.
    pub text: String,
}

impl Head {
    /// The head of an empty ledger.
    pub const START: Self = Self { position: 0, hash: Digest::ZERO };

    /// Assigns the next position to a draft and advances the head.
    pub fn seal(&mut self, batch: BatchId, draft: Draft) -> Record {
        let mut record = Record { position: self.position + 1, batch, draft, hash: Digest::ZERO };
        record.hash = record.view().chained_to(&self.hash);
        *self = Self { position: record.position, hash: record.hash };
        record
    }
}

impl Record {
    /// Borrows the record.
    #[must_use]
    pub fn view(&self) -> RecordRef<'_> {
        RecordRef {
            position: self.position,
            batch: self.batch,
            stream: self.draft.stream.as_str(),
            version: self.draft.version,
            edition: self.draft.edition,
            kind: &self.draft.kind,
            at: self.draft.at,
            actor: &self.draft.actor,
            body: &self.draft.body,
            verdict: self.draft.verdict.as_deref(),
            hash: self.hash,
        }
    }
}

impl<'a> RecordRef<'a> {
    /// A record with only the fields that a state is folded from; batch, edition, actor, verdict and hash are
    /// blank.
    #[must_use]
    pub const fn facts(
        position: u64,
        stream: &'a str,
        version: u64,
        kind: &'a str,
        at: Moment,
        body: &'a str,
    ) -> Self {
        let (batch, edition, actor, verdict, hash) = ([0; 16], 0, "", None, Digest::ZERO);
        Self { position, batch, stream, version, edition, kind, at, actor, body, verdict, hash }
    }

    /// Blanks the fields that no state is folded from.
    #[must_use]
    pub const fn without_evidence(self) -> Self {
        Self::facts(self.position, self.stream, self.version, self.kind, self.at, self.body)
    }

    /// The hash of this record after one with the hash `previous`.
    ///
    /// Body and verdict enter by their own digests, so that a large body stored elsewhere can be verified.
    #[must_use]
    pub fn chained_to(&self, previous: &Digest) -> Digest {
        let verdict = self.verdict.map_or(Digest::ZERO, |verdict| Digest::of(verdict.as_bytes()));
        Digest::of_parts(&[
            &previous.0,
            &self.position.to_le_bytes(),
            &self.batch,
            &length(self.stream),
            self.stream.as_bytes(),
            &self.version.to_le_bytes(),
            &self.edition.to_le_bytes(),
            &length(self.kind),
            self.kind.as_bytes(),
            &self.at.as_millis().to_le_bytes(),
            &length(self.actor),
            self.actor.as_bytes(),
            &Digest::of(self.body.as_bytes()).0,
            &verdict.0,
        ])
    }

    /// An owned copy.
    ///
    /// # Errors
    /// The stream's name is not valid.
    pub fn to_record(&self) -> Result<Record, crate::BadName> {
        let draft = Draft {
            stream: self.stream.parse()?,
            version: self.version,
            edition: self.edition,
            kind: Cow::Owned(self.kind.to_owned()),
            at: self.at,
            actor: self.actor.to_owned(),
            body: self.body.to_owned(),
            verdict: self.verdict.map(VerdictText::from),
        };
        Ok(Record { position: self.position, batch: self.batch, draft, hash: self.hash })
    }
}

impl Personal {
    /// The salted digest that the ledger holds instead of the text.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_parts(&[&self.salt, self.text.as_bytes()])
    }
}

impl Draft {
    /// A record of the engine itself, in a stream of no court.
    #[must_use]
    pub fn of_engine(
        stream: StreamId,
        version: u64,
        kind: &'static str,
        at: Moment,
        actor: &Actor,
        body: String,
    ) -> Self {
        let actor = actor.to_string();
        Self { stream, version, edition: 0, kind: kind.into(), at, actor, body, verdict: None }
    }
}

fn length(text: &str) -> [u8; 8] {
    (text.len() as u64).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(body: &str) -> Draft {
        Draft {
            stream: "contest/spring".parse().unwrap(),
            version: 1,
            edition: 1,
            kind: "AnswerJudged".into(),
            at: Moment::from_millis(5),
            actor: "participant:team_01".into(),
            body: body.into(),
            verdict: Some("{}".into()),
        }
    }

    #[test]
    fn the_same_draft_in_another_place_has_another_hash() {
        let mut head = Head::START;
        let first = head.seal([7; 16], draft("{}"));
        let second = head.seal([7; 16], draft("{}"));
        assert_eq!((first.position, second.position), (1, 2));
        assert_ne!(first.hash, second.hash);
        assert_eq!(second.view().chained_to(&first.hash), second.hash);
        assert_eq!(head, Head { position: 2, hash: second.hash });
    }

    #[test]
    fn every_field_is_under_the_hash() {
        let mut head = Head::START;
        let honest = head.seal([7; 16], draft("{}"));
        let tamper: [fn(&mut Record); 9] = [
            |r| r.position = 9,
            |r| r.batch = [8; 16],
            |r| r.draft.stream = "contest/sprint".parse().unwrap(),
            |r| r.draft.version = 2,
            |r| r.draft.edition = 2,
            |r| r.draft.kind = "AnswerJudge".into(),
            |r| r.draft.at = Moment::from_millis(6),
            |r| r.draft.body = "{ }".into(),
            |r| r.draft.verdict = None,
        ];
        for change in tamper {
            let mut changed = honest.clone();
            change(&mut changed);
            assert_ne!(changed.view().chained_to(&Digest::ZERO), honest.hash, "{changed:?}");
        }
        let mut moved = honest.clone();
        (moved.draft.kind, moved.draft.actor) = ("AnswerJudgedp".into(), "articipant:team_01".into());
        assert_ne!(moved.view().chained_to(&Digest::ZERO), honest.hash, "a letter moved to the next field");
    }
}
