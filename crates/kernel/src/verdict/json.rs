//! Writes a verdict as JSON, byte for byte like serde.

use serde::Serialize;

use super::{Input, Reason, Term, Verdict, VerdictText};
use crate::json_writer::JsonWriter;

/// The court's own part of a verdict.
pub trait Detail: Serialize {
    /// An estimate of its JSON size in bytes.
    fn room(&self) -> usize {
        512
    }

    /// Writes it as JSON. An override must write the same bytes as serde.
    fn write(&self, out: &mut JsonWriter) {
        out.value(self);
    }
}

impl Detail for serde_json::Value {}

/// The arithmetic of a verdict.
pub trait Derivation {
    /// An estimate of its JSON size in bytes.
    fn room(&self) -> usize;
    /// Writes it as an array of terms.
    fn write(&self, out: &mut JsonWriter);
}

impl Derivation for Vec<Term> {
    fn room(&self) -> usize {
        192 * self.len()
    }

    fn write(&self, out: &mut JsonWriter) {
        out.list(self, write_term);
    }
}

impl<D: Detail, S: Derivation> Verdict<D, S> {
    /// The verdict as JSON, with its outcome.
    #[must_use]
    pub fn to_text(&self) -> VerdictText {
        VerdictText::new(self.to_json(), self.outcome.clone())
    }

    /// The verdict as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let Self { court, rulebook, assessor, outcome, points, reasons, derivation, detail } = self;
        let mut out = JsonWriter::with_room(512 + 192 * reasons.len() + derivation.room() + detail.room());
        out.field("{\"court\":", court);
        out.put(",\"rulebook\":").rulebook(rulebook);
        out.field(",\"assessor\":{\"name\":", &assessor.name);
        out.field(",\"version\":", &assessor.version);
        out.field("},\"outcome\":", outcome);
        out.put(",\"points\":").float(*points);
        out.put(",\"reasons\":").list(reasons, write_reason);
        derivation.write(out.put(",\"derivation\":"));
        detail.write(out.put(",\"detail\":"));
        out.put("}");
        out.into_string()
    }
}

fn write_reason(out: &mut JsonWriter, Reason { code, severity, message, evidence }: &Reason) {
    out.field("{\"code\":", code);
    out.field(",\"severity\":", severity.as_str());
    out.field(",\"message\":", message);
    out.put(",\"evidence\":").list(evidence, JsonWriter::evidence);
    out.put("}");
}

fn write_term(out: &mut JsonWriter, Term { term, formula, inputs, value }: &Term) {
    out.field("{\"term\":", term);
    out.field(",\"formula\":", formula);
    out.put(",\"inputs\":");
    let mut before = "{";
    for (name, input) in &inputs.0 {
        out.field(std::mem::replace(&mut before, ","), name);
        write_input(out.put(":"), input);
    }
    out.put(if inputs.0.is_empty() { "{}" } else { "}" });
    out.put(",\"value\":").number(*value);
    out.put("}");
}

pub(super) fn write_input(out: &mut JsonWriter, input: &Input) {
    match input {
        Input::Number(number) => out.number(*number),
        Input::Text(text) => out.text(text),
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;
    use serde::Serialize;

    use super::*;
    use crate::verdict::{Assessor, Evidence, Inputs, Severity};
    use crate::{Digest, RulebookRef};

    #[derive(Serialize)]
    #[serde(transparent)]
    struct Words(Cow<'static, str>);

    impl Detail for Words {}

    fn text() -> impl Strategy<Value = Cow<'static, str>> {
        prop_oneof![".{0,12}", "[\"\\\\\\u{0}-\\u{1f}\\u{7f}a÷]{0,6}"].prop_map(Cow::Owned)
    }

    fn number() -> impl Strategy<Value = f64> {
        let few =
            [0.0, -0.0, 1.0, 9.0, 10.0, -10.0, 0.933, 0.1 + 0.2, 1e-3, 1e-7, 1e15, 9.1e15, -9.1e15, 1e300];
        prop_oneof![
            any::<f64>(),
            Just(f64::NAN),
            prop::sample::select(few.to_vec()),
            (-2_000_i32..2_000).prop_map(f64::from),
            (any::<i32>(), 0..7_i32).prop_map(|(whole, places)| f64::from(whole) / 10_f64.powi(places)),
        ]
    }

    fn reason() -> impl Strategy<Value = Reason> {
        let severity = [Severity::Info, Severity::Minor, Severity::Major, Severity::Critical];
        let span = prop::option::of((any::<usize>(), any::<usize>()));
        let evidence = (text(), text(), span).prop_map(|(source, text, span)| Evidence {
            source,
            text: text.into(),
            span,
        });
        let evidence = prop::collection::vec(evidence, 0..3);
        let parts = (text(), prop::sample::select(severity.to_vec()), text(), evidence);
        parts.prop_map(|(code, severity, message, evidence)| Reason {
            code,
            severity,
            message: message.into(),
            evidence,
        })
    }

    fn term() -> impl Strategy<Value = Term> {
        let input = prop_oneof![number().prop_map(Input::Number), text().prop_map(Input::Text)];
        let inputs = prop::collection::vec((text(), input), 0..4).prop_map(Inputs);
        (text(), text(), inputs, number()).prop_map(|(term, formula, inputs, value)| Term {
            term,
            formula,
            inputs,
            value,
        })
    }

    proptest! {
        #[test]
        fn a_verdict_is_written_as_serde_would(
            words in [text(), text(), text(), text()],
            (name, version, points) in (text(), any::<u32>(), number()),
            reasons in prop::collection::vec(reason(), 0..3),
            derivation in prop::collection::vec(term(), 0..4),
        ) {
            let hash = Digest::of(name.as_bytes());
            let [court, outcome, assessor, detail] = words;
            let verdict = Verdict {
                court,
                rulebook: RulebookRef { name: name.as_ref().into(), version, hash },
                assessor: Assessor { name: assessor, version: "1".into() },
                outcome,
                points,
                reasons,
                derivation,
                detail: Words(detail),
            };
            prop_assert_eq!(verdict.to_json(), serde_json::to_string(&verdict).unwrap());
        }

        #[test]
        fn numbers_are_written_as_serde_would(number in number()) {
            let mut out = JsonWriter::default();
            out.float(number);
            prop_assert_eq!(out.into_string(), serde_json::to_string(&number).unwrap());
        }
    }
}
