//! `assize contest`: export and import of one contest, and tables for spreadsheets.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use assize_engine::transfer::{
    BoardTable, ImportError, Imported, export_stream, export_submissions, import_stream,
};
use assize_engine::{rebuild, system_time};
use assize_kernel::{Actor, Role, StreamId};
use assize_ledger::{Ledger, create_private};

use crate::args::{ContestCommand, ContestFormat, StoreArgs};
use crate::output::{Failure, counted, say};
use crate::store::StoreLocation;
use crate::{CommandResult, judge, rulebook, store};

pub(crate) fn run(command: &ContestCommand) -> CommandResult {
    match command {
        ContestCommand::Export { contest, file, format, store } => {
            export(store, contest, file.as_deref(), *format)
        }
        ContestCommand::Import { file, name, store } => import(store, file, name.as_deref()),
    }
}

fn export(store: &StoreArgs, contest: &str, file: Option<&Path>, format: ContestFormat) -> CommandResult {
    let stream = StreamId::new("contest", contest).map_err(|error| Failure::Use(error.to_string()))?;
    let ledger = store::open_existing(store)?;
    if ledger.version(stream.as_str())? == 0 {
        return Err(Failure::Use(format!("there is no contest `{contest}` in {}", ledger.place())));
    }
    let Some(file) = file else {
        let mut out = BufWriter::new(io::stdout().lock());
        return write(&ledger, &stream, format, &mut out);
    };
    let wrong = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Use(format!("`{}` exists; name a new file", file.display())),
        _ => Failure::Use(format!("`{}`: {error}", file.display())),
    };
    let mut out = BufWriter::new(create_private(file).map_err(wrong)?);
    let written = write(&ledger, &stream, format, &mut out);
    let written = written.and_then(|()| {
        out.into_inner().map_err(|error| wrong(error.into_error()))?.sync_all().map_err(wrong)
    });
    if written.is_err() {
        // A partial export is useless.
        drop(fs::remove_file(file));
    }
    written?;
    say(format_args!("exported {stream} to {}", file.display()))
}

fn write(
    ledger: &Arc<dyn Ledger>,
    stream: &StreamId,
    format: ContestFormat,
    out: &mut dyn Write,
) -> CommandResult {
    let courts = Arc::new(rulebook::shipped()?);
    match format {
        ContestFormat::Json => export_stream(&courts, &**ledger, stream, out).map(drop)?,
        ContestFormat::Submissions => export_submissions(&**ledger, stream, out)?,
        ContestFormat::Board => {
            let table = BoardTable::read(&**ledger, stream)?;
            let views = rebuild(&courts, ledger)?.views;
            out.write_all(table.to_csv(&views, stream).as_bytes())?;
        }
    }
    Ok(out.flush()?)
}

fn import(store: &StoreArgs, file: &Path, name: Option<&str>) -> CommandResult {
    let mut input = judge::open(file)?;
    let ledger = StoreLocation::of(store)?.open()?;
    let who = Actor::new(Role::Admin, "command-line");
    let imported = import_stream(&rulebook::shipped()?, &*ledger, &mut *input, name, system_time(), &who);
    let Imported { stream, records, logs, teams } = imported.map_err(|error| match error {
        ImportError::Document(_) => Failure::Use(format!("{}: {error}", judge::name(file))),
        ImportError::Taken(_) => Failure::Use(error.to_string()),
        ImportError::Ledger(error) => error.into(),
        ImportError::Clerk(error) => error.into(),
    })?;
    let records = counted(records, "record");
    let logs = if logs == 0 { String::new() } else { format!(" and {}", counted(logs, "log")) };
    say(format_args!(
        "imported {records}{logs} as {stream} into {}, every verdict comes out the same",
        ledger.place()
    ))?;
    if teams.is_empty() {
        return Ok(());
    }
    say(format_args!("tokens and logins are not carried; give new ones to: {}", teams.join(", ")))
}
