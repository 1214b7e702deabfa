//! Reading judged answers as this program writes them: field after field, without looking for their names.

use std::str::FromStr;

use super::fingerprint::Fingerprint;
use super::messages::{ContestEvent, Outcome};

/// A judged answer without what the team had sent, of which no state is made. None when it is written in another way.
pub(super) fn judged_answer(body: &str) -> Option<ContestEvent> {
    let mut body = Written(body);
    let task = body.text("{\"AnswerJudged\":{\"task\":\"")?.into();
    let round = body.plain(",\"round\":")?;
    let team = body.text(",\"team\":\"")?.into();
    body.skip_answers()?;
    let fingerprint = Fingerprint::read(body.text(",\"fingerprint\":\"")?)?;
    let elapsed_ms = body.plain(",\"elapsed_ms\":")?;
    let wrong_before = body.plain(",\"wrong_before\":")?;
    let outcome = Outcome::read(body.text(",\"outcome\":\"")?)?;
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
        // Written only where there is something to say: that is left to others.
        frozen: false,
        decided: None,
    })
}

/// What is left to read.
struct Written<'a>(&'a str);

impl<'a> Written<'a> {
    /// The text after this, unless something in it is escaped.
    fn text(&mut self, before: &str) -> Option<&'a str> {
        let text = self.value(before, |byte| matches!(byte, b'"' | b'\\'))?;
        self.0 = self.0.strip_prefix('"')?;
        Some(text)
    }

    /// The number or the truth after this.
    fn plain<T: FromStr>(&mut self, before: &str) -> Option<T> {
        self.value(before, |byte| matches!(byte, b',' | b'}'))?.parse().ok()
    }

    fn value(&mut self, before: &str, ends: impl Fn(u8) -> bool) -> Option<&'a str> {
        let rest = self.0.strip_prefix(before)?;
        let (value, rest) = rest.split_at_checked(rest.bytes().position(ends)?)?;
        self.0 = rest;
        Some(value)
    }

    /// Quotes within an answer are escaped, so these cannot be part of one.
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

    fn event(task: &str, texts: &[String], numbers: (i64, u32, f64), outcome: Outcome) -> ContestEvent {
        let (elapsed_ms, wrong_before, points) = numbers;
        let answer =
            |text: &String| SubmittedAnswer { text: Some(text.clone()), ..SubmittedAnswer::default() };
        ContestEvent::AnswerJudged {
            task: task.into(),
            round: 1,
            team: "team_01".into(),
            answers: texts.iter().map(answer).collect(),
            fingerprint: Fingerprint::read("391fee5caf892b7681a91e187c398f84").unwrap(),
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
        let body = to_json(&event("task-1", &[], (5, 0, 97.5), Outcome::Full));
        assert!(judged_answer(&body).is_some());
        for (part, other) in
            [("round\":1", "round\": 1"), ("task-1", "task\\u002d1"), ("}}", "}} "), ("\"full\"", "\"fool\"")]
        {
            assert_eq!(judged_answer(&body.replace(part, other)), None, "{other}");
        }
        assert_eq!(judged_answer("{\"TeamRegistered\":{\"team\":\"team_01\"}}"), None);
    }

    proptest! {
        #[test]
        fn all_but_the_answers_is_as_any_json_reads_it(
            texts in prop::collection::vec(r#"[a-z\],"\\\[{}]*|\],"fingerprint":"|.*"#, 0..3),
            numbers in (any::<i64>(), any::<u32>(), 0..1000_i32),
            outcome in prop::sample::select(vec![Outcome::Full, Outcome::Partial, Outcome::Incorrect]),
        ) {
            let (elapsed_ms, wrong_before, tenths) = numbers;
            let numbers = (elapsed_ms, wrong_before, f64::from(tenths) / 10.0);
            let body = to_json(&event("task-1", &texts, numbers, outcome));
            let mut read: ContestEvent = serde_json::from_str(&body).unwrap();
            if let ContestEvent::AnswerJudged { answers, .. } = &mut read {
                answers.clear();
            }
            prop_assert_eq!(judged_answer(&body), Some(read));
        }
    }
}
