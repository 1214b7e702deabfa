//! `assize eval`: judges many summaries, streaming, with statistics.

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

use crate::CommandResult;
use crate::args::EvalArgs;
use crate::batch::judge_all;
use crate::output::{Failure, counted, note};
use crate::rows::TableFormat;
use crate::{progress, rows, rulebook, scores};
use baseline::{Baseline, MetricChange};
use results::ResultWriter;
use tally::{EvalTally, ModelMean};

pub(crate) fn run(args: &EvalArgs) -> CommandResult {
    let book = rulebook::summary(args.rulebook.as_deref())?;
    let form = args
        .output_format
        .or_else(|| args.output.as_deref().and_then(TableFormat::of))
        .unwrap_or(TableFormat::Jsonl);
    if args.full && form != TableFormat::Jsonl {
        return Err(Failure::Use("whole verdicts are written as JSON lines only".into()));
    }
    let baseline =
        args.baseline.as_deref().map(|file| Baseline::read(file, args.fail_on_drop)).transpose()?;
    let mut tally = EvalTally::new(args.report.is_some());
    let mut rows = rows::open(&args.input, None)?;
    let earlier = args.output.as_deref().filter(|_| args.resume);
    let goes_on =
        earlier.map(|file| resuming::take_earlier(file, form, &mut rows, &book, &mut tally)).transpose()?;
    let mut results =
        ResultWriter::open(args.output.as_deref(), form, args.full, goes_on.unwrap_or_default())?;
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

/// Writes the reports and checks the thresholds.
fn conclude(
    args: &EvalArgs,
    tally: &EvalTally,
    baseline: Option<&Baseline>,
    rulebook: &RulebookRef,
) -> CommandResult {
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
    failed.extend(compared.iter().filter_map(MetricChange::problem));
    end(tally, &failed)
}

fn write(file: &Path, text: &str) -> CommandResult {
    fs::write(file, text).map_err(|error| Failure::Use(format!("`{}`: {error}", file.display())))
}

/// Prints the statistics to standard error.
fn tell(tally: &EvalTally, compared: &[MetricChange]) {
    note(format_args!("{} judged, {} bad", counted(tally.rows, "row"), tally.bad));
    for (metric, (name, mean)) in scores::NAMES.iter().zip(tally.means()).enumerate() {
        let change = compared.get(metric).map(|metric| format!(" {:>+8.3}", metric.now - metric.then));
        note(format_args!("  {name:<25}{mean:>8.3}{}", change.unwrap_or_default()));
    }
    for model in tally.models() {
        let (low, high) = model.interval;
        let ModelMean { rank, name, rows, mean, .. } = &model;
        note(format_args!(
            "  {rank}. {name}: {mean:.3} [{low:.3}, {high:.3}] over {}",
            counted(*rows, "row")
        ));
    }
}

fn end(tally: &EvalTally, failed: &[String]) -> CommandResult {
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
