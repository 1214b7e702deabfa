//! The summary court beside people's judgements, metric by metric.

use assize_kernel::{RulebookRef, to_json};
use serde::Serialize;

use super::statistics::{balanced_accuracy, interval, pearson, spearman, within};
use crate::Done;
use crate::args::CalibrateSummary;
use crate::batch::judge_all;
use crate::output::{Failure, counted, note, say};
use crate::{progress, rows, rulebook, scores};

/// So many times the rows are drawn anew.
const ROUNDS: usize = 1000;

#[derive(Serialize)]
struct Report {
    court: &'static str,
    rulebook: RulebookRef,
    rows: usize,
    bad_rows: usize,
    human: String,
    metrics: Vec<Agreement>,
    /// Where the chosen metric and people are farthest apart.
    disagreements: Vec<Disagreement>,
}

#[derive(Serialize)]
struct Agreement {
    metric: &'static str,
    pearson: Option<f64>,
    pearson_interval: Option<(f64, f64)>,
    spearman: Option<f64>,
    spearman_interval: Option<(f64, f64)>,
    /// Within each model, where rows name them.
    pearson_within_models: Option<f64>,
    balanced_accuracy: Option<f64>,
    balanced_accuracy_interval: Option<(f64, f64)>,
    threshold: Option<f64>,
}

#[derive(Serialize)]
struct Disagreement {
    row: u64,
    id: Option<String>,
    human: f64,
    score: f64,
    summary: String,
}

/// A row as it is remembered.
struct Seen {
    row: u64,
    id: Option<String>,
    model: Option<String>,
    summary: String,
    human: f64,
    scores: [f64; scores::COUNT],
}

pub(crate) fn run(args: &CalibrateSummary) -> Done {
    let book = rulebook::summary(args.rulebook.as_deref())?;
    let metric = scores::NAMES.iter().position(|name| *name == args.metric);
    let metric = metric.ok_or_else(|| {
        Failure::Use(format!("there is no metric `{}`; there is {}", args.metric, scores::NAMES.join(", ")))
    })?;
    let (mut seen, mut bad) = (Vec::new(), 0);
    let bar = progress::count("judged");
    judge_all(rows::open(&args.input, Some(&args.human))?, &book, args.threads, |judged| {
        bar.inc(1);
        match judged.outcome {
            Ok((row, verdict)) => seen.push(Seen {
                row: judged.number,
                id: row.id,
                model: row.model,
                summary: row.summary,
                human: row.human.unwrap_or_default(),
                scores: scores::of(&verdict.detail),
            }),
            Err(problem) => {
                bad += 1;
                note(format_args!("row {}: {problem}", judged.number));
            }
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    if seen.len() < 3 {
        return Err(Failure::Use("fewer than three rows can be judged: there is nothing to compare".into()));
    }
    let groups = groups(&seen);
    let report = Report {
        court: "summary",
        rulebook: book.reference.clone(),
        rows: seen.len(),
        bad_rows: bad,
        human: args.human.clone(),
        metrics: (0..scores::COUNT).filter_map(|metric| agreement(&seen, metric, &groups)).collect(),
        disagreements: disagreements(seen, metric),
    };
    if args.json { say(to_json(&report)) } else { print(&report, &args.metric) }
}

/// The number of each row's model, and how many models there are; none when no row names one.
fn groups(seen: &[Seen]) -> Option<(Vec<usize>, usize)> {
    let mut names: Vec<&str> = seen.iter().filter_map(|row| row.model.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    let number =
        |row: &Seen| names.binary_search(&row.model.as_deref().unwrap_or_default()).unwrap_or(names.len());
    (names.len() > 1).then(|| (seen.iter().map(number).collect(), names.len() + 1))
}

fn agreement(seen: &[Seen], metric: usize, groups: &Option<(Vec<usize>, usize)>) -> Option<Agreement> {
    let score = |row: &Seen| row.scores.get(metric).copied().unwrap_or_default();
    let pairs: Vec<(f64, f64)> = seen.iter().map(|row| (score(row), row.human)).collect();
    let balanced = balanced_accuracy(&pairs);
    Some(Agreement {
        metric: scores::NAMES.get(metric)?,
        pearson: pearson(&pairs),
        pearson_interval: interval(&pairs, pearson, ROUNDS),
        spearman: spearman(&pairs),
        spearman_interval: interval(&pairs, spearman, ROUNDS / 4),
        pearson_within_models: groups
            .as_ref()
            .and_then(|(groups, count)| pearson(&within(&pairs, groups, *count))),
        balanced_accuracy: balanced.map(|(accuracy, _)| accuracy),
        balanced_accuracy_interval: balanced
            .and_then(|_| interval(&pairs, |drawn| balanced_accuracy(drawn).map(|best| best.0), ROUNDS / 4)),
        threshold: balanced.and_then(|(_, threshold)| threshold),
    })
}

/// The rows farthest apart, both sides taken as shares of their highest.
fn disagreements(seen: Vec<Seen>, metric: usize) -> Vec<Disagreement> {
    let highest = seen.iter().map(|row| row.human).fold(f64::MIN, f64::max).max(f64::MIN_POSITIVE);
    let mut rows: Vec<Disagreement> = seen
        .into_iter()
        .map(|row| Disagreement {
            row: row.row,
            id: row.id,
            human: row.human,
            score: row.scores.get(metric).copied().unwrap_or_default(),
            summary: row.summary,
        })
        .collect();
    let apart = |row: &Disagreement| (row.score / scores::most(metric) - row.human / highest).abs();
    rows.sort_by(|one, other| apart(other).total_cmp(&apart(one)).then(one.row.cmp(&other.row)));
    rows.truncate(10);
    rows
}

fn print(report: &Report, metric: &str) -> Done {
    let Report { rows, human, rulebook, .. } = report;
    say(format_args!("{} against `{human}`, by rulebook {rulebook}", counted(*rows as u64, "row")))?;
    let shown = |value: Option<f64>| value.map_or("     –".to_owned(), |value| format!("{value:6.3}"));
    let between = |interval: Option<(f64, f64)>| {
        interval.map_or_else(String::new, |(low, high)| format!("[{low:.3}, {high:.3}]"))
    };
    say(format_args!(
        "\n{:<25}{:<24}{:<24}{:<16}{}",
        "metric", "Pearson", "Spearman", "within models", "balanced accuracy"
    ))?;
    for agreement in &report.metrics {
        let pearson = format!("{} {}", shown(agreement.pearson), between(agreement.pearson_interval));
        let spearman = format!("{} {}", shown(agreement.spearman), between(agreement.spearman_interval));
        let accuracy = format!(
            "{} {}",
            shown(agreement.balanced_accuracy),
            between(agreement.balanced_accuracy_interval)
        );
        let threshold = agreement.threshold.map_or_else(String::new, |threshold| format!(" at {threshold}"));
        let within = shown(agreement.pearson_within_models);
        say(format_args!(
            "{:<25}{pearson:<24}{spearman:<24}{within:<16}{accuracy}{threshold}",
            agreement.metric
        ))?;
    }
    say(format_args!("\nWhere `{metric}` and people are farthest apart"))?;
    for row in &report.disagreements {
        let id = row.id.as_deref().map_or_else(String::new, |id| format!(" ({id})"));
        say(format_args!("  row {}{id}: people {}, {metric} {}", row.row, row.human, row.score))?;
        say(format_args!("    {}", row.summary.replace('\n', " ")))?;
    }
    Ok(())
}
