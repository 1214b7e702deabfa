//! `assize ledger`: verify, export, import, back up and erase.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use assize_engine::clerk::verify_snapshots;
use assize_engine::system_time;
use assize_kernel::{Actor, Digest, Head, Role, to_json};
use assize_ledger::{ErasedData, LedgerError, SqliteLedger, VerifyReport, create_private};

use crate::args::{LedgerCommand, StoreArgs};
use crate::output::{Failure, counted, note, say};
use crate::store::StoreLocation;
use crate::{CommandResult, judge, progress, rulebook, store};

pub(crate) fn run(command: &LedgerCommand) -> CommandResult {
    match command {
        LedgerCommand::Verify { store, head, json } => verify(store, *head, *json),
        LedgerCommand::Export { file, store } => export(store, file.as_deref()),
        LedgerCommand::Import { file, store } => import(store, file),
        LedgerCommand::Backup { file, store } => backup(store, file),
        LedgerCommand::Erase { subject, store } => erase(store, subject),
    }
}

fn verify(store: &StoreArgs, kept: Option<Digest>, json: bool) -> CommandResult {
    let ledger = store::open_existing(store)?;
    let bar = progress::bar(ledger.head()?.position, "verifying");
    let tell = &mut |position| bar.set_position(position);
    let found = assize_ledger::verify_holding(&*ledger, kept, tell)?;
    bar.finish_and_clear();
    let VerifyReport { records, head, mut problems, further } = found;
    if problems.is_empty() {
        let courts = Arc::new(rulebook::shipped()?);
        problems = verify_snapshots(&courts, &ledger)?;
    }
    let total = problems.len() as u64 + further;
    if json {
        let report = serde_json::json!({
            "records": records, "head": head.hash, "problems_total": total, "problems": problems
        });
        say(to_json(&report))?;
    } else {
        problems.iter().for_each(note);
        let records = counted(records, "record");
        match total {
            0 => say(format_args!("{records}, the chain is whole, head {}", head.hash))?,
            _ => say(format_args!("{records}, {}", counted(total, "problem")))?,
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Failure::Different) }
}

fn export(store: &StoreArgs, file: Option<&Path>) -> CommandResult {
    let ledger = store::open_existing(store)?;
    let bar = progress::bar(ledger.head()?.position, "exporting");
    let mut tell = |position| bar.set_position(position);
    let Some(file) = file else {
        let mut out = BufWriter::new(PipeWriter { out: io::stdout().lock(), unread: false });
        let exported = assize_ledger::export(&*ledger, &mut out, &mut tell);
        return match exported {
            Err(_) if out.get_ref().unread => Err(Failure::Unread),
            exported => exported.map(|_| ()).map_err(Failure::from),
        };
    };
    let wrong = |error: io::Error| Failure::Use(format!("`{}`: {error}", file.display()));
    let made = create_private(file).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Use(format!("`{}` exists; name a new file", file.display())),
        _ => wrong(error),
    })?;
    let mut out = BufWriter::new(made);
    let written = assize_ledger::export(&*ledger, &mut out, &mut tell).map_err(Failure::from);
    let written = written.and_then(|head| {
        out.into_inner().map_err(|error| wrong(error.into_error()))?.sync_all().map_err(wrong)?;
        Ok(head)
    });
    bar.finish_and_clear();
    if written.is_err() {
        // A partial export is useless.
        drop(fs::remove_file(file));
    }
    say(format_args!("exported {} to {}", counted(written?.position, "record"), file.display()))
}

/// A writer that remembers a broken pipe, because [`LedgerError`] carries only a message.
struct PipeWriter<W> {
    out: W,
    unread: bool,
}

impl<W: Write> Write for PipeWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).inspect_err(|error| self.unread |= error.kind() == io::ErrorKind::BrokenPipe)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn import(store: &StoreArgs, file: &Path) -> CommandResult {
    let mut input = judge::open(file)?;
    let place = StoreLocation::of(store)?;
    let made = matches!(&place, StoreLocation::File(file) if !file.exists());
    let ledger = place.open()?;
    let bar = progress::count("importing");
    let imported = assize_ledger::import(&*ledger, &mut *input, &mut |position| bar.set_position(position));
    bar.finish_and_clear();
    let head = match imported {
        Ok(head) => head,
        Err(error) => {
            if made {
                remove_if_empty(ledger, &place);
            }
            return Err(match error {
                LedgerError::Damaged(problem) => Failure::Use(problem),
                other => other.into(),
            });
        }
    };
    let records = counted(head.position, "record");
    say(format_args!("imported {records} into {}, the chain is whole", ledger.place()))
}

/// Removes the new file after a failed import, unless another process has begun to use it.
fn remove_if_empty(ledger: Arc<dyn assize_ledger::Ledger>, place: &StoreLocation) {
    let unused = ledger.head().is_ok_and(|head| head == Head::START)
        && ledger.has_tokens().is_ok_and(|has_tokens| !has_tokens);
    drop(ledger);
    if let (StoreLocation::File(file), true) = (place, unused) {
        SqliteLedger::remove(file);
    }
}

fn backup(store: &StoreArgs, file: &Path) -> CommandResult {
    let ledger = store::open_existing(store)?;
    let records = counted(ledger.backup(file)?.position, "record");
    say(format_args!("{records} in {}; it holds secrets too, keep it safe", file.display()))
}

fn erase(store: &StoreArgs, subject: &str) -> CommandResult {
    let ledger = store::open_existing(store)?;
    let erased =
        assize_ledger::erase(&*ledger, subject, system_time(), &Actor::new(Role::Admin, "command-line"))?;
    let texts = counted(erased.texts as u64, "personal text");
    match erased {
        ErasedData { texts: 0, origins: 0 } => {
            Err(Failure::Use(format!("there is nothing personal of `{subject}`")))
        }
        ErasedData { origins: 0, .. } => say(format_args!("erased {texts} of `{subject}`")),
        ErasedData { origins, .. } => {
            let origins = counted(origins, "record");
            say(format_args!("erased {texts} of `{subject}`, and from where {origins} came"))
        }
    }
}
