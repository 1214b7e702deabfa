//! `assize eval`: many summaries judged, streaming, with what they come to.

mod junit;
mod report;
mod results;
mod tally;

use std::fs;
use std::path::Path;

use crate::Done;
use crate::args::Eval;
use crate::batch::judge_all;
use crate::output::{Failure, counted, note};
use crate::rows::Form;
use crate::{progress, rows, rulebook, scores};
use results::Results;
use tally::Tally;

pub(crate) fn run(args: &Eval) -> Done {
    let book = rulebook::summary(args.rulebook.as_deref())?;
    let form =
        args.output_format.or_else(|| args.output.as_deref().and_then(Form::of)).unwrap_or(Form::Jsonl);
    if args.full && form != Form::Jsonl {
        return Err(Failure::Use("whole verdicts are written as JSON lines only".into()));
    }
    let mut results = Results::open(args.output.as_deref(), form, args.full)?;
    let mut tally = Tally::new(args.report.is_some());
    let bar = progress::count("judged");
    judge_all(rows::open(&args.input, None)?, &book, args.threads, |judged| {
        bar.inc(1);
        if let Err(problem) = &judged.outcome {
            note(format_args!("row {}: {problem}", judged.number));
        }
        results.write(&judged)?;
        tally.take(judged);
        Ok(())
    })?;
    results.finish()?;
    bar.finish_and_clear();
    let failed = tally.below(&args.fail_under);
    if let Some(file) = &args.junit {
        write(file, &junit::of(&tally, &args.fail_under))?;
    }
    if let Some(file) = &args.report {
        write(file, &report::of(&tally, &book.reference))?;
    }
    tell(&tally);
    end(&tally, &failed)
}

fn write(file: &Path, text: &str) -> Done {
    fs::write(file, text).map_err(|error| Failure::Use(format!("`{}`: {error}", file.display())))
}

/// What all of it comes to, beside the results.
fn tell(tally: &Tally) {
    note(format_args!("{} judged, {} bad", counted(tally.rows, "row"), tally.bad));
    for (name, mean) in scores::NAMES.iter().zip(tally.means()) {
        note(format_args!("  {name:<25}{mean:>8.3}"));
    }
    for model in tally.models() {
        let (low, high) = model.interval;
        let (rank, name, rows, mean) = (model.rank, &model.name, model.rows, model.mean);
        note(format_args!("  {rank}. {name}: {mean:.3} [{low:.3}, {high:.3}] over {}", counted(rows, "row")));
    }
}

fn end(tally: &Tally, failed: &[String]) -> Done {
    failed.iter().for_each(|line| note(format_args!("assize: {line}")));
    if !failed.is_empty() {
        return Err(Failure::Different);
    }
    match tally.bad {
        0 => Ok(()),
        1 => Err(Failure::Use("one row could not be judged".into())),
        many => Err(Failure::Use(format!("{many} rows could not be judged"))),
    }
}
