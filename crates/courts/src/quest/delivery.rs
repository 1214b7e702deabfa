//! Delivery of an assessed text to the log or report that it belongs to.

use assize_kernel::{Assessor, Digest, JudgedSubmission};
use serde::Deserialize;

use super::events::{LogJudged, QuestEvent};
use super::messages::QuestCommand;
use super::reading::{Reading, WORD_LIST};
use super::words::{Basis, ReportReading, WordsReading};

/// The reading of a text, and its assessor.
#[derive(Deserialize)]
struct DeliveredReading {
    reading: Reading,
    assessor: Assessor,
}

/// A judged log with the digest of the text written beside it.
#[derive(Debug)]
pub struct LoggedText {
    /// The basis on which the log was judged.
    pub basis: Basis,
    /// The digest of the text; none when nothing was written.
    pub feedback: Option<Digest>,
}

impl LoggedText {
    /// The kinds of records that [`LoggedText::find`] needs.
    pub const RECORDS: &'static [&'static str] =
        &["QuestAssigned", "ExamAccepted", "ExerciseAdded", "LogJudged"];

    /// Finds the log of a quest among the events of its hunter's stream, given as JSON in order. The state
    /// forgets old logs; the records do not.
    #[must_use]
    pub fn find(records: &[String], quest: &str) -> Option<Self> {
        let mut plan = None;
        let mut own = 0;
        for record in records {
            match serde_json::from_str(record) {
                Ok(QuestEvent::ExerciseAdded { .. }) => own += 1,
                Ok(
                    QuestEvent::QuestAssigned { quest: given, plan: assigned, .. }
                    | QuestEvent::ExamAccepted { quest: given, plan: assigned, .. },
                ) if given == quest => plan = Some(assigned),
                Ok(QuestEvent::LogJudged(judged)) if judged.submission.quest == quest => {
                    let LogJudged { submission, elapsed_ms, .. } = judged;
                    let basis = Basis { plan: plan?, log: submission.log, own, elapsed_ms };
                    return Some(Self { basis, feedback: submission.feedback });
                }
                _ => {}
            }
        }
        None
    }
}

/// The command that adds the reading to the log, or to the report.
pub(super) fn command(submission: &JudgedSubmission<'_>, records: &[String]) -> Result<QuestCommand, String> {
    let DeliveredReading { reading, assessor } = submission.parse()?;
    if assessor.name == WORD_LIST {
        return Err(format!("what the word list read stands: {}", submission.remark_messages()));
    }
    let reading = Reading { by: Some(assessor), ..reading };
    let quest = submission.destination.item.clone();
    let assessment = submission.id;
    if let Some(reporter) = submission.destination.part.clone() {
        return Ok(QuestCommand::ReadReport(ReportReading { quest, reporter, reading, assessment }));
    }
    let basis = LoggedText::find(records, &quest).ok_or("its log is not there")?.basis;
    let remarks = submission.remarks.to_vec();
    Ok(QuestCommand::ReadWords(WordsReading { quest, reading, assessment, basis, remarks }))
}
