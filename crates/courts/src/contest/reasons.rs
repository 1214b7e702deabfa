//! Why an answer was judged as it was, in words, with what the team submitted as evidence.

use assize_kernel::{Millis, Reason, Severity};

use super::answer::Answer;
use super::judging::Circumstances;
use super::matching::{Findings, is_right_text, is_right_video};
use super::messages::Outcome;
use super::rules::{Matching, ScoreRules};
use super::task::TaskSpec;

/// How a verdict speaks of what it compares.
pub(super) struct Words {
    /// What is looked for.
    pub wanted: &'static str,
    pub matched: &'static str,
    pub share: &'static str,
    pub all: &'static str,
    pub all_with_text: &'static str,
}

const VALUES: Words = Words {
    wanted: "boundaries",
    matched: "boundaries among the submitted values, each counted once",
    share: "matched ÷ max(boundaries, submitted)",
    all: "1 when matched = boundaries = submitted, else 0",
    all_with_text: "1 when matched = boundaries = submitted and text is right, else 0",
};
const SPANS: Words = Words {
    wanted: "events",
    matched: "events that a submitted span overlaps, each counted once",
    share: "matched ÷ max(events, submitted)",
    all: "1 when matched = events = submitted, else 0",
    all_with_text: "1 when matched = events = submitted and text is right, else 0",
};

impl Words {
    pub(super) const fn of(matching: Matching) -> &'static Self {
        if matches!(matching, Matching::Overlap) { &SPANS } else { &VALUES }
    }
}

/// What decided comes first, then what the time and the attempts before have done to the score.
pub(super) fn timed(
    score: &ScoreRules,
    words: &Words,
    outcome: Outcome,
    answer: &Answer,
    findings: &Findings,
    at: Circumstances,
) -> Vec<Reason> {
    let mut reasons = answer_reasons(words, outcome, answer, findings);
    if outcome != Outcome::Incorrect {
        reasons.extend(circumstances(score, at));
    }
    reasons
}

/// What the time and the attempts before have done to the score.
pub(super) fn circumstances(score: &ScoreRules, at: Circumstances) -> Vec<Reason> {
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

/// Where being near earns points: how many events were met.
pub(super) fn near(outcome: Outcome, task: &TaskSpec, answer: &Answer, met: (u32, u32)) -> Vec<Reason> {
    if answer.spans.is_empty() {
        return vec![Reason::new("contest.answer.empty", Severity::Critical, "no value was submitted")];
    }
    let mut reasons = foreign(is_right_video(task, answer), is_right_text(task, answer), answer);
    if reasons.is_empty() {
        let (matched, all) = met;
        let (code, severity, message) = match outcome {
            Outcome::Full => (
                "contest.answer.exact",
                Severity::Info,
                format!("all {all} events met by a value inside them"),
            ),
            Outcome::Partial => {
                ("contest.answer.near", Severity::Major, format!("{matched} of {all} events met"))
            }
            Outcome::Incorrect | Outcome::Undecided => {
                ("contest.answer.mismatch", Severity::Critical, format!("none of {all} events met"))
            }
        };
        reasons.push(Reason::new(code, severity, message).showing("answer", answer.values_text()));
    }
    reasons
}

/// Evidence is what the team submitted, and nothing else.
fn answer_reasons(words: &Words, outcome: Outcome, answer: &Answer, findings: &Findings) -> Vec<Reason> {
    let Findings { wanted, submitted, matched, .. } = *findings;
    let unit = words.wanted;
    let counts = || format!("{matched} of {wanted} {unit} matched, {submitted} submitted");
    let values = |code, severity, message: String| {
        Reason::new(code, severity, message).showing("answer", answer.values_text())
    };
    match outcome {
        Outcome::Full => {
            let message = format!("all {wanted} {unit} matched");
            return vec![values("contest.answer.exact", Severity::Info, message)];
        }
        Outcome::Partial => return vec![values("contest.answer.partial", Severity::Major, counts())],
        Outcome::Incorrect | Outcome::Undecided => {}
    }
    let mut reasons = foreign(findings.right_video, findings.right_text, answer);
    if findings.right_video && !findings.all_values() {
        reasons.push(values("contest.answer.mismatch", Severity::Critical, counts()));
    }
    reasons
}

/// Another video than the task's, or another text.
fn foreign(right_video: bool, right_text: Option<bool>, answer: &Answer) -> Vec<Reason> {
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
