//! Reasons of a quest verdict: the deciding reason first, then further findings.

use assize_kernel::{Evidence, Reason, Severity};

use super::exam::ExamFailure;
use super::integrity::LogIntegrity;
use super::judging::LogClaim;
use super::modifiers::WeighedLog;
use super::profile::HunterStatus;
use super::reading::{Sign, SignKind};
use super::rules::{LimitFlag, QuestRules};
use super::verdict::Status;

pub(super) fn of(
    rules: &QuestRules,
    claim: &LogClaim<'_>,
    integrity: &LogIntegrity<'_>,
    weighed: &WeighedLog,
    status: Status,
    exam: Option<Result<(), ExamFailure>>,
) -> Vec<Reason> {
    let mut reasons = vec![decisive(rules, status, exam)];
    reasons.extend(impossible(integrity));
    reasons.extend(exceeded(integrity));
    reasons.extend(incomplete(rules, integrity));
    if !weighed.dangers.is_empty() {
        let warning = Reason::new("quest.safety.violation", Severity::Major, rules.messages.unsafe_.clone());
        let danger = |reason: Reason, danger: &String| reason.showing("log", danger.clone());
        reasons.push(weighed.dangers.iter().fold(warning, danger));
    }
    reasons.extend(read(claim));
    if claim.profile.hunter_status == HunterStatus::Corrupted {
        let message = "no XP while the hunter is Corrupted";
        reasons.push(Reason::new("quest.status.corrupted", Severity::Critical, message));
    }
    reasons.extend(not_applied(integrity));
    reasons
}

/// The deciding reason.
fn decisive(rules: &QuestRules, status: Status, exam: Option<Result<(), ExamFailure>>) -> Reason {
    let words = &rules.messages;
    let (code, severity, message) = match (exam, status) {
        (Some(Ok(())), _) => ("quest.exam.pending", Severity::Info, words.promotion_pending.as_str()),
        (Some(Err(ExamFailure::NoProof)), _) => {
            (ExamFailure::NoProof.code(), Severity::Critical, words.proof_for_promotion.as_str())
        }
        (Some(Err(failed)), _) => (failed.code(), Severity::Critical, failed.reason(rules)),
        (None, Status::Rejected) => ("quest.log.rejected", Severity::Critical, words.rejected.as_str()),
        (None, Status::Flagged) => ("quest.log.flagged", Severity::Major, words.flagged.as_str()),
        (None, _) => ("quest.log.approved", Severity::Info, words.good.as_str()),
    };
    Reason::new(code, severity, message)
}

fn impossible(integrity: &LogIntegrity<'_>) -> Option<Reason> {
    let LogIntegrity { time_needed, duration, .. } = integrity;
    let message = || format!("what was claimed takes at least {time_needed} s, the log has {duration} s");
    let code = "quest.integrity.impossible";
    (time_needed > duration).then(|| Reason::new(code, Severity::Critical, message()))
}

fn exceeded<'a>(integrity: &'a LogIntegrity<'_>) -> impl Iterator<Item = Reason> + 'a {
    integrity.exceeded.iter().map(|exceeded| {
        let (code, severity) = match exceeded.flag {
            LimitFlag::Suspicious => ("quest.limit.suspicious", Severity::Major),
            LimitFlag::Flagged => ("quest.limit.flagged", Severity::Major),
            LimitFlag::Rejected => ("quest.limit.rejected", Severity::Critical),
            LimitFlag::RequiresProof => ("quest.limit.requires_proof", Severity::Major),
        };
        Reason::new(code, severity, exceeded.message.clone()).showing("log", exceeded.exercise)
    })
}

fn incomplete(rules: &QuestRules, integrity: &LogIntegrity<'_>) -> Option<Reason> {
    let LogIntegrity { completed, planned, .. } = integrity;
    let low = integrity.completion() < rules.integrity.incomplete_below;
    let message = || format!("{completed} of {planned} planned exercises done");
    low.then(|| Reason::new("quest.integrity.incomplete", Severity::Major, message()))
}

/// Signs in the hunter's feedback, with the matched list entries and their spans as evidence.
fn read<'a>(claim: &'a LogClaim<'_>) -> impl Iterator<Item = Reason> + 'a {
    SignKind::ALL.into_iter().filter(|kind| claim.reading.has(*kind)).map(|kind| {
        let (code, severity, message) = match kind {
            SignKind::Injury => (
                "quest.reading.injury",
                Severity::Major,
                "the words speak of an injury: somebody should look",
            ),
            SignKind::Pain => ("quest.reading.pain", Severity::Minor, "the words speak of pain"),
            SignKind::Exhaustion => {
                ("quest.reading.exhaustion", Severity::Info, "the words speak of exhaustion")
            }
            SignKind::Ease => ("quest.reading.ease", Severity::Info, "the words speak of ease"),
        };
        let evidence = evidence(&claim.reading.signs, kind, "user_feedback");
        Reason { evidence, ..Reason::new(code, severity, message) }
    })
}

/// Signs of injury and pain in a report, for the judge who decides it.
pub(super) fn of_report(signs: &[Sign]) -> impl Iterator<Item = Reason> + '_ {
    let grave = [
        (SignKind::Injury, "quest.report.injury", "the report speaks of an injury: somebody should look"),
        (SignKind::Pain, "quest.report.pain", "the report speaks of pain"),
    ];
    grave.into_iter().filter_map(|(kind, code, message)| {
        let evidence = evidence(signs, kind, "report");
        (!evidence.is_empty()).then(|| Reason { evidence, ..Reason::new(code, Severity::Minor, message) })
    })
}

/// The matched list entries and their spans.
fn evidence(signs: &[Sign], kind: SignKind, source: &'static str) -> Vec<Evidence> {
    let signs = signs.iter().filter(|sign| sign.kind == kind);
    let shown =
        |sign: &Sign| Evidence { source: source.into(), text: sign.words.to_string(), span: Some(sign.span) };
    signs.map(shown).collect()
}

/// Names the exercises to which limits could not be applied.
fn not_applied(integrity: &LogIntegrity<'_>) -> impl Iterator<Item = Reason> {
    let without = [
        (
            "quest.limit.not_applied",
            "limits of pace not applied: no seconds of their own",
            &integrity.without_seconds,
        ),
        (
            "quest.limit.no_expectation",
            "expected time not known: the share of it was not looked at",
            &integrity.without_expectation,
        ),
    ];
    let without = without.into_iter().filter(|(_, _, names)| !names.is_empty());
    without.map(|(code, message, names)| {
        Reason::new(code, Severity::Info, message).showing("log", names.join(", "))
    })
}
