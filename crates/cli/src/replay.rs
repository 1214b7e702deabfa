//! `assize replay`: every verdict computed again.

use assize_kernel::to_json;
use assize_server::Replay as Found;

use crate::args::Replay;
use crate::output::{Failure, note, say};
use crate::{Done, progress, rulebook, store};

pub(crate) fn run(args: &Replay) -> Done {
    let courts = rulebook::shipped()?;
    let ledger = store::open_existing(&args.store)?;
    let bar = progress::bar(ledger.head()?.position, "replaying");
    let found = assize_server::replay(&courts, &*ledger, &mut |position| bar.set_position(position))?;
    bar.finish_and_clear();
    if args.json {
        say(to_json(&found))?;
    } else {
        report(&found)?;
    }
    if found.different + found.unreadable == 0 { Ok(()) } else { Err(Failure::Different) }
}

fn report(found: &Found) -> Done {
    let Found { records, verdicts, same, different, unreadable, .. } = found;
    for (edition, count) in &found.other_editions {
        note(format_args!("{count} verdicts were given by another edition ({edition})"));
    }
    for difference in &found.shown {
        note(format_args!("record {} of {}: {}", difference.position, difference.stream, difference.what));
    }
    say(format_args!(
        "{records} records, {verdicts} verdicts: {same} the same, {different} different, {unreadable} unreadable"
    ))
}
