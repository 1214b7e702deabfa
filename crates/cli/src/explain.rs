//! `assize explain`: prints the derivation of a verdict, so that a person can redo the arithmetic.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use assize_kernel::{Input, Overlay, Record, Verdict};
use assize_ledger::{Depth, Ledger, Scan};

use crate::args::{ExplainArgs, StoreArgs};
use crate::output::{Failure, say};
use crate::{CommandResult, judge, store};

pub(crate) fn run(args: &ExplainArgs) -> CommandResult {
    if let Ok(position) = args.what.parse() {
        let record = record(&args.store, position)?;
        let Some(verdict) = &record.draft.verdict else {
            let Record { position, draft, .. } = &record;
            return Err(Failure::Use(format!(
                "record {position} of {} is no verdict: {}",
                draft.stream, draft.kind
            )));
        };
        if args.json {
            return say(verdict);
        }
        explain(verdict, Some(&record))?;
        return show_revision(&*store::open_existing(&args.store)?, &record);
    }
    let file = Path::new(&args.what);
    let mut text = String::new();
    let name = judge::name(file);
    let read = judge::open(file)?.read_to_string(&mut text);
    read.map_err(|error| Failure::Use(format!("{name}: {error}")))?;
    if text.trim().is_empty() {
        return Err(Failure::Use("there is nothing to explain: the input is empty".into()));
    }
    for document in serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>() {
        let document = document.map_err(|error| Failure::Use(format!("{name} is no JSON: {error}")))?;
        // A response of the server contains the verdict.
        let verdict = document.get("verdict").unwrap_or(&document);
        if !verdict.is_object() {
            return Err(Failure::Use(format!("this is no verdict: expected an object, found `{verdict}`")));
        }
        let verdict = verdict.to_string();
        if args.json { say(verdict)? } else { explain(&verdict, None)? }
    }
    Ok(())
}

fn record(store: &StoreArgs, position: u64) -> Result<Record, Failure> {
    let ledger = store::open_existing(store)?;
    let mut found = None;
    ledger.scan(Scan::at(position), &mut |record| {
        found = record.to_record().ok().filter(|record| record.position == position);
        ControlFlow::Break(())
    })?;
    let head = ledger.head()?.position;
    found.ok_or_else(|| Failure::Use(format!("there is no record {position}; the last one is {head}")))
}

/// Prints the position of the revision that replaces the verdict, if there is one.
fn show_revision(ledger: &dyn Ledger, record: &Record) -> CommandResult {
    let mut overlay = Overlay::default();
    let after = Scan::stream(record.draft.stream.as_str(), record.draft.version, Depth::Facts);
    ledger.scan(after, &mut |record| {
        // Unreadable records are reported by `assize ledger verify`.
        drop(overlay.note(&record));
        ControlFlow::Continue(())
    })?;
    match overlay.revised_at(record.position) {
        Some(position) => say(format_args!("\nRevised by record {position}, which counts instead")),
        None => Ok(()),
    }
}

fn explain(verdict: &str, record: Option<&Record>) -> CommandResult {
    let verdict: Verdict = serde_json::from_str(verdict)
        .map_err(|error| Failure::Use(format!("this is no verdict: {error}")))?;
    say(format_args!("{}: {}, {} points", verdict.court, verdict.outcome, verdict.points))?;
    say(format_args!(
        "by rulebook {}, assessed by {} {}",
        verdict.rulebook, verdict.assessor.name, verdict.assessor.version
    ))?;
    if let Some(Record { position, draft, .. }) = record {
        say(format_args!("record {position} of {}, {} at {}", draft.stream, draft.actor, draft.at))?;
    }
    say("\nWhy")?;
    for reason in &verdict.reasons {
        say(format_args!("  {:8}  {}  ({})", reason.severity.as_str(), reason.message, reason.code))?;
        for evidence in &reason.evidence {
            say(format_args!("            {}: {}", evidence.source, evidence.text))?;
        }
    }
    say("\nHow")?;
    let width = verdict.derivation.iter().map(|term| term.term.chars().count()).max().unwrap_or(0);
    for term in &verdict.derivation {
        let inputs: Vec<String> =
            term.inputs.0.iter().map(|(name, input)| format!("{name} = {}", plain(input))).collect();
        say(format_args!("  {:width$}  = {}", term.term, term.formula))?;
        say(format_args!("  {:width$}    with {}", "", inputs.join(", ")))?;
        say(format_args!("  {:width$}  = {}", "", term.value))?;
    }
    Ok(())
}

fn plain(input: &Input) -> String {
    match input {
        Input::Number(number) => number.to_string(),
        Input::Text(text) => text.to_string(),
    }
}
