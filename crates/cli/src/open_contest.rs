//! `assize serve --open-contest`: opens a contest from a file to everybody, without tokens.

use std::fs;
use std::path::Path;

use assize_engine::Clerk;
use assize_ledger::Ledger;
use assize_server::{GroundTruth, NotOpened, Opened, open_to_all};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::CommandResult;
use crate::output::{Failure, counted, note, say};
use crate::serve::here;

/// Reads the file; prints all its errors, and then nothing is started.
pub(crate) fn read(file: &Path) -> Result<GroundTruth, Failure> {
    let name = file.display().to_string();
    let csv = fs::read(file).map_err(|error| Failure::Use(format!("cannot read `{name}`: {error}")))?;
    let csv = String::from_utf8(csv).map_err(|_| Failure::Use(format!("`{name}` is not UTF-8")))?;
    GroundTruth::read(&name, &csv).map_err(told)
}

/// Opens or resumes the contest.
pub(crate) fn open(
    runtime: &Runtime,
    truth: GroundTruth,
    clerk: &Clerk,
    ledger: &dyn Ledger,
) -> Result<Opened, Failure> {
    // Outside the runtime, because the store blocks.
    let now_open = open_to_all(ledger)?;
    runtime.block_on(truth.open(clerk, now_open)).map_err(told)
}

/// Prints which contest is open to everybody, if any.
pub(crate) fn tell(
    ledger: &dyn Ledger,
    listener: &TcpListener,
    secure: bool,
    opened: Option<&Opened>,
) -> CommandResult {
    let Some(stream) = open_to_all(ledger)? else { return Ok(()) };
    let contest = stream.name();
    let here = here(listener, secure)?;
    let news = opened.map(|Opened { questions, added, .. }| {
        let questions = counted(u64::try_from(*questions).unwrap_or(u64::MAX), "question");
        format!(" ({questions}, {added} of them new)")
    });
    say(format_args!("  open to all   contest `{contest}`{}", news.unwrap_or_default()))?;
    if let Some(before) = opened.and_then(|opened| opened.instead_of.as_deref()) {
        say(format_args!("                in the place of `{before}`, which is not open any more"))?;
    }
    if listener.local_addr()?.ip().to_canonical().is_loopback() {
        say("                whoever is on this machine submits and runs it without a token")?;
    } else {
        say("                WHOEVER REACHES THIS ADDRESS submits for any team without a token;")?;
        say("                running it takes an admin's token, or being on this machine")?;
    }
    let close = format!("POST {here}/api/v1/contests/{contest}/door/close, with an admin's token");
    say(format_args!("                to try it  curl {here}/config"))?;
    say(format_args!("                to end it  {close}"))
}

/// Prints each fault on its own line.
fn told(error: NotOpened) -> Failure {
    match error {
        NotOpened::Clerk(error) => error.into(),
        NotOpened::Faults(faults) => {
            for fault in &faults {
                note(fault);
            }
            Failure::Use("the contest cannot be opened; nothing was started".into())
        }
    }
}
