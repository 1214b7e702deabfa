//! Why: a verdict with its reasons, and every number of it with how it came to be.

use assize_kernel::{Evidence, Input, Reason, Term, Verdict};
use maud::{Markup, html};

use super::layout::sentence;
use super::parts::{heads, scrolling};

/// A verdict from a record, whichever its court.
pub(in crate::http) fn read(verdict: &str) -> Option<Verdict> {
    serde_json::from_str(verdict).ok()
}

/// The result in one word and one number.
pub(super) fn outcome(verdict: &Verdict) -> Markup {
    let right = matches!(&*verdict.outcome, "full" | "accepted" | "judged" | "verified");
    let class = if right { "badge right" } else { "badge" };
    html! { span class=(class) { (verdict.outcome) } " " strong class="figure" { (plain(verdict.points)) } }
}

/// Everything about a verdict: reasons first, then the arithmetic.
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

/// A number that opens to how it came to be.
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

/// Each step with its formula, what went in and what came out. On a phone its rows stand one under the other, and only
/// the roles say then that it is a table.
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

/// A number as a person writes it: no more digits than it has.
pub(super) fn plain(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
