//! `assize ledger`: looking after what is remembered.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use assize_kernel::{Actor, Role, to_json};
use assize_ledger::{LedgerError, Verified};
use assize_server::system_time;

use crate::args::{Ledger, Store};
use crate::output::{Failure, note, say};
use crate::{Done, judge, progress, store};

pub(crate) fn run(command: &Ledger) -> Done {
    match command {
        Ledger::Verify { store, json } => verify(store, *json),
        Ledger::Export { file, store } => export(store, file.as_deref()),
        Ledger::Import { file, store } => import(store, file),
        Ledger::Backup { file, store } => backup(store, file),
        Ledger::Erase { subject, store } => erase(store, subject),
    }
}

fn verify(store: &Store, json: bool) -> Done {
    let ledger = store::open_existing(store)?;
    let bar = progress::bar(ledger.head()?.position, "verifying");
    let found = assize_ledger::verify(&*ledger, &mut |position| bar.set_position(position))?;
    bar.finish_and_clear();
    let Verified { records, head, problems, further } = &found;
    let total = problems.len() as u64 + further;
    if json {
        let report = serde_json::json!({
            "records": records, "head": head.hash, "problems_total": total, "problems": problems
        });
        say(to_json(&report))?;
    } else {
        problems.iter().for_each(note);
        match total {
            0 => say(format_args!("{records} records, the chain is whole, head {}", head.hash))?,
            1 => say(format_args!("{records} records, one problem"))?,
            many => say(format_args!("{records} records, {many} problems"))?,
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Failure::Different) }
}

fn export(store: &Store, file: Option<&Path>) -> Done {
    let ledger = store::open_existing(store)?;
    let bar = progress::bar(ledger.head()?.position, "exporting");
    let mut tell = |position| bar.set_position(position);
    let Some(file) = file else {
        let mut out = BufWriter::new(Pipe { out: io::stdout().lock(), unread: false });
        let exported = assize_ledger::export(&*ledger, &mut out, &mut tell);
        return match exported {
            Err(_) if out.get_ref().unread => Err(Failure::Unread),
            exported => exported.map(|_| ()).map_err(Failure::from),
        };
    };
    let wrong = |error: io::Error| Failure::Use(format!("`{}`: {error}", file.display()));
    let mut out = BufWriter::new(File::create_new(file).map_err(wrong)?);
    let written = assize_ledger::export(&*ledger, &mut out, &mut tell).map_err(Failure::from);
    let written = written
        .and_then(|_| out.into_inner().map_err(|error| wrong(error.into_error()))?.sync_all().map_err(wrong));
    bar.finish_and_clear();
    if written.is_err() {
        // Half an export is none.
        drop(fs::remove_file(file));
    }
    written?;
    say(format_args!("exported {} records to {}", ledger.head()?.position, file.display()))
}

/// A pipe that remembers when nobody reads it any more: the ledger's error has only words for it.
struct Pipe<W> {
    out: W,
    unread: bool,
}

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).inspect_err(|error| self.unread |= error.kind() == io::ErrorKind::BrokenPipe)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn import(store: &Store, file: &Path) -> Done {
    let mut input = judge::open(file)?;
    let ledger = store::open(store)?;
    let bar = progress::bar(0, "importing");
    let imported = assize_ledger::import(&*ledger, &mut *input, &mut |position| bar.set_position(position));
    bar.finish_and_clear();
    let head = imported.map_err(|error| match error {
        LedgerError::Damaged(problem) => Failure::Use(problem),
        other => other.into(),
    })?;
    say(format_args!("imported {} records into {}, the chain is whole", head.position, ledger.place()))
}

fn backup(store: &Store, file: &Path) -> Done {
    let ledger = store::open_existing(store)?;
    let head = ledger.backup(file)?;
    say(format_args!("{} records in {}; it holds secrets too, keep it safe", head.position, file.display()))
}

fn erase(store: &Store, subject: &str) -> Done {
    let ledger = store::open_existing(store)?;
    let erased =
        assize_ledger::erase(&*ledger, subject, system_time(), &Actor::new(Role::Admin, "command-line"))?;
    match erased {
        0 => Err(Failure::Use(format!("there are no personal texts of `{subject}`"))),
        1 => say(format_args!("erased one personal text of `{subject}`")),
        many => say(format_args!("erased {many} personal texts of `{subject}`")),
    }
}
