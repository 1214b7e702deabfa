//! Hand-written JSON for `AnswerJudged`, by far the most frequent event: a writer with serde's output, and a
//! parser that expects the fields in exactly that order.

use std::str::FromStr;

use assize_kernel::JsonWriter;

use super::fingerprint::AnswerFingerprint;
use super::messages::{AnswerOutcome, ContestEvent};
use super::submission::{SubmittedAnswer, VideoMark};

/// Writes a judged answer byte for byte as serde would. `None` for other events and for answers with optional
/// fields.
pub(super) fn write(event: &ContestEvent) -> Option<String> {
    let ContestEvent::AnswerJudged {
        task,
        round,
        team,
        answers,
        fingerprint,
        elapsed_ms,
        wrong_before,
        outcome,
        points,
        completes,
        frozen: false,
        decided: None,
    } = event
    else {
        return None;
    };
    let mut out = JsonWriter::with_room(512);
    out.field("{\"AnswerJudged\":{\"task\":", task);
    out.put(",\"round\":").whole((*round).into());
    out.field(",\"team\":", team);
    out.put(",\"answers\":").list(answers, write_answer);
    out.put(",\"fingerprint\":").hex(&fingerprint.bytes());
    out.put(",\"elapsed_ms\":").whole(*elapsed_ms);
    out.put(",\"wrong_before\":").whole((*wrong_before).into());
    out.field(",\"outcome\":", outcome.as_str());
    out.put(",\"points\":").float(*points);
    out.put(",\"completes\":").truth(*completes);
    out.put("}}");
    Some(out.into_string())
}

fn write_answer(out: &mut JsonWriter, answer: &SubmittedAnswer) {
    let SubmittedAnswer { text, media_item_name, start, end } = answer;
    let mut before = "{";
    for (name, text) in [("\"text\":", text), ("\"mediaItemName\":", media_item_name)] {
        if let Some(text) = text {
            out.put(std::mem::replace(&mut before, ",")).field(name, text);
        }
    }
    for (name, mark) in [("\"start\":", start), ("\"end\":", end)] {
        if let Some(mark) = mark {
            out.put(std::mem::replace(&mut before, ",")).put(name);
            match mark {
                VideoMark::Text(text) => out.text(text),
                VideoMark::Number(number) => out.serde(number),
            }
        }
    }
    out.put(if before == "{" { "{}" } else { "}" });
}

/// Parses a judged answer without the submitted answers, which the state does not need. `None` for any other
/// form.
pub(super) fn judged_answer(body: &str) -> Option<ContestEvent> {
    let mut body = EventScanner(body);
    let task = body.text("{\"AnswerJudged\":{\"task\":\"")?.into();
    let round = body.plain(",\"round\":")?;
    let team = body.text(",\"team\":\"")?.into();
    body.skip_answers()?;
    let fingerprint = AnswerFingerprint::read(body.text(",\"fingerprint\":\"")?)?;
    let elapsed_ms = body.plain(",\"elapsed_ms\":")?;
    let wrong_before = body.plain(",\"wrong_before\":")?;
    let outcome = AnswerOutcome::read(body.text(",\"outcome\":\"")?)?;
    let points = body.plain(",\"points\":")?;
    let completes = body.plain(",\"completes\":")?;
    (body.0 == "}}").then_some(ContestEvent::AnswerJudged {
        task,
        round,
        team,
        answers: Vec::new(),
        fingerprint,
        elapsed_ms,
        wrong_before,
        outcome,
        points,
        completes,
        // Optional fields are written only if set; such events are left to serde.
        frozen: false,
        decided: None,
    })
}

/// The remaining input.
struct EventScanner<'a>(&'a str);

