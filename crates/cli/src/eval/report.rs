//! The HTML report: one self-contained file with a light and a dark theme.

use std::fmt::Write;

use assize_courts::summary::{Claim, ClaimLabel};
use assize_kernel::RulebookRef;

use super::tally::{BINS, EvalTally, WorstRow};
use crate::scores;

const STYLE: &str = "
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem .2rem 0; text-align: left; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
svg { display: block; } svg rect { fill: #3a7; }
.unsupported { background: #e3342f44; } .partially { background: #f6993f44; } .supported { background: #38c17233; }
article { border-top: 1px solid #8886; padding: .8rem 0; } small { opacity: .75; }
";

pub(super) fn of(tally: &EvalTally, rulebook: &RulebookRef) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Summaries judged</title><style>{STYLE}</style>\n\
         <h1>Summaries judged</h1>\n<p>{} rows judged, {} could not be, by rulebook {rulebook}.</p>\n",
        tally.rows, tally.bad
    );
    let parts = [metrics(tally), models(tally), worst(tally), bad(tally)];
    parts.iter().for_each(|part| page.push_str(part));
    page.push_str("</html>\n");
    page
}

/// Escapes a text for HTML or XML.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Not allowed in XML.
            char if char.is_control() && !char.is_whitespace() => out.push('\u{fffd}'),
            char => out.push(char),
        }
    }
    out
}

fn metrics(tally: &EvalTally) -> String {
    let mut table =
        "<h2>Metrics</h2>\n<table><tr><th>Metric<th>Mean<th>Distribution, from 0 to the highest\n".to_owned();
    for ((name, mean), bins) in scores::NAMES.iter().zip(tally.means()).zip(&tally.bins) {
        writeln!(table, "<tr><td>{name}<td class=n>{mean:.3}<td>{}", bars(bins)).unwrap_or_default();
    }
    table + "</table>\n"
}

fn bars(bins: &[u64; BINS]) -> String {
    let most = bins.iter().copied().max().unwrap_or_default().max(1) as f64;
    let mut drawn = format!("<svg width=\"{}\" height=\"40\" role=\"img\">", BINS * 12);
    for (place, count) in bins.iter().enumerate() {
        let height = 38.0 * *count as f64 / most;
        write!(
            drawn,
            "<rect x=\"{}\" y=\"{:.1}\" width=\"10\" height=\"{height:.1}\"><title>{count}</title></rect>",
            place * 12,
            39.0 - height
        )
        .unwrap_or_default();
    }
    drawn + "</svg>"
}

fn models(tally: &EvalTally) -> String {
    let models = tally.models();
    if models.is_empty() {
        return String::new();
    }
    let mut table = "<h2>Models</h2>\n<p>By the mean Judge-Lock total; in brackets, the middle 95 % of resampled means.</p>\n\
                     <table><tr><th>Rank<th>Model<th>Rows<th>Mean<th>Interval\n"
        .to_owned();
    for model in models {
        let (low, high) = model.interval;
        writeln!(
            table,
            "<tr><td class=n>{}<td>{}<td class=n>{}<td class=n>{:.3}<td>[{low:.3}, {high:.3}]",
            model.rank,
            escaped(&model.name),
            model.rows,
            model.mean
        )
        .unwrap_or_default();
    }
    table + "</table>\n"
}

fn worst(tally: &EvalTally) -> String {
    let cases: String = tally.worst.iter().map(case).collect();
    format!("<h2>The worst</h2>\n{cases}")
}

fn case(worst: &WorstRow) -> String {
    let id = worst.id.as_deref().map_or_else(String::new, |id| format!(" ({})", escaped(id)));
    let mut text = format!("<article><h3>Row {}{id}: {:.2}</h3>\n<p>", worst.row, worst.total);
    let mut at = 0;
    for claim in &worst.claims {
        let Some((start, end)) = claim.claim.span else { continue };
        let before = worst.summary.get(at..start).unwrap_or_default();
        let class = match claim.label {
            ClaimLabel::Supported => "supported",
            ClaimLabel::Partially => "partially",
            ClaimLabel::Unsupported => "unsupported",
        };
        let words = escaped(worst.summary.get(start..end).unwrap_or_default());
        write!(text, "{}<span class={class}>{words}</span>", escaped(before)).unwrap_or_default();
        at = end;
    }
    text.push_str(&escaped(worst.summary.get(at..).unwrap_or_default()));
    text.push_str("</p>\n");
    worst
        .claims
        .iter()
        .filter(|claim| claim.label != ClaimLabel::Supported)
        .for_each(|claim| text.push_str(&why(claim)));
    text + "</article>\n"
}

fn why(claim: &Claim) -> String {
    let problems: Vec<String> = claim.against.iter().map(|objection| escaped(&objection.problem)).collect();
    let problems =
        if problems.is_empty() { "not carried by the article".to_owned() } else { problems.join("; ") };
    let evidence: Vec<String> = claim.evidence.iter().map(|passage| escaped(&passage.text)).collect();
    format!("<p>{problems}<br><small>{}</small></p>\n", evidence.join(" … "))
}

fn bad(tally: &EvalTally) -> String {
    if tally.bad_rows.is_empty() {
        return String::new();
    }
    let rows: String = tally
        .bad_rows
        .iter()
        .map(|(row, problem)| format!("<li>row {row}: {}\n", escaped(problem)))
        .collect();
    format!("<h2>Rows that could not be judged</h2>\n<ul>{rows}</ul>\n")
}
