//! Places a submission on the bench: it is recorded before any assessor is asked.

use assize_kernel::{AnyRulebook, BenchCommand, Destination, Digest, Panel, SmolStr, StreamId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::access::Act;
use super::super::caller::Caller;
use super::super::problem::Problem;
use super::super::records::Receipt;
use super::super::schemas::Id;
use super::super::submit::{last, petition};
use super::super::{App, blocking};
use super::{bench, no_assessor, unknown_court};
use assize_engine::assessing::{sealed, stream_of};
use assize_engine::clerk::RulebookIndex;
use assize_engine::{Petition, RequestKey};

/// A recorded submission that waits for its assessors.
#[derive(Serialize, ToSchema)]
pub(crate) struct AssessmentReceived {
    /// The id of the submission.
    id: u64,
    receipt: Receipt,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// A submission to be assessed, and its panel.
pub(crate) struct AssessmentRequest {
    /// The document in the format of `assize judge`, without findings.
    pub(crate) document: String,
    pub(crate) panel: Panel,
    /// The stream to which the verdict is delivered.
    pub(crate) destination: Option<Destination>,
    /// The subject under which personal text is kept and erased; the caller by default.
    pub(crate) subject: Option<String>,
}

/// Records a submission for assessment.
pub(crate) async fn place(
    app: &App,
    caller: &Caller,
    court: &str,
    book: AnyRulebook,
    wanted: AssessmentRequest,
    key: Option<RequestKey>,
) -> Result<AssessmentReceived, Problem> {
    let bench = bench(app, court)?;
    let AssessmentRequest { document, panel, destination, subject } = wanted;
    if let Some(unknown) = panel.assessors.iter().find(|name| app.assessing.models().get(name).is_none()) {
        return Err(no_assessor(app, unknown));
    }
    let stream = stream_of(&*bench.face, &book.reference).ok_or_else(|| unknown_court(court))?;
    let mut personal = Vec::new();
    if bench.face.is_personal() {
        let subject = subject.unwrap_or_else(|| format!("{stream}/{}", caller.actor.name));
        personal.push(sealed(subject, document.clone())?);
    }
    let digest = personal.first().map(assize_kernel::Personal::digest);
    let command = BenchCommand::Receive { document, panel, personal: digest, destination };
    let petition = Petition { rulebook: Some(book), personal, ..petition(app, caller, stream, command, key) };
    let answer = app.clerk.submit(petition).await?;
    app.assessing.call();
    let record = last(&answer)?;
    Ok(AssessmentReceived { id: record.position, receipt: Receipt::of(record), repeated: answer.repeated })
}

/// The panel, with defaults for what the request leaves out.
pub(crate) fn panel(assessors: Vec<SmolStr>, people: u32, threshold: Option<f64>) -> Panel {
    Panel { assessors, people, threshold: threshold.unwrap_or(Panel::default().threshold) }
}

/// The assessors to ask about something that is already recorded, such as a turn.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AskedOf)]
pub(crate) struct AssessorChoice {
    /// The models to ask, by their configured names.
    #[serde(default)]
    #[schema(value_type = Vec<Id>, max_items = 9)]
    assessors: Vec<SmolStr>,
    /// The number of people to ask.
    #[serde(default)]
    #[schema(maximum = 9)]
    people: u32,
    /// The disagreement of the models, from 0 to 1, above which a person is asked; 0.25 by default.
    #[schema(minimum = 0, maximum = 1)]
    threshold: Option<f64>,
}

impl AssessorChoice {
    /// The panel of these assessors.
    pub(crate) fn panel(self) -> Panel {
        panel(self.assessors, self.people, self.threshold)
    }
}

/// Checks that the caller may request assessments in this stream.
pub(crate) fn may_ask(caller: &Caller, stream: &StreamId) -> Result<(), Problem> {
    caller.may(Act::AskAssessors, stream)
}

/// The rulebook that a stream was opened with, by its hash.
pub(crate) async fn book_of(app: &App, court: &str, hash: Digest) -> Result<AnyRulebook, Problem> {
    let shipped = app.courts.rulebooks(court).iter().find(|book| book.reference.hash == hash);
    if let Some(book) = shipped {
        return Ok(book.clone());
    }
    let found =
        blocking(app, move |app| Ok(RulebookIndex::load(&*app.ledger, &app.courts)?.get(&hash).cloned()))
            .await?;
    found.ok_or_else(|| Problem::internal("the rulebook of a stream is not there"))
}