impl<'a> EventScanner<'a> {
    /// The string after the given prefix, unless it contains an escape.
    fn text(&mut self, before: &str) -> Option<&'a str> {
        let text = self.value(before, |byte| matches!(byte, b'"' | b'\\'))?;
        self.0 = self.0.strip_prefix('"')?;
        Some(text)
    }

    /// The number or boolean after the given prefix.
    fn plain<T: FromStr>(&mut self, before: &str) -> Option<T> {
        self.value(before, |byte| matches!(byte, b',' | b'}'))?.parse().ok()
    }

    fn value(&mut self, before: &str, ends: impl Fn(u8) -> bool) -> Option<&'a str> {
        let rest = self.0.strip_prefix(before)?;
        let (value, rest) = rest.split_at_checked(rest.bytes().position(ends)?)?;
        self.0 = rest;
        Some(value)
    }

    /// Skips the answers. Quotes within an answer are escaped, so the delimiter cannot be part of one.
    fn skip_answers(&mut self) -> Option<()> {
        let rest = self.0.strip_prefix(",\"answers\":[")?;
        let mut ends = rest.match_indices(']').filter_map(|(end, _)| rest.get(end + 1..));
        self.0 = ends.find(|after| after.starts_with(",\"fingerprint\":\""))?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use assize_kernel::to_json;
    use proptest::prelude::*;

    use super::*;
    use crate::contest::SubmittedAnswer;

    fn event(task: &str, texts: &[String], numbers: (i64, u32, f64), outcome: AnswerOutcome) -> ContestEvent {
        let (elapsed_ms, wrong_before, points) = numbers;
        let answer =
            |text: &String| SubmittedAnswer { text: Some(text.clone()), ..SubmittedAnswer::default() };
        ContestEvent::AnswerJudged {
            task: task.into(),
            round: 1,
            team: "team_01".into(),
            answers: texts.iter().map(answer).collect(),
            fingerprint: AnswerFingerprint::read("391fee5caf892b7681a91e187c398f84").unwrap(),
            elapsed_ms,
            wrong_before,
            outcome,
            points,
            completes: wrong_before == 0,
            frozen: false,
            decided: None,
        }
    }

    #[test]
    fn what_is_written_in_another_way_is_left_to_others() {
        let body = to_json(&event("task-1", &[], (5, 0, 97.5), AnswerOutcome::Full));
        assert!(judged_answer(&body).is_some());
        for (part, other) in
            [("round\":1", "round\": 1"), ("task-1", "task\\u002d1"), ("}}", "}} "), ("\"full\"", "\"fool\"")]
        {
            assert_eq!(judged_answer(&body.replace(part, other)), None, "{other}");
        }
        assert_eq!(judged_answer("{\"TeamRegistered\":{\"team\":\"team_01\"}}"), None);
    }

    #[test]
    fn moments_are_written_as_they_were_sent() {
        let marks =
            [VideoMark::Text("4\"".into()), VideoMark::Number(4890.into()), VideoMark::Number((-5).into())];
        let marks = marks
            .into_iter()
            .map(Some)
            .chain([serde_json::Number::from_f64(0.5).map(VideoMark::Number), None]);
        let marks: Vec<_> = marks.collect();
        for (start, end) in marks.iter().flat_map(|start| marks.iter().map(move |end| (start, end))) {
            for video in [None, Some("V017".to_owned())] {
                let answer = SubmittedAnswer {
                    start: start.clone(),
                    end: end.clone(),
                    media_item_name: video,
                    text: None,
                };
                let mut out = JsonWriter::default();
                write_answer(&mut out, &answer);
                assert_eq!(out.as_str(), to_json(&answer));
            }
        }
    }

    #[test]
    fn what_is_not_for_the_public_is_left_to_serde() {
        let mut hidden = event("task-1", &[], (5, 0, 97.5), AnswerOutcome::Full);
        if let ContestEvent::AnswerJudged { frozen, .. } = &mut hidden {
            *frozen = true;
        }
        assert_eq!(write(&hidden), None);
    }

    proptest! {
        #[test]
        fn what_is_written_is_as_serde_writes_it_and_all_but_the_answers_is_read_again(
            texts in prop::collection::vec(r#"[a-z\],"\\\[{}]*|\],"fingerprint":"|.*"#, 0..3),
            numbers in (any::<i64>(), any::<u32>(), 0..1000_i32),
            outcome in prop::sample::select(vec![AnswerOutcome::Full, AnswerOutcome::Partial, AnswerOutcome::Incorrect]),
        ) {
            let (elapsed_ms, wrong_before, tenths) = numbers;
            let numbers = (elapsed_ms, wrong_before, f64::from(tenths) / 10.0);
            let event = event("task-1", &texts, numbers, outcome);
            let body = to_json(&event);
            prop_assert_eq!(write(&event), Some(body.clone()));
            let mut read: ContestEvent = serde_json::from_str(&body).unwrap();
            if let ContestEvent::AnswerJudged { answers, .. } = &mut read {
                answers.clear();
            }
            prop_assert_eq!(judged_answer(&body), Some(read));
        }
    }
}
