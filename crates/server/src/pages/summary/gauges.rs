//! Gauges of the five metrics of each framework, and the caps that lowered a score.

use assize_courts::summary::{FRAMEWORKS, FrameworkScores, METRICS, SummaryDetail};
use assize_kernel::{Input, Term, Verdict};
use maud::{Markup, html};

use crate::pages::layout::sentence;
use crate::pages::parts::scrolling;
use crate::pages::why::{derivation as steps, plain};

/// Both frameworks beside each other.
pub(super) fn gauges(detail: &SummaryDetail) -> Markup {
    html! {
        div class="pair" {
            @for shown in FRAMEWORKS { (framework(shown.name, (shown.scores)(detail))) }
        }
        @if let (Some(support), Some(recall)) = (detail.support, detail.recall) {
            p class="soft small" {
                "The article carries " (percent(support)) " of the summary; the summary carries " (percent(recall)) " of the article."
            }
        }
    }
}

fn framework(name: &str, framework: &FrameworkScores) -> Markup {
    html! {
        section class="card" aria-label=(name) {
            h2 class="plain" { (name) " " strong class="figure total" { (plain(framework.total)) } }
            dl class="gauges" {
                @for (metric, score) in METRICS.iter().zip(framework.scores()) {
                    dt { (metric.name) } dd { meter aria-label=(metric.name) min="0" max="10" value=(score) {} " " strong class="figure" { (plain(score)) } }
                }
            }
        }
    }
}

fn percent(share: f64) -> String {
    format!("{} %", plain(assize_kernel::round(share * 100.0, 0)))
}

/// A cap that applied.
#[derive(Debug, PartialEq)]
struct AppliedCap {
    framework: &'static str,
    metric: String,
    because: String,
    without: f64,
    with: f64,
}

/// The caps that applied, in the order of the derivation.
pub(super) fn caps(verdict: &Verdict<SummaryDetail>) -> Markup {
    let caps: Vec<AppliedCap> = verdict.derivation.iter().filter_map(cap).collect();
    let table = html! {
        table {
            thead { tr {
                th scope="col" { "Score" } th scope="col" { "Because" } th scope="col" class="number" { "Without it" } th scope="col" class="number" { "With it" }
            } }
            tbody {
                @for cap in &caps {
                    tr {
                        th scope="row" { (cap.framework) ", " (cap.metric) } td { (sentence(&cap.because)) }
                        td class="number" { (plain(assize_kernel::round(cap.without, 2))) } td class="number" { strong { (plain(assize_kernel::round(cap.with, 2))) } }
                    }
                }
            }
        }
    };
    html! {
        h2 { "Caps" }
        @if caps.is_empty() { p { "No cap applied: every score is what the counting gave." } }
        @else { (scrolling("Caps that applied", &table)) }
    }
}

fn cap(term: &Term) -> Option<AppliedCap> {
    let because = term.formula.strip_prefix("at most cap: ")?.to_owned();
    let mut parts = term.term.split('.');
    let key = parts.next()?;
    let framework = FRAMEWORKS.iter().find(|framework| framework.key == key)?.name;
    let metric = parts.next()?.replace('_', " ");
    let without = term.inputs.0.iter().find_map(|(name, input)| match input {
        Input::Number(score) if name == "score" => Some(*score),
        _ => None,
    })?;
    Some(AppliedCap { framework, metric, because, without, with: term.value })
}

/// The whole derivation, by framework.
pub(super) fn derivation(verdict: &Verdict<SummaryDetail>) -> Markup {
    let of = |name: &str| -> Vec<Term> {
        verdict.derivation.iter().filter(|term| term.term.starts_with(name)).cloned().collect()
    };
    html! {
        @for framework in FRAMEWORKS { h3 { (framework.name) } (steps(&of(framework.key))) }
    }
}

#[test]
fn a_cap_says_what_it_did() {
    let inputs = [("score", Input::Number(9.0)), ("cap", Input::Number(6.0))];
    let mut term = Term::new("", "at most cap: a slur", inputs, 6.0);
    term.term = ["judge_lock", "bias_toxicity", "overall_score"].join(".").into();
    let expected = AppliedCap {
        framework: "Judge-Lock",
        metric: "bias toxicity".into(),
        because: "a slur".into(),
        without: 9.0,
        with: 6.0,
    };
    assert_eq!(cap(&term), Some(expected));
    term.formula = "a mean".into();
    assert_eq!(cap(&term), None);
}
