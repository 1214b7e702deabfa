//! Overruling of a turn: an instructor replaces one component of the findings; the others stay.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::turns::JudgedTurn;
use crate::http::problem::Problem;
use crate::pages::form::SubmittedForm;
use crate::pages::guest::PageContext;
use crate::pages::parts::{self, FormField, choice, hidden};

const SEVERITIES: [(&str, &str); 4] = [
    ("info", "Nothing lost"),
    ("minor", "A small lapse"),
    ("major", "A real one"),
    ("critical", "Dangerous"),
];

/// The overrule form of a turn; empty for a turn without components.
pub(super) fn overruling(context: &PageContext, judged: &JudgedTurn, place: &str) -> Markup {
    let heard = judged.counts();
    let codes: Vec<(String, String)> = heard.components.iter().filter_map(option).collect();
    let options: Vec<(&str, &str)> =
        codes.iter().map(|(code, shown)| (code.as_str(), shown.as_str())).collect();
    if options.is_empty() {
        return html! {};
    }
    let within = format!("overrule-{}", judged.turn.turn);
    let fields = html! {
        (hidden("do", "overrule")) (hidden("turn", &judged.turn.turn.to_string()))
        div class="fields" {
            (choice(&within, "code", "What you see otherwise", &options, ""))
            (choice(&within, "severity", "It is", &SEVERITIES, "info"))
            (FormField::number("score", "How well, from 0 to 1").value("1").required().show(&within))
            (FormField::number("delta", "What it adds or takes").value("1").required().show(&within))
        }
        (FormField::text("reason", "Reason").help("The student reads it").required().show(&within))
        label class="tick" { input type="checkbox" name="block" value="yes" checked[heard.block_reason.is_some()]; "It must be said again" }
        button class="second" { "See it so" }
    };
    html! { details id=(within) { summary { "See it otherwise" } (parts::form(context, place, &fields)) } }
}

fn option(component: &Value) -> Option<(String, String)> {
    let code = component.get("code")?.as_str()?;
    let detail = component.get("detail").and_then(Value::as_str).unwrap_or_default();
    let shown: String = detail.chars().take(48).collect();
    Some((code.to_owned(), format!("{code}: {shown}")))
}

/// The instructor's findings: the components that count now, with one of them replaced.
pub(super) fn findings(form: &SubmittedForm, turn: &str, turns: &[JudgedTurn]) -> Result<Value, Problem> {
    let judged = turns.iter().find(|judged| judged.turn.turn.to_string() == turn);
    let judged = judged.ok_or_else(|| Problem::not_found(format!("there is no turn `{turn}`")))?;
    let heard = judged.counts();
    let seen = ComponentOverride {
        code: form.text("code"),
        severity: form.text("severity"),
        score: form.number("score")?,
        delta: form.number("delta")?,
    };
    let block = form
        .ticked("block")
        .then(|| heard.block_reason.clone().unwrap_or_else(|| "the instructor wants it said again".into()));
    Ok(json!({ "by": "person", "components": put_otherwise(heard.components, &seen), "blockReason": block }))
}

/// The instructor's values for one component.
struct ComponentOverride<'a> {
    code: &'a str,
    severity: &'a str,
    score: Value,
    delta: Value,
}

fn put_otherwise(mut components: Vec<Value>, seen: &ComponentOverride<'_>) -> Vec<Value> {
    for component in components.iter_mut().filter_map(Value::as_object_mut) {
        if component.get("code").and_then(Value::as_str) != Some(seen.code) {
            continue;
        }
        component.insert("severity".into(), seen.severity.into());
        component.insert("score".into(), seen.score.clone());
        component.insert("delta".into(), seen.delta.clone());
        component.insert("detail".into(), "as the instructor saw it".into());
        // The hazard was the parser's finding, which is overruled.
        if seen.severity != "critical" {
            component.remove("hazard");
        }
    }
    components
}

#[test]
fn one_component_is_put_otherwise_and_the_others_stay() {
    let components = vec![
        json!({ "code": "PA_QNH", "severity": "major", "score": 0.0, "delta": -2 }),
        json!({ "code": "PA_RUNWAY", "severity": "info", "score": 1.0, "delta": 1 }),
    ];
    let seen = ComponentOverride { code: "PA_QNH", severity: "minor", score: json!(0.5), delta: json!(0.0) };
    let put = put_otherwise(components.clone(), &seen);
    assert_eq!(put.get(1), components.get(1));
    assert_eq!(put[0]["severity"], "minor");
    assert_eq!(put[0]["score"], 0.5);
}
