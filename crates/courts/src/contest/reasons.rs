//! Reasons of a contest verdict, with the submitted answer as evidence.

use assize_kernel::{Millis, Reason, Severity};

use super::answer::ParsedAnswer;
use super::judging::AttemptContext;
use super::matching::{MatchFindings, is_right_text, is_right_video};
use super::messages::AnswerOutcome;
use super::rules::{MatchingMode, ScoreRules};
use super::task::TaskSpec;

/// The wording of terms and reasons for a matching mode.
pub(super) struct MatchWording {
    /// The unit that is matched.
    pub wanted: &'static str,
    pub matched: &'static str,
    pub share: &'static str,
    pub all: &'static str,
    pub all_with_text: &'static str,
}

const VALUES: MatchWording = MatchWording {
    wanted: "boundaries",
    matched: "boundaries among the submitted values, each counted once",
    share: "matched ÷ max(boundaries, submitted)",
    all: "1 when matched = boundaries = submitted, else 0",
    all_with_text: "1 when matched = boundaries = submitted and text is right, else 0",
};
const SPANS: MatchWording = MatchWording {
    wanted: "events",
    matched: "events that a submitted span overlaps, each counted once",
    share: "matched ÷ max(events, submitted)",
    all: "1 when matched = events = submitted, else 0",
    all_with_text: "1 when matched = events = submitted and text is right, else 0",
};

impl MatchWording {
    pub(super) const fn of(matching: MatchingMode) -> &'static Self {
        if matches!(matching, MatchingMode::Overlap) { &SPANS } else { &VALUES }
    }
}

/// The deciding reason first, then the effects of time and earlier attempts on the score.
pub(super) fn timed(
    score: &ScoreRules,
    words: &MatchWording,
    outcome: AnswerOutcome,
    answer: &ParsedAnswer,
    findings: &MatchFindings,
    at: AttemptContext,
) -> Vec<Reason> {
    let mut reasons = answer_reasons(words, outcome, answer, findings);
    if outcome != AnswerOutcome::Incorrect {
        reasons.extend(circumstances(score, at));
    }
    reasons
}

/// The effects of time and earlier attempts on the score.
pub(super) fn circumstances(score: &ScoreRules, at: AttemptContext) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if at.elapsed > at.limit {
        let over = Millis(at.elapsed.0.saturating_sub(at.limit.0)).as_seconds();
        let message = format!("received {over} s after the time limit: the time factor is 0");
        reasons.push(Reason::new("contest.time.buffer", Severity::Info, message));
    }
    if at.wrong_before > 0 {
        let penalty = score.penalty;
        let message = match at.wrong_before {
            1 => format!("1 wrong attempt before this one, {penalty} points"),
            many => format!("{many} wrong attempts before this one, {penalty} points each"),
        };
        reasons.push(Reason::new("contest.attempts.penalty", Severity::Major, message));
    }
    reasons
}

/// Reasons under distance scoring: the number of events met.
pub(super) fn near(
    outcome: AnswerOutcome,
    task: &TaskSpec,
    answer: &ParsedAnswer,
    met: (u32, u32),
) -> Vec<Reason> {
    if answer.spans.is_empty() {
        return vec![Reason::new("contest.answer.empty", Severity::Critical, "no value was submitted")];
    }
    let mut reasons = foreign(is_right_video(task, answer), is_right_text(task, answer), answer);
    if reasons.is_empty() {
        let (matched, all) = met;
        let (code, severity, message) = match outcome {
            AnswerOutcome::Full => (
                "contest.answer.exact",
                Severity::Info,
                format!("all {all} events met by a value inside them"),
            ),
            AnswerOutcome::Partial => {
                ("contest.answer.near", Severity::Major, format!("{matched} of {all} events met"))
            }
            AnswerOutcome::Incorrect | AnswerOutcome::Undecided => {
                ("contest.answer.mismatch", Severity::Critical, format!("none of {all} events met"))
            }
        };
        reasons.push(Reason::new(code, severity, message).showing("answer", answer.values_text()));
    }
    reasons
}

/// Evidence contains only what the team submitted.
fn answer_reasons(
    words: &MatchWording,
    outcome: AnswerOutcome,
    answer: &ParsedAnswer,
    findings: &MatchFindings,
) -> Vec<Reason> {
    let MatchFindings { wanted, submitted, matched, .. } = *findings;
    let unit = words.wanted;
    let counts = || format!("{matched} of {wanted} {unit} matched, {submitted} submitted");
    let values = |code, severity, message: String| {
        Reason::new(code, severity, message).showing("answer", answer.values_text())
    };
    match outcome {
        AnswerOutcome::Full => {
            let message = format!("all {wanted} {unit} matched");
            return vec![values("contest.answer.exact", Severity::Info, message)];
        }
        AnswerOutcome::Partial => return vec![values("contest.answer.partial", Severity::Major, counts())],
        AnswerOutcome::Incorrect | AnswerOutcome::Undecided => {}
    }
    let mut reasons = foreign(findings.right_video, findings.right_text, answer);
    if findings.right_video && !findings.all_values() {
        reasons.push(values("contest.answer.mismatch", Severity::Critical, counts()));
    }
    reasons
}

/// Reasons for a wrong video or a wrong text.
fn foreign(right_video: bool, right_text: Option<bool>, answer: &ParsedAnswer) -> Vec<Reason> {
    if !right_video {
        let videos: Vec<&str> = answer.videos.iter().map(String::as_str).collect();
        let message =
            if videos.len() == 1 { "not the video of this task" } else { "several videos where one belongs" };
        let reason = Reason::new("contest.answer.wrong_video", Severity::Critical, message);
        return vec![reason.showing("answer", videos.join(", "))];
    }
    if right_text == Some(false) {
        let reason =
            Reason::new("contest.answer.wrong_text", Severity::Critical, "not the answer to the question");
        return vec![reason.showing("answer", answer.text.clone().unwrap_or_default())];
    }
    Vec::new()
}
