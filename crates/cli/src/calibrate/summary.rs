//! Calibration of the summary court: agreement with human judgements, by metric.

use assize_kernel::{RulebookRef, to_json};
use serde::Serialize;

use super::statistics::{balanced_accuracy, interval, pearson, spearman, within};
use crate::CommandResult;
use crate::args::CalibrateSummary;
use crate::batch::judge_all;
use crate::output::{Failure, counted, note, say};
use crate::{progress, rows, rulebook, scores};

/// The number of bootstrap samples.
const ROUNDS: usize = 1000;

#[derive(Serialize)]
struct SummaryReport {
    court: &'static str,
    rulebook: RulebookRef,
    rows: usize,
    bad_rows: usize,
    human: String,
    metrics: Vec<MetricAgreement>,
    /// The rows with the greatest distance between the chosen metric and people.
    disagreements: Vec<RowDisagreement>,
}

#[derive(Serialize)]
struct MetricAgreement {
    metric: &'static str,
    pearson: Option<f64>,
    pearson_interval: Option<(f64, f64)>,
    spearman: Option<f64>,
    spearman_interval: Option<(f64, f64)>,
    /// The correlation within each model, if rows name models.
    pearson_within_models: Option<f64>,
    balanced_accuracy: Option<f64>,
    balanced_accuracy_interval: Option<(f64, f64)>,
    threshold: Option<f64>,
}

#[derive(Serialize)]
struct RowDisagreement {
    row: u64,
    id: Option<String>,
    human: f64,
    score: f64,
    summary: String,
}

/// A judged row.
struct JudgedSummary {
    row: u64,
    id: Option<String>,
    model: Option<String>,
    summary: String,
    human: f64,
    scores: [f64; scores::COUNT],
}

pub(crate) fn run(args: &CalibrateSummary) -> CommandResult {
    let book = rulebook::summary(args.rulebook.as_deref())?;
    let metric = scores::NAMES.iter().position(|name| *name == args.metric);
    let metric = metric.ok_or_else(|| {
        Failure::Use(format!("there is no metric `{}`; there is {}", args.metric, scores::NAMES.join(", ")))
    })?;
    let mut seen = Vec::new();
    let mut bad = 0;
    let bar = progress::count("judged");
    judge_all(rows::open(&args.input, Some(&args.human))?, &book, args.threads, |judged| {
        bar.inc(1);
        match judged.outcome {
            Ok((row, verdict)) => seen.push(JudgedSummary {
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
    let report = SummaryReport {
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

/// The index of each row's model, and the number of models; none when no row names one.
fn groups(seen: &[JudgedSummary]) -> Option<(Vec<usize>, usize)> {
    let mut names: Vec<&str> = seen.iter().filter_map(|row| row.model.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    let number = |row: &JudgedSummary| {
        names.binary_search(&row.model.as_deref().unwrap_or_default()).unwrap_or(names.len())
    };
    (names.len() > 1).then(|| (seen.iter().map(number).collect(), names.len() + 1))
}

fn agreement(
    seen: &[JudgedSummary],
    metric: usize,
    groups: &Option<(Vec<usize>, usize)>,
) -> Option<MetricAgreement> {
    let score = |row: &JudgedSummary| row.scores.get(metric).copied().unwrap_or_default();
    let pairs: Vec<(f64, f64)> = seen.iter().map(|row| (score(row), row.human)).collect();
    let balanced = balanced_accuracy(&pairs);
    Some(MetricAgreement {
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

/// The rows with the greatest distance, after both scales are normalised to their maximum.
fn disagreements(seen: Vec<JudgedSummary>, metric: usize) -> Vec<RowDisagreement> {
    let highest = seen.iter().map(|row| row.human).fold(f64::MIN, f64::max).max(f64::MIN_POSITIVE);
    let mut rows: Vec<RowDisagreement> = seen
        .into_iter()
        .map(|row| RowDisagreement {
            row: row.row,
            id: row.id,
            human: row.human,
            score: row.scores.get(metric).copied().unwrap_or_default(),
            summary: row.summary,
        })
        .collect();
    let apart = |row: &RowDisagreement| (row.score / scores::most(metric) - row.human / highest).abs();
    rows.sort_by(|one, other| apart(other).total_cmp(&apart(one)).then(one.row.cmp(&other.row)));
    rows.truncate(10);
    rows
}

fn print(report: &SummaryReport, metric: &str) -> CommandResult {
    let SummaryReport { rows, human, rulebook, .. } = report;
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
