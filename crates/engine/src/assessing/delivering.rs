//! Brings a verdict from the bench to where it is wanted: into a run of summaries, onto a turn of a session, or to a
//! hunter's log.
//!
//! The bench remembers what is not there yet, so a process may die anywhere here: the same command under the same key is
//! not done twice, and what the stream refuses is noted, not lost.

use assize_courts::quest::{QuestCommand, Reading, ReportReading, WORD_LIST, WordsReading};
use assize_courts::radio::{RadioCommand, RadioFindings};
use assize_courts::summary::{Findings, SummaryCommand};
use assize_kernel::{
    Actor, AnyCommand, Assessor, BenchCommand, BenchEvent, Destination, Digest, Reason, Role, StreamId,
    Undelivered,
};
use assize_ledger::ScopedKey;
use serde::Deserialize;

use super::job::{DeliveryContext, Ended, event_at};
use super::words::{Written, written};
use crate::{ClerkError, Petition, RequestKey};

/// In whose name verdicts are brought.
const BENCH: &str = "bench";

/// A summary with the findings that it was judged by.
#[derive(Deserialize)]
struct AssessedSummary {
    article: String,
    summary: String,
    findings: Box<Findings>,
    assessor: Assessor,
}

/// A call with the findings that it was judged by; none when that was the court's own reading.
#[derive(Deserialize)]
struct AssessedCall {
    findings: Option<RadioFindings>,
}

/// What was read in what a hunter wrote.
#[derive(Deserialize)]
struct AssessedWords {
    reading: Reading,
    assessor: Assessor,
}

impl DeliveryContext {
    /// Brings the verdict on a submission to where it is wanted.
    pub(super) async fn bring(&self, stream: StreamId, id: u64, undelivered: Undelivered) -> Ended {
        match self.carry(&stream, id, undelivered).await {
            Ok(()) => Ended::Done,
            Err(error) => Ended::Failed(error.to_string()),
        }
    }

    async fn carry(&self, stream: &StreamId, id: u64, undelivered: Undelivered) -> Result<(), ClerkError> {
        let Undelivered { destination, judged } = undelivered;
        let event = self.ask(move |context| event_at(&*context.ledger, judged)).await?;
        let Some(BenchEvent::SubmissionJudged { document, remarks, .. }) = event else {
            return Err(ClerkError::Broken(format!("record {judged} is no verdict of a bench")));
        };
        let command = match destination.stream.parse::<StreamId>() {
            Err(_) => Err(format!("`{}` is no stream", destination.stream)),
            Ok(to) if to.court() == "quest" => {
                let (of, quest) = (to.clone(), destination.item.clone());
                let log = self.ask(move |context| written(&*context.ledger, &of, &quest)).await?;
                words(&destination, &document, remarks, id, log).map(|command| (to, command))
            }
            Ok(to) => command(&to, &destination, &document, remarks).map(|command| (to, command)),
        };
        let problem = match command {
            Ok((to, command)) => self.hand_over(to, command, (stream, id)).await?,
            Err(problem) => Some(problem),
        };
        let command = BenchCommand::Deliver { id, problem };
        let petition = Petition::new(stream.clone(), Box::new(command), bench(), self.clerk.now());
        match self.clerk.submit(petition).await {
            // Another process has brought it.
            Ok(_) | Err(ClerkError::Refused(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Has the command decided where the verdict is wanted; says why it was refused there.
    async fn hand_over(
        &self,
        to: StreamId,
        command: AnyCommand,
        (from, id): (&StreamId, u64),
    ) -> Result<Option<String>, ClerkError> {
        let name = format!("{from} {id}");
        let request = Digest::of(name.as_bytes());
        let key = ScopedKey { scope: format!("{} deliver", bench()), key: name };
        let petition = Petition::new(to, command, bench(), self.clerk.now());
        match self.clerk.submit(Petition { key: Some(RequestKey { key, request }), ..petition }).await {
            Ok(_) => Ok(None),
            Err(ClerkError::Refused(refusal)) => Ok(Some(refusal.to_string())),
            Err(error) => Err(error),
        }
    }
}

fn bench() -> Actor {
    Actor::new(Role::System, BENCH)
}

/// What is wanted of a hunter's stream; or why nothing can be.
fn words(
    destination: &Destination,
    document: &str,
    remarks: Vec<Reason>,
    assessment: u64,
    log: Option<Written>,
) -> Result<AnyCommand, String> {
    let AssessedWords { reading, assessor } = serde_json::from_str(document).map_err(unreadable)?;
    if assessor.name == WORD_LIST {
        return Err(format!("what the word list read stands: {}", messages(&remarks).join("; ")));
    }
    let reading = Reading { by: Some(assessor), ..reading };
    let quest = destination.item.clone();
    if let Some(reporter) = destination.part.clone() {
        let words = ReportReading { quest, reporter, reading, assessment };
        return Ok(Box::new(QuestCommand::ReadReport(words)));
    }
    let basis = log.ok_or("its log is not there")?.basis;
    Ok(Box::new(QuestCommand::ReadWords(WordsReading { quest, reading, assessment, basis, remarks })))
}

/// What is wanted of a run or a class; or why nothing can be.
fn command(
    stream: &StreamId,
    destination: &Destination,
    document: &str,
    remarks: Vec<Reason>,
) -> Result<AnyCommand, String> {
    let Destination { item, part, .. } = destination;
    let command: AnyCommand = match stream.court() {
        "summary" => {
            let AssessedSummary { article, summary, findings, assessor } =
                serde_json::from_str(document).map_err(unreadable)?;
            let (item, model) = (item.clone(), part.clone());
            let (findings, assessor) = (Some(findings), Some(assessor));
            Box::new(SummaryCommand::JudgeSummary {
                item,
                model,
                article,
                summary,
                findings,
                assessor,
                remarks,
            })
        }
        "radio" => {
            let AssessedCall { findings } = serde_json::from_str(document).map_err(unreadable)?;
            let messages = messages(&remarks);
            let Some(findings) = findings else {
                return Err(format!("the reader's verdict stands: {}", messages.join("; ")));
            };
            let turn = part.as_deref().and_then(|turn| turn.parse().ok()).ok_or("it names no turn")?;
            let who = findings.assessor.as_deref().unwrap_or("the bench");
            let mut reason = format!("assessed by {who}");
            messages.iter().for_each(|message| reason.extend(["; ", message]));
            Box::new(RadioCommand::OverruleTurn { session: item.clone(), turn, findings, reason })
        }
        court => return Err(format!("nothing can be brought to the court `{court}`")),
    };
    Ok(command)
}

fn messages(remarks: &[Reason]) -> Vec<&str> {
    remarks.iter().map(|remark| remark.message.as_str()).collect()
}

#[allow(clippy::needless_pass_by_value, reason = "what an error is mapped by owns it")]
fn unreadable(error: serde_json::Error) -> String {
    format!("its document cannot be read: {error}")
}
