//! Delivery of an assessed summary into its run.

use assize_kernel::{Assessor, JudgedSubmission};
use serde::Deserialize;

use super::findings::Findings;
use super::messages::SummaryCommand;

/// A summary with the findings that it was judged by.
#[derive(Deserialize)]
struct DeliveredSummary {
    article: String,
    summary: String,
    findings: Box<Findings>,
    assessor: Assessor,
}

/// The command that judges the summary in its run by these findings.
pub(super) fn command(submission: &JudgedSubmission<'_>) -> Result<SummaryCommand, String> {
    let DeliveredSummary { article, summary, findings, assessor } = submission.parse()?;
    Ok(SummaryCommand::JudgeSummary {
        item: submission.destination.item.clone(),
        model: submission.destination.part.clone(),
        article,
        summary,
        findings: Some(findings),
        assessor: Some(assessor),
        remarks: submission.remarks.to_vec(),
    })
}
