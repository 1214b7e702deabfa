//! `assize replay`: recomputes every verdict and compares.

use assize_engine::{Difference, OtherEdition, Replay};
use assize_kernel::to_json;

use crate::args::ReplayArgs;
use crate::output::{Failure, counted, note, say};
use crate::{CommandResult, progress, rulebook, store};

pub(crate) fn run(args: &ReplayArgs) -> CommandResult {
    let courts = rulebook::shipped()?;
    let ledger = store::open_existing(&args.store)?;
    let bar = progress::bar(ledger.head()?.position, "replaying");
    let found = assize_engine::replay(&courts, &*ledger, &mut |position| bar.set_position(position))?;
    bar.finish_and_clear();
    if args.json {
        say(to_json(&found))?;
    } else {
        report(&found)?;
    }
    if found.is_well() { Ok(()) } else { Err(Failure::Different) }
}

fn report(found: &Replay) -> CommandResult {
    found.shown.iter().for_each(show);
    let mut by_others = 0;
    for (edition, OtherEdition { verdicts, different, shown }) in &found.other_editions {
        by_others += different;
        shown.iter().for_each(show);
        let given = if *verdicts == 1 { "verdict was given" } else { "verdicts were given" };
        note(format_args!("{verdicts} {given} by another edition ({edition}), {different} different today"));
    }
    let Replay { same, different, unreadable, .. } = found;
    let records = counted(found.records, "record");
    let verdicts = counted(found.verdicts, "verdict");
    let mut line =
        format!("{records}, {verdicts}: {same} the same, {different} different, {unreadable} unreadable");
    if by_others > 0 {
        line += &format!(", {by_others} different under another edition");
    }
    if found.gaps > 0 {
        line += &format!(", {}", counted(found.gaps, "gap"));
    }
    say(line)
}

fn show(difference: &Difference) {
    let Difference { position, stream, what } = difference;
    for what in what {
        note(format_args!("record {position} of {stream}: {what}"));
    }
}
