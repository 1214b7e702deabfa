//! Export of a stream, page by page, in bounded memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;

use assize_kernel::{Digest, Personal, Record, StreamId, to_json};
use assize_ledger::{Depth, Ledger, LedgerError, Scan};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::document::{Carried, CarriedPersonal, CarriedRulebook, End, FORMAT};
use crate::Courts;
use crate::clerk::{RAW_LOG, RulebookIndex};

/// Number of records in a page.
const WINDOW: u64 = 500;

/// Writes a stream and its raw log as one JSON document, one record a line. Returns the number of records;
/// nothing is written for an empty stream.
///
/// # Errors
/// When the ledger cannot be read, or the document cannot be written.
pub fn export_stream(
    courts: &Courts,
    ledger: &dyn Ledger,
    stream: &StreamId,
    out: &mut dyn Write,
) -> Result<u64, LedgerError> {
    let rulebooks = RulebookIndex::load(ledger, courts)?;
    let mut writing =
        Writing { out, stream, digest: Digest::ZERO, records: 0, logs: 0, books: BTreeMap::new() };
    each_part(ledger, stream, &mut |records, personal| {
        for record in records {
            let theirs = personal.iter().filter(|(position, _)| *position == record.position);
            writing.record(record, theirs.map(|(_, personal)| personal))?;
        }
        Ok(())
    })?;
    if writing.records > 0 {
        let notebook = notebook_of(stream)?;
        each_part(ledger, &notebook, &mut |logs, _| {
            logs.iter().try_for_each(|log| writing.log(&notebook, log))
        })?;
        writing.finish(&rulebooks).map_err(|error| unwritten(&error))?;
    }
    Ok(writing.records)
}

/// The stream with the raw log of a stream.
pub(super) fn notebook_of(stream: &StreamId) -> Result<StreamId, LedgerError> {
    StreamId::new(RAW_LOG, stream.name()).map_err(|error| LedgerError::Damaged(error.to_string()))
}

/// The callback for each page: records, and personal texts with the positions of their records.
pub(super) type EachPart<'a> = dyn FnMut(&[Record], &[(u64, Personal)]) -> Result<(), LedgerError> + 'a;

/// Reads the records of a stream page by page, with their personal texts.
pub(super) fn each_part(
    ledger: &dyn Ledger,
    stream: &StreamId,
    each: &mut EachPart<'_>,
) -> Result<(), LedgerError> {
    let mut after = 0;
    loop {
        let mut part = Vec::new();
        let scan = Scan { limit: WINDOW, ..Scan::stream(stream.as_str(), after, Depth::Whole) };
        ledger.scan(scan, &mut |record| {
            part.extend(record.to_record());
            ControlFlow::Continue(())
        })?;
        let (Some(first), Some(last)) = (part.first(), part.last()) else { return Ok(()) };
        after = last.draft.version;
        each(&part, &ledger.personal_of(first.position, last.position)?)?;
    }
}

struct Writing<'a> {
    out: &'a mut dyn Write,
    stream: &'a StreamId,
    digest: Digest,
    records: u64,
    logs: u64,
    /// Names of the rulebooks that the records refer to, by hash.
    books: BTreeMap<Digest, String>,
}

/// The rulebook field of a verdict, or of the event that opens a stream.
#[derive(Deserialize)]
struct NamesRulebook {
    rulebook: BookNamed,
}

#[derive(Deserialize)]
struct BookNamed {
    name: String,
    hash: Digest,
}

impl Writing<'_> {
    fn record<'p>(
        &mut self,
        record: &Record,
        personal: impl Iterator<Item = &'p Personal>,
    ) -> Result<(), LedgerError> {
        let draft = &record.draft;
        let mut carried = carried(record)?;
        carried.personal = personal.map(|personal| CarriedPersonal::of(personal, self.stream)).collect();
        self.records += 1;
        self.digest = carried.chained_to(&self.digest, self.stream.as_str(), self.records);
        carried.digest = self.digest;
        self.note_rulebooks(draft.verdict.as_deref().unwrap_or(&draft.body));
        self.put(&carried).map_err(|error| unwritten(&error))
    }

    fn log(&mut self, notebook: &StreamId, record: &Record) -> Result<(), LedgerError> {
        let mut carried = carried(record)?;
        self.logs += 1;
        self.digest = carried.chained_to(&self.digest, notebook.as_str(), self.logs);
        carried.digest = self.digest;
        let before = if self.logs == 1 { "\n],\n\"logs\":[\n" } else { ",\n" };
        let written = self.out.write_all(before.as_bytes());
        let written = written.and_then(|()| self.out.write_all(to_json(&carried).as_bytes()));
        written.map_err(|error| unwritten(&error))
    }

    /// Notes the rulebook that an event or verdict names: at the top level of a verdict, one level deeper in
    /// an event, which is wrapped in its kind.
    fn note_rulebooks(&mut self, json: &str) {
        let inside = serde_json::from_str::<BTreeMap<Cow<'_, str>, &RawValue>>(json).unwrap_or_default();
        let inside = inside.values().map(|value| value.get());
        for json in std::iter::once(json).chain(inside) {
            if let Ok(NamesRulebook { rulebook }) = serde_json::from_str(json) {
                self.books.insert(rulebook.hash, rulebook.name);
            }
        }
    }

    fn put(&mut self, carried: &Carried<'_>) -> io::Result<()> {
        if self.records == 1 {
            let stream = to_json(&self.stream.as_str());
            write!(self.out, "{{\"assize_stream\":{FORMAT},\n\"stream\":{stream},\n\"records\":[\n")?;
        } else {
            self.out.write_all(b",\n")?;
        }
        self.out.write_all(to_json(carried).as_bytes())
    }

    fn finish(&mut self, rulebooks: &RulebookIndex) -> io::Result<()> {
        let books = std::mem::take(&mut self.books).into_iter();
        let books = books.filter_map(|(hash, name)| {
            let text = rulebooks.get(&hash)?.text.to_string();
            Some(CarriedRulebook { name, hash, text })
        });
        let end = End { records: self.records, logs: self.logs, digest: self.digest };
        let books = books.collect::<Vec<_>>();
        write!(self.out, "\n],\n\"rulebooks\":{},\n\"end\":{}}}\n", to_json(&books), to_json(&end))?;
        self.out.flush()
    }
}

/// The exported form of a record, without personal texts and digest.
fn carried(record: &Record) -> Result<Carried<'_>, LedgerError> {
    let draft = &record.draft;
    let raw = |text: &str| {
        let raw = RawValue::from_string(text.to_owned());
        raw.map(Cow::Owned)
            .map_err(|error| LedgerError::Damaged(format!("record {} is no JSON: {error}", record.position)))
    };
    Ok(Carried {
        position: record.position,
        edition: draft.edition,
        kind: Cow::Borrowed(&draft.kind),
        at: draft.at,
        actor: Cow::Borrowed(&draft.actor),
        event: raw(&draft.body)?,
        verdict: draft.verdict.as_deref().map(raw).transpose()?,
        personal: Vec::new(),
        digest: Digest::ZERO,
    })
}

pub(super) fn unwritten(error: &io::Error) -> LedgerError {
    LedgerError::Unavailable(format!("the export cannot be written: {error}"))
}
