//! The boards of hunters by XP: overall, by rank, by class and by both. The moderation queue is a board, too,
//! with the oldest entry first.

use assize_kernel::{BoardName, Moment, SmolStr, Standing, StandingChange, StreamId};

use super::events::QuestEvent;
use super::profile::{Class, HunterStatus, Rank};
use super::state::{Hunter, QuestState};

/// The board of all hunters. A part of it is a rank, a class or both, as in `E-Tank`.
pub const HUNTERS: &str = "quest/hunters";
/// The moderation queue. `~` is not allowed in names, so nobody can subscribe to this board.
pub const QUEUE: &str = "quest/~queue";

/// Appends the standings that an event changed to `changes`; `state` is the state after the event.
pub(super) fn standings(
    _: &StreamId,
    state: &QuestState,
    event: &QuestEvent,
    changes: &mut Vec<StandingChange>,
) {
    let Some(hunter) = state.hunter() else { return };
    match event {
        QuestEvent::ClassChanged { from, .. } => {
            changes.extend(off(hunter, hunter.rank, *from));
            changes.extend(on(hunter));
        }
        QuestEvent::ExamGranted { from_rank, quest, .. } => {
            changes.extend(off(hunter, *from_rank, hunter.class));
            changes.extend(on(hunter));
            changes.push(queued(format!("exam/{}/{quest}", hunter.id), None));
        }
        QuestEvent::HunterRegistered { .. } | QuestEvent::StatusRuled { .. } => {
            changes.extend(on(hunter));
            changes.push(queued(format!("status/{}", hunter.id), hunter.queued_since));
        }
        QuestEvent::LogJudged(judged) => {
            changes.extend(on(hunter));
            changes.extend(waiting(hunter, &judged.submission.quest));
        }
        QuestEvent::ProofAdded { outcome, .. } | QuestEvent::ProofReviewed { outcome, .. } => {
            changes.extend(on(hunter));
            changes.extend(waiting(hunter, &outcome.quest));
        }
        QuestEvent::ReportReceived { quest, reporter, .. }
        | QuestEvent::ReportDecided { quest, reporter, .. } => {
            changes.extend(on(hunter));
            changes.push(report(hunter, quest, reporter));
            changes.push(queued(format!("status/{}", hunter.id), hunter.queued_since));
            changes.extend(waiting(hunter, quest));
        }
        QuestEvent::ExamRefused { quest, .. } => changes.extend(waiting(hunter, quest)),
        _ => {}
    }
}

/// The board of a rank, a class, both or neither.
#[must_use]
pub fn board_name(rank: Option<Rank>, class: Option<Class>) -> BoardName {
    let whole = BoardName::from(HUNTERS);
    match (rank, class) {
        (None, None) => whole,
        (Some(rank), None) => whole.part(rank.as_str()),
        (None, Some(class)) => whole.part(class.as_str()),
        (Some(rank), Some(class)) => whole.part(&format!("{}-{}", rank.as_str(), class.as_str())),
    }
}

fn boards(rank: Rank, class: Class) -> [BoardName; 4] {
    [
        board_name(None, None),
        board_name(Some(rank), None),
        board_name(None, Some(class)),
        board_name(Some(rank), Some(class)),
    ]
}

/// Whether the standing is that of a Flagged hunter.
#[must_use]
pub fn is_flagged(standing: &Standing) -> bool {
    standing.ties[0] > 0
}

/// A hunter's standings: by XP, then Flagged hunters last. Corrupted hunters are not listed.
fn on(hunter: &Hunter) -> impl Iterator<Item = StandingChange> + use<> {
    #[allow(clippy::cast_precision_loss, reason = "exact below 2^53")]
    let points = hunter.xp as f64;
    let flagged = i64::from(hunter.status == HunterStatus::Flagged);
    let standing = Some(Standing { points, ties: [flagged, 0] });
    let standing = standing.filter(|_| hunter.status != HunterStatus::Corrupted);
    let participant = hunter.id.clone();
    boards(hunter.rank, hunter.class).into_iter().map(move |board| StandingChange {
        board,
        participant: participant.clone(),
        standing,
    })
}

/// Removes a hunter from the boards of a former rank and class.
fn off(hunter: &Hunter, rank: Rank, class: Class) -> impl Iterator<Item = StandingChange> + use<> {
    let participant = hunter.id.clone();
    boards(rank, class).into_iter().map(move |board| StandingChange {
        board,
        participant: participant.clone(),
        standing: None,
    })
}

/// The queue entries of a log: its exam and its proof, while they wait.
fn waiting(hunter: &Hunter, quest: &SmolStr) -> [StandingChange; 2] {
    let exam = hunter.exam.as_ref().filter(|exam| exam.quest == *quest).and_then(|exam| exam.pending);
    let proof = hunter.kept.get(quest).and_then(|kept| kept.proof_since);
    [
        queued(format!("exam/{}/{quest}", hunter.id), exam.map(|pending| pending.since)),
        queued(format!("proof/{}/{quest}", hunter.id), proof),
    ]
}

fn report(hunter: &Hunter, quest: &SmolStr, reporter: &SmolStr) -> StandingChange {
    let report = hunter.reports.0.get(&(quest.clone(), reporter.clone()));
    let since = report.filter(|report| report.is_waiting()).map(|report| report.at);
    queued(format!("report/{}/{quest}/{reporter}", hunter.id), since)
}

fn queued(what: String, since: Option<Moment>) -> StandingChange {
    #[allow(clippy::cast_precision_loss, reason = "exact below 2^53 ms")]
    let standing = since.map(|since| Standing { points: -(since.as_millis() as f64), ties: [0, 0] });
    StandingChange { board: BoardName::from(QUEUE), participant: what.into(), standing }
}
