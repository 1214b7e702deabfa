//! `assize eval`: many summaries judged, streaming, with what they come to.

mod baseline;
mod earlier;
mod junit;
mod report;
mod results;
mod resuming;
mod tally;

use std::fs;
use std::path::Path;

use assize_kernel::RulebookRef;

use crate::Done;
use crate::args::Eval;
use crate::batch::judge_all;
use crate::output::{Failure, counted, note};
use crate::rows::Form;
use crate::{progress, rows, rulebook, scores};
use baseline::{Baseline, Compared};
use results::Results;
use tally::Tally;

pub(crate) fn run(args: &Eval) -> Done {
    let book = rulebook::summary(args.rulebook.as_deref())?;
    let form =
        args.output_format.or_else(|| args.output.as_deref().and_then(Form::of)).unwrap_or(Form::Jsonl);
    if args.full && form != Form::Jsonl {
        return Err(Failure::Use("whole verdicts are written as JSON lines only".into()));
    }
    let baseline =
        args.baseline.as_deref().map(|file| Baseline::read(file, args.fail_on_drop)).transpose()?;
    let mut tally = Tally::new(args.report.is_some());
    let mut rows = rows::open(&args.input, None)?;
    let earlier = args.output.as_deref().filter(|_| args.resume);
    let goes_on =
        earlier.map(|file| resuming::take_earlier(file, form, &mut rows, &book, &mut tally)).transpose()?;
    let mut results = Results::open(args.output.as_deref(), form, args.full, goes_on.unwrap_or_default())?;
    let bar = progress::count("judged");
    bar.set_position(tally.rows + tally.bad);
    judge_all(rows, &book, args.threads, |judged| {
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
    conclude(args, &tally, baseline.as_ref(), &book.reference)
}

/// Everything that follows from all rows together.
fn conclude(args: &Eval, tally: &Tally, baseline: Option<&Baseline>, rulebook: &RulebookRef) -> Done {
    let compared = baseline.map(|baseline| baseline.compare(tally.means(), tally.rows)).unwrap_or_default();
    if let Some(file) = &args.junit {
        let compared = if args.fail_on_drop.is_some() { compared.as_slice() } else { &[] };
        write(file, &junit::of(tally, &args.fail_under, compared))?;
    }
    if let Some(file) = &args.report {
        write(file, &report::of(tally, rulebook))?;
    }
    tell(tally, &compared);
    let mut failed = tally.below(&args.fail_under);
    failed.extend(compared.iter().filter_map(Compared::problem));
    end(tally, &failed)
}

fn write(file: &Path, text: &str) -> Done {
    fs::write(file, text).map_err(|error| Failure::Use(format!("`{}`: {error}", file.display())))
}

/// What all of it comes to, beside the results.
fn tell(tally: &Tally, compared: &[Compared]) {
    note(format_args!("{} judged, {} bad", counted(tally.rows, "row"), tally.bad));
    for (metric, (name, mean)) in scores::NAMES.iter().zip(tally.means()).enumerate() {
        let change = compared.get(metric).map(|metric| format!(" {:>+8.3}", metric.now - metric.then));
        note(format_args!("  {name:<25}{mean:>8.3}{}", change.unwrap_or_default()));
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
