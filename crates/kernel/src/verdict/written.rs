//! Writing a verdict as JSON: letter for letter what serde would write, several times as fast, because everything that
//! is ever judged has one.

use serde::Serialize;

use super::{EXACT, Evidence, Input, Reason, Term, Verdict};

impl<D: Serialize> Verdict<D> {
    /// As JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let Self { court, rulebook, assessor, outcome, points, reasons, derivation, detail } = self;
        let room = 1024 + 192 * (derivation.len() + reasons.len());
        let mut page = Page(Vec::with_capacity(room));
        page.field("{\"court\":", court);
        page.field(",\"rulebook\":{\"name\":", &rulebook.name);
        page.put(",\"version\":").whole(rulebook.version.into());
        page.put(",\"hash\":\"").hexadecimal(&rulebook.hash.0);
        page.field("\"},\"assessor\":{\"name\":", &assessor.name);
        page.field(",\"version\":", &assessor.version);
        page.field("},\"outcome\":", outcome);
        page.put(",\"points\":").serde(points);
        page.put(",\"reasons\":").list(reasons, Page::reason);
        page.put(",\"derivation\":").list(derivation, Page::term);
        page.put(",\"detail\":").serde(detail);
        page.put("}");
        #[allow(clippy::expect_used, reason = "JSON is written as UTF-8")]
        String::from_utf8(page.0).expect("JSON is text")
    }
}

/// What has been written so far.
struct Page(Vec<u8>);

impl Page {
    /// As it is.
    fn put(&mut self, text: &str) -> &mut Self {
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    /// A text, after what stands before it.
    fn field(&mut self, before: &str, text: &str) {
        self.put(before).text(text);
    }

    fn text(&mut self, text: &str) {
        // Looked at to the end, without a branch, so that many letters are looked at at once.
        let special =
            text.bytes().fold(false, |found, byte| found | (byte < b' ') | (byte == b'"') | (byte == b'\\'));
        if special {
            return self.serde(text);
        }
        self.put("\"").put(text).put("\"");
    }

    fn serde<T: Serialize + ?Sized>(&mut self, value: &T) {
        #[allow(clippy::expect_used, reason = "only maps with keys that are no text fail, and we have none")]
        serde_json::to_writer(&mut self.0, value).expect("our structures are writable as JSON");
    }

    /// Without `.0` where it is whole: counts are counts.
    fn number(&mut self, number: f64) {
        if number.fract() == 0.0 && number.abs() < EXACT {
            #[allow(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
            self.whole(number as i64);
        } else {
            self.serde(&number);
        }
    }

    fn whole(&mut self, number: i64) {
        if number < 0 {
            self.0.push(b'-');
        }
        let (rest, mut unit) = (number.unsigned_abs(), 1);
        while rest / unit >= 10 {
            unit *= 10;
        }
        while unit > 0 {
            self.0.push(b'0' + u8::try_from(rest / unit % 10).unwrap_or(0));
            unit /= 10;
        }
    }

    fn hexadecimal(&mut self, bytes: &[u8]) {
        let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
        self.0.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
    }

    fn list<T>(&mut self, items: &[T], write: fn(&mut Self, &T)) {
        let mut before = "[";
        for item in items {
            self.put(std::mem::replace(&mut before, ","));
            write(self, item);
        }
        self.put(if items.is_empty() { "[]" } else { "]" });
    }

    fn reason(&mut self, Reason { code, severity, message, evidence }: &Reason) {
        self.field("{\"code\":", code);
        self.field(",\"severity\":", severity.as_str());
        self.field(",\"message\":", message);
        self.put(",\"evidence\":").list(evidence, Self::evidence);
        self.put("}");
    }

    fn evidence(&mut self, Evidence { source, text, span }: &Evidence) {
        self.field("{\"source\":", source);
        self.field(",\"text\":", text);
        if let Some(span) = span {
            self.put(",\"span\":").serde(span);
        }
        self.put("}");
    }

    fn term(&mut self, Term { term, formula, inputs, value }: &Term) {
        self.field("{\"term\":", term);
        self.field(",\"formula\":", formula);
        self.put(",\"inputs\":");
        let mut before = "{";
        for (name, input) in &inputs.0 {
            self.field(std::mem::replace(&mut before, ","), name);
            self.put(":");
            match input {
                Input::Number(number) => self.number(*number),
                Input::Text(text) => self.text(text),
            }
        }
        self.put(if inputs.0.is_empty() { "{}" } else { "}" });
        self.put(",\"value\":").number(*value);
        self.put("}");
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::*;
    use crate::verdict::{Assessor, Inputs, Severity};
    use crate::{Digest, RulebookRef};

    fn text() -> impl Strategy<Value = Cow<'static, str>> {
        prop_oneof![".{0,12}", "[\"\\\\\\u{0}-\\u{1f}\\u{7f}a÷]{0,6}"].prop_map(Cow::Owned)
    }

    fn number() -> impl Strategy<Value = f64> {
        let few = [0.0, -0.0, 1.0, 9.0, 10.0, -10.0, 0.933, 1e15, 9.1e15, -9.1e15, 1e300, f64::NAN];
        prop_oneof![any::<f64>(), prop::sample::select(few.to_vec()), (-2_000_i32..2_000).prop_map(f64::from)]
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
                detail,
            };
            prop_assert_eq!(verdict.to_json(), serde_json::to_string(&verdict).unwrap());
        }
    }
}
