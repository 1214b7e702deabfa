//! `assize rejudge`: what would come of a history with something different, and having it so.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use assize_kernel::{
    Actor, BoardMoves, ChangedVerdict, Judged, Move, Place, Revision, RevisionReport, Role, to_json,
};
use assize_ledger::Ledger;
use assize_server::{Clerk, Courts, Petition, Revise, Settings};
use serde_json::Value;

use crate::args::Rejudge;
use crate::output::{Failure, counted, say};
use crate::{Done, judge, rulebook, store};

pub(crate) fn run(args: &Rejudge) -> Done {
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
    let report = assize_server::rejudge(&courts, &*ledger, &args.stream, (&revision, &args.actor))?;
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

/// The corrections in a file: one, or a list of them.
fn amendments(file: &Path) -> Result<Vec<Value>, Failure> {
    let (name, mut text) = (judge::name(file), String::new());
    let read = judge::open(file)?.read_to_string(&mut text);
    read.map_err(|error| Failure::Use(format!("{name}: {error}")))?;
    match serde_json::from_str(&text) {
        Ok(Value::Array(all)) => Ok(all),
        Ok(one) => Ok(vec![one]),
        Err(error) => Err(Failure::Use(format!("{name} is no JSON: {error}"))),
    }
}

/// Through a clerk, like everything that is recorded in a court's stream.
fn adopt(
    args: &Rejudge,
    courts: &Arc<Courts>,
    ledger: Arc<dyn Ledger>,
    revision: Revision,
    seen: u64,
) -> Done {
    let (clerk, thread) = Clerk::start(courts.clone(), ledger, Settings::default())?;
    let revise = Revise { revision, seen: Some(seen) };
    let (stream, actor): (_, Actor) = (args.stream.clone(), args.actor.clone());
    let petition = Petition::new(stream, Box::new(revise), actor, clerk.now());
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let heard = runtime.block_on(clerk.hear(petition));
    thread.close();
    let position = heard?.records.last().map_or(0, |record| record.position);
    if args.json { Ok(()) } else { say(format_args!("\nadopted: record {position}")) }
}

fn show(report: &RevisionReport) -> Done {
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
    // The opening, under another rulebook, and what was corrected.
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

fn show_verdict(changed: &ChangedVerdict, width: usize) -> Done {
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

fn show_board(BoardMoves { board, moves }: &BoardMoves) -> Done {
    say(format_args!("\nBoard {board}"))?;
    let place = |place: &Option<Place>| match place {
        Some(Place { rank, points }) => format!("{rank}. with {points}"),
        None => "not on it".to_owned(),
    };
    moves.iter().try_for_each(|Move { participant, before, after }| {
        say(format_args!("  {participant}  {} → {}", place(before), place(after)))
    })
}
