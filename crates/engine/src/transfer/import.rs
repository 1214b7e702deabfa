//! Import of an exported stream: the whole document is verified first, then appended in one batch.

use std::collections::HashMap;
use std::io::BufRead;

use assize_kernel::{Actor, Digest, Draft, Head, Moment, StreamId, to_json};
use assize_ledger::{ForeignRecord, Ledger, LedgerError, MemoryLedger, append_foreign};
use serde_json::{Value, json};

use super::document::{Carried, Document, FORMAT};
use super::export::notebook_of;
use crate::clerk::{RAW_LOG, RulebookIndex};
use crate::{ClerkError, Courts, replay};

/// The stream that records imports.
const IMPORTS: (&str, &str) = ("assize", "imports");

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The stream under its name in this ledger.
    pub stream: StreamId,
    /// Number of records.
    pub records: u64,
    /// Number of raw log entries.
    pub logs: u64,
    /// Ids of the teams of a contest; their tokens are not imported.
    pub teams: Vec<String>,
}

/// Why an import failed; nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The document was altered, or cannot be imported into this ledger; names the place.
    #[error("{0}")]
    Document(String),
    /// The name is in use.
    #[error("there is a `{0}` already; import it under another name")]
    Taken(StreamId),
    /// The ledger cannot be read or written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// An internal error.
    #[error(transparent)]
    Clerk(#[from] ClerkError),
}

/// Imports a document under its own name or another one. Every digest is checked and every verdict computed
/// again before anything is written; all records are committed together. A running server picks them up.
///
/// # Errors
/// When the document was altered, its name is in use, or the ledger cannot be written.
pub fn import_stream(
    courts: &Courts,
    ledger: &dyn Ledger,
    input: &mut dyn BufRead,
    name: Option<&str>,
    at: Moment,
    actor: &Actor,
) -> Result<Imported, ImportError> {
    let document: Document = serde_json::from_reader(input)
        .map_err(|error| ImportError::Document(format!("this is no export of a stream: {error}")))?;
    check(courts, &document, at)?;
    let stream = named(&document, name)?;
    let here = Landing { courts, document: &document, stream: &stream, at, actor };
    here.rehearse()?;
    here.land(ledger)?;
    let teams = teams(&document);
    Ok(Imported { records: document.end.records, logs: document.end.logs, teams, stream })
}

fn named(document: &Document, name: Option<&str>) -> Result<StreamId, ImportError> {
    let wrong = |error: assize_kernel::BadName| ImportError::Document(error.to_string());
    let stream: StreamId = document.stream.parse().map_err(wrong)?;
    name.map_or(Ok(stream.clone()), |name| StreamId::new(stream.court(), name).map_err(wrong))
}

