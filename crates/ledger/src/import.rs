//! Import of an export into an empty ledger: all of it, verified, or nothing.

use std::collections::HashMap;
use std::io::BufRead;

use assize_kernel::{Head, StreamId};

use crate::lines::{ExportLine, FORMAT, PersonalLine, RecordLine};
use crate::walk::WINDOW;
use crate::{Batch, Ledger, LedgerError, LockedWriter, chain};

/// Reads an export into an empty ledger; calls `progress` with the position from time to time.
///
/// # Errors
/// When the ledger is not empty, or when a line is wrong: then the ledger stays empty.
pub fn import(
    ledger: &dyn Ledger,
    input: &mut dyn BufRead,
    progress: &mut dyn FnMut(u64),
) -> Result<Head, LedgerError> {
    let mut writer = ledger.writer()?;
    let locked = writer.lock()?;
    if locked.head() != Head::START {
        let message = format!("{} is not empty; import into a new ledger", ledger.place());
        return Err(LedgerError::Unusable(message));
    }
    let mut state =
        ImportState { locked, part: Batch::default(), head: Head::START, versions: HashMap::new() };
    let mut text = String::new();
    let mut number = 0_u64;
    loop {
        number += 1;
        text.clear();
        let wrong = |what: String| LedgerError::Damaged(format!("line {number} of the export: {what}"));
        input.read_line(&mut text).map_err(|error| wrong(error.to_string()))?;
        if text.is_empty() {
            return Err(wrong("it ends here, before its last line".into()));
        }
        // Each line is parsed by itself, so serde counts it as line 1.
        let here = |error: serde_json::Error| error.to_string().replace(" at line 1 column ", " at column ");
        let line: ExportLine<'_> = serde_json::from_str(&text).map_err(|error| wrong(here(error)))?;
        match (number, line) {
            (1, ExportLine::AssizeLedger(FORMAT)) => {}
            (1, ExportLine::AssizeLedger(other)) => {
                return Err(wrong(format!("format {other} is not known to this program")));
            }
            (1, _) => return Err(wrong("it must begin with {\"assize_ledger\":1}".into())),
            (_, ExportLine::AssizeLedger(_)) => return Err(wrong("it begins a second time".into())),
            (_, ExportLine::Record(line)) => state.record(line, progress)?.map_err(wrong)?,
            (_, ExportLine::Personal(line)) => state.personal(line).map_err(wrong)?,
            (_, ExportLine::End(end)) if Head::from(end) != state.head => {
                return Err(wrong("the last line does not fit the records before it".into()));
            }
            (_, ExportLine::End(_)) => break,
        }
    }
    let head = state.head;
    state.locked.commit(&state.part)?;
    progress(head.position);
    Ok(head)
}

/// The state of an import.
struct ImportState<'a> {
    locked: Box<dyn LockedWriter + 'a>,
    part: Batch,
    head: Head,
    versions: HashMap<StreamId, u64>,
}

impl ImportState<'_> {
    /// The outer error is of the store, the inner one of the line.
    fn record(
        &mut self,
        line: RecordLine<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Result<(), String>, LedgerError> {
        let record = match line.into_record() {
            Ok(record) => record,
            Err(what) => return Ok(Err(what)),
        };
        if record.position != self.head.position + 1 {
            return Ok(Err(format!("record {} follows {}", record.position, self.head.position)));
        }
        if record.view().chained_to(&self.head.hash) != record.hash {
            return Ok(Err(format!("record {} does not match its hash", record.position)));
        }
        let version = self.versions.entry(record.draft.stream.clone()).or_default();
        *version += 1;
        if record.draft.version != *version {
            let stream = &record.draft.stream;
            let found = record.draft.version;
            return Ok(Err(format!("version {found} of `{stream}` stands where {version} must be")));
        }
        if self.part.records.len() as u64 >= WINDOW {
            self.locked.append(&std::mem::take(&mut self.part))?;
            progress(self.head.position);
        }
        self.head = Head { position: record.position, hash: record.hash };
        self.part.records.push(record.into());
        Ok(Ok(()))
    }

    fn personal(&mut self, line: PersonalLine<'_>) -> Result<(), String> {
        let position = line.position;
        let personal = line.into_personal()?;
        let before = self.part.records.last().filter(|record| record.position == position);
        let before = before.ok_or("a personal text must follow the record it came with")?;
        if !chain::vouches(&before.view(), &personal) {
            return Err(format!("the personal text does not match its digest in record {position}"));
        }
        self.part.personal.push((position, personal));
        Ok(())
    }
}
