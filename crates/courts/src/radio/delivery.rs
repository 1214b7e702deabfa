//! Delivery of an assessed call to its turn of a session.

use assize_kernel::JudgedSubmission;
use serde::Deserialize;

use super::judging::RadioFindings;
use super::messages::RadioCommand;

/// A call with the findings that it was judged by; none when that was the court's own reading.
#[derive(Deserialize)]
struct DeliveredCall {
    findings: Option<RadioFindings>,
}

/// The command that overrules the turn with these findings.
pub(super) fn command(submission: &JudgedSubmission<'_>) -> Result<RadioCommand, String> {
    let DeliveredCall { findings } = submission.parse()?;
    let Some(findings) = findings else {
        return Err(format!("the reader's verdict stands: {}", submission.remark_messages()));
    };
    let destination = submission.destination;
    let turn = destination.part.as_deref().and_then(|turn| turn.parse().ok()).ok_or("it names no turn")?;
    let who = findings.assessor.as_deref().unwrap_or("the bench");
    let mut reason = format!("assessed by {who}");
    for remark in submission.remarks {
        reason.extend(["; ", &remark.message]);
    }
    Ok(RadioCommand::OverruleTurn { session: destination.item.clone(), turn, findings, reason })
}
