//! Chart of a log's XP: the base, every bonus and factor, and the final value.

use assize_kernel::{Input, Term, Verdict};
use maud::{Markup, html};

use crate::pages::why::plain;

/// Height of a step in SVG units.
const ROW: f64 = 20.0;

/// One step of the computation: its name, its operation and the value after it.
#[derive(Debug, PartialEq)]
struct XpStep {
    name: String,
    does: String,
    after: f64,
    /// Whether the step leaves the value unchanged.
    idle: bool,
}

/// The steps of a log's verdict; empty for a verdict without `final_xp`.
pub(super) fn steps(verdict: &Verdict) -> Markup {
    let Some(term) = verdict.derivation.iter().find(|term| term.term == "final_xp") else { return html! {} };
    let steps = taken(term);
    let most = steps.iter().map(|step| step.after).fold(term.value, f64::max);
    if most <= 0.0 {
        return html! {};
    }
    let height = ROW * number(steps.len() + 1);
    let said: Vec<String> = steps.iter().map(|step| format!("{} {}", step.name, step.does)).collect();
    let label = format!("From base to final XP: {}, {} XP in the end", said.join(", "), plain(term.value));
    let width = |value: f64| (value / most * 190.0).max(1.0);
    html! {
        figure class="chart compact" {
            svg viewBox=(format!("0 0 400 {height}")) role="img" aria-label=(label) {
                @for (place, step) in steps.iter().enumerate() {
                    (row(place, &step.name, &step.does, width(step.after), &plain(rounded(step.after)), if step.idle { "bar idle" } else { "bar" }))
                }
                (row(steps.len(), "paid", "", width(term.value), &plain(term.value), "bar last"))
            }
        }
    }
}

fn row(place: usize, name: &str, does: &str, width: f64, value: &str, class: &str) -> Markup {
    let top = ROW * number(place);
    html! {
        text class="scale" x="84" y=(top + 14.0) text-anchor="end" { (name) }
        text x="138" y=(top + 14.0) text-anchor="end" { (does) }
        rect class=(class) x="148" y=(top + 3.0) width=(format!("{width:.1}")) height="13" rx="2" {}
        text class="scale" x=(format!("{:.1}", 154.0 + width)) y=(top + 14.0) { (value) }
    }
}

/// The base, then the added bonus, then every factor, in the order of the formula.
fn taken(term: &Term) -> Vec<XpStep> {
    let mut steps = Vec::new();
    let mut value = 0.0;
    for (place, (name, input)) in term.inputs.0.iter().enumerate() {
        let Input::Number(input) = input else { continue };
        let (does, after) = match &**name {
            _ if place == 0 => (plain(*input), *input),
            "volume_bonus" => (format!("+ {}", plain(*input)), value + input),
            _ => (format!("× {}", plain(*input)), value * input),
        };
        let idle = place > 0 && (after - value).abs() < 1e-9;
        steps.push(XpStep { name: name.replace('_', " "), does, after, idle });
        value = after;
    }
    steps
}

fn rounded(value: f64) -> f64 {
    assize_kernel::round(value, 1)
}

#[allow(clippy::cast_precision_loss, reason = "pixels")]
const fn number(count: usize) -> f64 {
    count as f64
}

#[test]
fn every_factor_is_a_step_and_the_last_one_leads_to_what_was_paid() {
    let inputs = [("base_xp", 300.0), ("volume_bonus", 30.0), ("integrity", 1.0), ("effort", 1.2)];
    let inputs = inputs.map(|(name, value)| (name, Input::Number(value)));
    let steps = taken(&Term::new("final_xp", "a product", inputs, 396.0));
    let seen: Vec<_> = steps.iter().map(|step| (step.name.as_str(), step.does.as_str(), step.idle)).collect();
    let expected = [
        ("base xp", "300", false),
        ("volume bonus", "+ 30", false),
        ("integrity", "× 1", true),
        ("effort", "× 1.2", false),
    ];
    assert_eq!(seen, expected);
    assert!((steps[3].after - 396.0).abs() < 1e-9);
}
