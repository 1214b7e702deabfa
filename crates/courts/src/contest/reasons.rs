//! Why an answer was judged as it was, in words, with what the team submitted as evidence.

use assize_kernel::{Millis, Reason, Severity};

use super::answer::Answer;
use super::judging::Circumstances;
use super::matching::Findings;
use super::messages::Outcome;
use super::rules::ContestRules;

/// What decided comes first, then what the time and the attempts before have done to the score.
pub(super) fn reasons(
    rules: &ContestRules,
    outcome: Outcome,
    answer: &Answer,
    findings: &Findings,
    at: Circumstances,
) -> Vec<Reason> {
    let mut reasons = answer_reasons(outcome, answer, findings);
    if outcome == Outcome::Incorrect {
        return reasons;
    }
    if at.elapsed > at.limit {
        let over = Millis(at.elapsed.0.saturating_sub(at.limit.0)).as_seconds();
        let message = format!("received {over} s after the time limit, in the buffer: the time factor is 0");
        reasons.push(Reason::new("contest.time.buffer", Severity::Info, message));
    }
    if at.wrong_before > 0 {
        let penalty = rules.score.penalty;
        let message = match at.wrong_before {
            1 => format!("1 wrong attempt before this one, {penalty} points"),
            many => format!("{many} wrong attempts before this one, {penalty} points each"),
        };
        reasons.push(Reason::new("contest.attempts.penalty", Severity::Major, message));
    }
    reasons
}

/// Evidence is what the team submitted, and nothing else.
fn answer_reasons(outcome: Outcome, answer: &Answer, findings: &Findings) -> Vec<Reason> {
    let Findings { boundaries, submitted, matched, .. } = *findings;
    let counts = || format!("{matched} of {boundaries} boundaries matched, {submitted} submitted");
    let values = |code, severity, message: String| {
        Reason::new(code, severity, message).showing("answer", answer.values_text())
    };
    match outcome {
        Outcome::Full => {
            let message = format!("all {boundaries} boundaries matched");
            return vec![values("contest.answer.exact", Severity::Info, message)];
        }
        Outcome::Partial => return vec![values("contest.answer.partial", Severity::Major, counts())],
        Outcome::Incorrect => {}
    }
    if !findings.right_video {
        let videos: Vec<&str> = answer.videos.iter().map(String::as_str).collect();
        let message =
            if videos.len() == 1 { "not the video of this task" } else { "several videos where one belongs" };
        let reason = Reason::new("contest.answer.wrong_video", Severity::Critical, message);
        return vec![reason.showing("answer", videos.join(", "))];
    }
    let mut reasons = Vec::new();
    if findings.right_text == Some(false) {
        let reason =
            Reason::new("contest.answer.wrong_text", Severity::Critical, "not the answer to the question");
        reasons.push(reason.showing("answer", answer.text.clone().unwrap_or_default()));
    }
    if !findings.all_values() {
        reasons.push(values("contest.answer.mismatch", Severity::Critical, counts()));
    }
    reasons
}