/// Verifies format, court, hash chain and rulebooks of a document.
fn check(courts: &Courts, document: &Document, now: Moment) -> Result<(), ImportError> {
    let Document { assize_stream, stream, records, logs, rulebooks, end } = document;
    let wrong = |what: String| Err(ImportError::Document(what));
    if *assize_stream != FORMAT {
        return wrong(format!("format {assize_stream} is not known to this program"));
    }
    let court = stream.split('/').next().unwrap_or_default();
    let Some(court) = courts.get(court) else {
        return wrong(format!("there is no court for `{stream}` here"));
    };
    let notebook = format!("{RAW_LOG}/{}", stream.split_once('/').map_or("", |(_, name)| name));
    let digest = follow(stream, records, Digest::ZERO, now)?;
    let digest = follow(&notebook, logs, digest, now)?;
    let (records, logs) = (records.len() as u64, logs.len() as u64);
    if (end.records, end.logs, end.digest) != (records, logs, digest) || records == 0 {
        return wrong(format!("{records} records do not lead to its end: something is missing"));
    }
    for book in rulebooks {
        let read = court.read_rulebook(&format!("{}.toml", book.name), &book.text);
        match read {
            Err(error) => return wrong(format!("the rulebook `{}` cannot be read here: {error}", book.name)),
            Ok(read) if read.reference.hash != book.hash => {
                return wrong(format!(
                    "the rulebook `{}` does not match its hash: it was changed",
                    book.name
                ));
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

/// Verifies the chain and the times of records; returns the last digest.
fn follow(
    stream: &str,
    records: &[Carried<'static>],
    mut digest: Digest,
    now: Moment,
) -> Result<Digest, ImportError> {
    for (carried, version) in records.iter().zip(1..) {
        let here = place(version, carried);
        digest = carried.chained_to(&digest, stream, version);
        if digest != carried.digest {
            let what = format!("{here} does not match its digest: it, or one before it, was changed");
            return Err(ImportError::Document(what));
        }
        if carried.at > now {
            let what = format!("{here} is dated {}, after now: set the clock right first", carried.at);
            return Err(ImportError::Document(what));
        }
    }
    Ok(digest)
}

fn place(version: u64, carried: &Carried<'_>) -> String {
    format!("record {version} ({}, position {})", carried.kind, carried.position)
}

/// The import of a verified document.
struct Landing<'a> {
    courts: &'a Courts,
    document: &'a Document,
    stream: &'a StreamId,
    at: Moment,
    actor: &'a Actor,
}

impl Landing<'_> {
    /// Dry run: imports into a memory ledger and replays every verdict there.
    fn rehearse(&self) -> Result<(), ImportError> {
        let memory = MemoryLedger::new();
        self.land(&memory).map_err(|error| match error {
            ImportError::Ledger(LedgerError::Damaged(what)) => ImportError::Document(what),
            other => other,
        })?;
        let found = replay(self.courts, &memory, &mut |_| {})?;
        if found.is_well() {
            return Ok(());
        }
        let before = self.document.rulebooks.len() as u64;
        let what = found.shown.first().map(|shown| {
            let version = shown.position.saturating_sub(before);
            let carried = usize::try_from(version)
                .ok()
                .and_then(|version| self.document.records.get(version.checked_sub(1)?));
            let place = carried.map_or_else(|| "it".to_owned(), |carried| place(version, carried));
            format!("{place} does not come out as it stands: {}", shown.what.join("; "))
        });
        Err(ImportError::Document(what.unwrap_or_else(|| "it does not come out as it stands".into())))
    }

    fn land(&self, ledger: &dyn Ledger) -> Result<Head, ImportError> {
        append_foreign(ledger, |head| {
            if ledger.version(self.stream.as_str())? > 0 {
                return Err(ImportError::Taken(self.stream.clone()));
            }
            let mut foreign = self.rulebooks(&RulebookIndex::load(ledger, self.courts)?)?;
            let first = head.position + foreign.len() as u64 + 1;
            foreign.extend(self.records(first)?);
            foreign.extend(self.logs(ledger)?);
            foreign.push(self.note(ledger.version(&format!("{}/{}", IMPORTS.0, IMPORTS.1))? + 1)?);
            Ok(foreign)
        })
    }

    /// Records of the rulebooks that this ledger does not have.
    fn rulebooks(&self, rulebooks: &RulebookIndex) -> Result<Vec<ForeignRecord>, ImportError> {
        let mut foreign = Vec::new();
        let court = self.courts.get(self.stream.court());
        for book in self.document.rulebooks.iter().filter(|book| rulebooks.get(&book.hash).is_none()) {
            let read =
                court.and_then(|court| court.read_rulebook(&format!("{}.toml", book.name), &book.text).ok());
            let version = rulebooks.version() + foreign.len() as u64 + 1;
            let draft = read.and_then(|read| RulebookIndex::entry(&read, version, self.at, self.actor));
            let draft = draft.ok_or_else(|| {
                ImportError::Document(format!("the rulebook `{}` cannot be read", book.name))
            })?;
            foreign.push(ForeignRecord { draft, personal: Vec::new() });
        }
        Ok(foreign)
    }

    /// The records, placed from position `first` on.
    fn records(&self, first: u64) -> Result<Vec<ForeignRecord>, ImportError> {
        let records = &self.document.records;
        let places: HashMap<u64, u64> =
            records.iter().zip(first..).map(|(carried, place)| (carried.position, place)).collect();
        let to_foreign = |(carried, version): (&Carried<'static>, u64)| {
            let wrong = |what: &str| ImportError::Document(format!("{} {what}", place(version, carried)));
            let body = moved(carried.event.get(), &places);
            let body = body.ok_or_else(|| wrong("refers to a record that is not in the document"))?;
            let personal = carried.personal.iter().map(|personal| personal.to_personal(self.stream));
            let personal =
                personal.collect::<Option<Vec<_>>>().ok_or_else(|| wrong("has a salt that is none"))?;
            Ok(ForeignRecord { draft: draft(carried, self.stream, version, body), personal })
        };
        records.iter().zip(1..).map(to_foreign).collect()
    }

    /// The raw log, unchanged.
    fn logs(&self, ledger: &dyn Ledger) -> Result<Vec<ForeignRecord>, ImportError> {
        let stream = notebook_of(self.stream)?;
        if !self.document.logs.is_empty() && ledger.version(stream.as_str())? > 0 {
            return Err(ImportError::Taken(stream));
        }
        let logs = self.document.logs.iter().zip(1..);
        let to_foreign = |(carried, version): (&Carried<'static>, u64)| ForeignRecord {
            draft: draft(carried, &stream, version, carried.event.get().to_owned()),
            personal: Vec::new(),
        };
        Ok(logs.map(to_foreign).collect())
    }

    /// The record of the import.
    fn note(&self, version: u64) -> Result<ForeignRecord, ImportError> {
        let stream =
            StreamId::new(IMPORTS.0, IMPORTS.1).map_err(|error| ImportError::Document(error.to_string()))?;
        let Document { stream: called, end, .. } = self.document;
        let body = to_json(&json!({ "StreamImported": {
            "stream": self.stream.as_str(), "called": called, "records": end.records, "digest": end.digest,
        }}));
        let draft = Draft::of_engine(stream, version, "StreamImported", self.at, self.actor, body);
        Ok(ForeignRecord { draft, personal: Vec::new() })
    }
}

/// The draft of an exported record.
fn draft(carried: &Carried<'static>, stream: &StreamId, version: u64, body: String) -> Draft {
    Draft {
        stream: stream.clone(),
        version,
        edition: carried.edition,
        kind: carried.kind.clone(),
        at: carried.at,
        actor: carried.actor.clone().into_owned(),
        body,
        verdict: carried.verdict.as_deref().map(|verdict| verdict.get().into()),
    }
}

/// Ids of the teams, in the order of their registration.
fn teams(document: &Document) -> Vec<String> {
    let registered = document.records.iter().filter(|carried| carried.kind == "TeamRegistered");
    let team = |carried: &Carried<'_>| {
        let event: Value = serde_json::from_str(carried.event.get()).ok()?;
        event.pointer("/TeamRegistered/team")?.as_str().map(str::to_owned)
    };
    registered.filter_map(team).collect()
}

/// Translates the positions in an event from the source ledger to this one; `None` when a record is not in
/// the document. The rest stays byte for byte. Quotation marks inside strings are escaped, so the search
/// matches only fields.
fn moved(event: &str, places: &HashMap<u64, u64>) -> Option<String> {
    const FIELD: &str = "\"position\":";
    let mut parts = event.split(FIELD);
    let mut body = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        body.push_str(FIELD);
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = part.split_at_checked(digits)?;
        match number.parse() {
            Ok(position) => body.push_str(&places.get(&position)?.to_string()),
            Err(_) => body.push_str(number),
        }
        body.push_str(rest);
    }
    Some(body)
}

#[test]
fn only_positions_are_moved_and_only_to_where_their_records_are() {
    let places = HashMap::from([(7, 107), (8, 108)]);
    let check = |event: &str, expected: Option<&str>| assert_eq!(moved(event, &places).as_deref(), expected);
    check(r#"{"A":{"position":7,"at":7}}"#, Some(r#"{"A":{"position":107,"at":7}}"#));
    check(
        r#"{"A":{"position":8,"event":{"B":{"position":7}}}}"#,
        Some(r#"{"A":{"position":108,"event":{"B":{"position":107}}}}"#),
    );
    check(
        r#"{"A":{"text":"\"position\":7","position":null}}"#,
        Some(r#"{"A":{"text":"\"position\":7","position":null}}"#),
    );
    check(r#"{"A":{"position":9}}"#, None);
}
