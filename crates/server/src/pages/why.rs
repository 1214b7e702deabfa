//! Rendering of verdicts: outcome, reasons with evidence, and the derivation of every number.

use assize_kernel::{Evidence, Input, Reason, Term, Verdict};
use maud::{Markup, html};

use super::layout::sentence;
use super::parts::{heads, scrolling};

/// Parses the verdict in a record of any court.
pub(crate) fn read(verdict: &str) -> Option<Verdict> {
    serde_json::from_str(verdict).ok()
}

/// The outcome as a badge, with the points.
pub(super) fn outcome(verdict: &Verdict) -> Markup {
    let right = matches!(&*verdict.outcome, "full" | "accepted" | "judged" | "verified");
    let class = if right { "badge right" } else { "badge" };
    html! { span class=(class) { (verdict.outcome) } " " strong class="figure" { (plain(verdict.points)) } }
}

/// The whole verdict: reasons, derivation, rulebook and assessor.
pub(super) fn whole(verdict: &Verdict) -> Markup {
    html! {
        (reasons(verdict))
        (derivation(&verdict.derivation))
        p class="soft small" {
            "Court " (verdict.court) ", rulebook " (verdict.rulebook.name) " " (verdict.rulebook.version)
            ", read by " (verdict.assessor.name) " " (verdict.assessor.version)
        }
    }
}

/// The reasons alone.
pub(super) fn reasons(verdict: &Verdict) -> Markup {
    html! { @if !verdict.reasons.is_empty() { ul class="reasons" { @for each in &verdict.reasons { (reason(each)) } } } }
}

/// A summary that expands to the whole verdict.
pub(super) fn folded(summary: &Markup, verdict: &Verdict, id: &str) -> Markup {
    html! { details class="why" id=(id) { summary { (summary) } (whole(verdict)) } }
}

fn reason(reason: &Reason) -> Markup {
    html! {
        li class=(reason.severity.as_str()) {
            (sentence(&reason.message)) " " code class="soft small" { (reason.code) }
            @for Evidence { source, text, .. } in &reason.evidence {
                div class="evidence" { span class="soft small" { (source) } " " q { (text) } }
            }
        }
    }
}

/// The derivation as a table. Narrow screens display its rows as blocks, which removes the table semantics;
/// the ARIA roles keep them.
pub(super) fn derivation(terms: &[Term]) -> Markup {
    if terms.is_empty() {
        return html! { p class="soft" { "Nothing was computed." } };
    }
    let table = html! {
        table class="derivation" role="table" {
            (heads(&["Step", "Formula", "With", "#Value"]))
            tbody {
                @for term in terms {
                    tr role="row" {
                        th scope="row" role="rowheader" { (term.term) }
                        td role="cell" { code { (term.formula) } }
                        td class="inputs" role="cell" {
                            @for (name, value) in &term.inputs.0 { span { (name) " = " b class="figure" { (input(value)) } } }
                        }
                        td class="number figure" role="cell" { (plain(term.value)) }
                    }
                }
            }
        }
    };
    scrolling("How the numbers came to be", &table)
}

fn input(input: &Input) -> String {
    match input {
        Input::Number(number) => plain(*number),
        Input::Text(text) => text.to_string(),
    }
}

/// A number with at most six decimals and no trailing zeros.
pub(super) fn plain(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
