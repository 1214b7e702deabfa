//! What a log was judged by, read from its hunter's stream: the state forgets it, and whoever reads the words needs it.

use std::ops::ControlFlow;

use assize_courts::quest::{Basis, LogJudged, Plan, QuestEvent};
use assize_kernel::{Digest, StreamId};
use assize_ledger::{Depth, Ledger, LedgerError, Scan};

/// A log, and where what was written beside it is kept.
pub struct Written {
    /// Where the log stands that the text belongs to.
    pub basis: Basis,
    /// None when nothing was written.
    pub feedback: Option<Digest>,
}

/// The log of a quest; none when there is none.
pub fn written(ledger: &dyn Ledger, stream: &StreamId, quest: &str) -> Result<Option<Written>, LedgerError> {
    let (mut plan, mut own, mut found) = (None, 0, None);
    ledger.scan(Scan::stream(stream.as_str(), 0, Depth::Facts), &mut |record| {
        if !matches!(record.kind, "QuestAssigned" | "ExamAccepted" | "ExerciseAdded" | "LogJudged") {
            return ControlFlow::Continue(());
        }
        match serde_json::from_str(record.body) {
            Ok(QuestEvent::ExerciseAdded { .. }) => own += 1,
            Ok(
                QuestEvent::QuestAssigned { quest: given, plan: to_do, .. }
                | QuestEvent::ExamAccepted { quest: given, plan: to_do, .. },
            ) if given == quest => plan = Some(to_do),
            Ok(QuestEvent::LogJudged(judged)) if judged.submission.quest == quest => {
                found = plan.take().map(|plan| of(judged, plan, own));
                return ControlFlow::Break(());
            }
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

fn of(judged: LogJudged, plan: Plan, own: usize) -> Written {
    let LogJudged { submission, elapsed_ms, .. } = judged;
    let basis = Basis { plan, log: submission.log, own, elapsed_ms };
    Written { basis, feedback: submission.feedback }
}
