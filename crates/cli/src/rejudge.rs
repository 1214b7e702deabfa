//! `assize rejudge`: preview of a revision (another rulebook, amendments), and its adoption.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use assize_engine::{Clerk, ClerkSettings, Courts, Petition, Revise};
use assize_kernel::{
    Actor, BoardMoves, ChangedVerdict, Judged, Move, Place, Revision, RevisionReport, Role, to_json,
};
use assize_ledger::Ledger;
use serde_json::Value;

use crate::args::RejudgeArgs;
use crate::output::{Failure, counted, say};
use crate::{CommandResult, judge, rulebook, store};

pub(crate) fn run(args: &RejudgeArgs) -> CommandResult {
    let courts = Arc::new(rulebook::shipped()?);
    let court = judge::court(&courts, args.stream.court())?;
    let named = args.rulebook.as_deref();
    let rulebook = named.map(|named| rulebook::find(&courts, court, Some(named))).transpose()?;
    let amendments = args.amend.as_deref().map_or(Ok(Vec::new()), amendments)?;
    let revision = Revision { rulebook, amendments, reason: args.reason.clone().unwrap_or_default() };
    if !matches!(args.actor.role, Role::Admin | Role::Judge) {
        return Err(Failure::Use(format!("`{}` may not; only an admin or a judge may", args.actor)));
    }
    let ledger = store::open_existing(&args.store)?;
    let report = assize_engine::rejudge(&courts, &*ledger, &args.stream, &revision, &args.actor)?;
    if args.json {
        say(to_json(&report))?
    } else {
        show(&report)?
    }
    match (report.revised, args.adopt) {
        (0, _) => Ok(()),
        (_, false) => Err(Failure::Different),
        (_, true) => adopt(args, &courts, ledger, revision, report.position),
    }
}

/// The amendments in a file: one, or a list.
fn amendments(file: &Path) -> Result<Vec<Value>, Failure> {
    let name = judge::name(file);
    let mut text = String::new();
    let read = judge::open(file)?.read_to_string(&mut text);
    read.map_err(|error| Failure::Use(format!("{name}: {error}")))?;
    match serde_json::from_str(&text) {
        Ok(Value::Array(all)) => Ok(all),
        Ok(one) => Ok(vec![one]),
        Err(error) => Err(Failure::Use(format!("{name} is no JSON: {error}"))),
    }
}

/// Adopts the revision through a clerk, like every record of a court's stream.
fn adopt(
    args: &RejudgeArgs,
    courts: &Arc<Courts>,
    ledger: Arc<dyn Ledger>,
    revision: Revision,
    seen: u64,
) -> CommandResult {
    let (clerk, thread) = Clerk::start(courts.clone(), ledger, ClerkSettings::default())?;
    let revise = Revise { revision, seen: Some(seen) };
    let actor: Actor = args.actor.clone();
    let petition = Petition::new(args.stream.clone(), Box::new(revise), actor, clerk.now());
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let heard = runtime.block_on(clerk.submit(petition));
    thread.close();
    let position = heard?.records.last().map_or(0, |record| record.position);
    if args.json { Ok(()) } else { say(format_args!("\nadopted: record {position}")) }
}

fn show(report: &RevisionReport) -> CommandResult {
    let RevisionReport { stream, position, verdicts, changed, .. } = report;
    let all = counted(*verdicts, "verdict");
    let would = match changed.len() {
        0 => "none would come out otherwise".to_owned(),
        some => format!("{some} would come out otherwise"),
    };
    say(format_args!("{stream} up to record {position}: {all}, {would}"))?;
    if let (Some(before), Some(after)) = (&report.rulebook_before, &report.rulebook_after)
        && before != after
    {
        say(format_args!("rulebook {before} → {after}"))?;
    }
    // The opening record under another rulebook, and amended records.
    let others = report.revised - changed.len();
    if others > 0 {
        say(format_args!("{} beside them would say something else", counted(others as u64, "record")))?;
    }
    if !changed.is_empty() {
        say("\nVerdicts")?;
    }
    let width = changed.iter().map(|changed| changed.position.to_string().len()).max().unwrap_or(0);
    changed.iter().try_for_each(|changed| show_verdict(changed, width))?;
    report.boards.iter().try_for_each(show_board)
}

fn show_verdict(changed: &ChangedVerdict, width: usize) -> CommandResult {
    let ChangedVerdict { position, participant, before, after, .. } = changed;
    let who = participant.as_deref().unwrap_or("-");
    let because = after.refusal.as_ref().map_or(String::new(), |code| format!("  ({code})"));
    say(format_args!(
        "  record {position:width$}  {who}  {} → {}{because}",
        in_short(before),
        in_short(after)
    ))
}

fn in_short(judged: &Judged) -> String {
    format!("{}, {}", judged.outcome, judged.points)
}

fn show_board(BoardMoves { board, moves }: &BoardMoves) -> CommandResult {
    say(format_args!("\nBoard {board}"))?;
    let place = |place: &Option<Place>| match place {
        Some(Place { rank, points }) => format!("{rank}. with {points}"),
        None => "not on it".to_owned(),
    };
    moves.iter().try_for_each(|Move { participant, before, after }| {
        say(format_args!("  {participant}  {} → {}", place(before), place(after)))
    })
}
