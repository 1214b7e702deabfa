//! Puts something on the bench: on record before anybody is asked.

use assize_kernel::{AnyRulebook, BenchCommand, Destination, Digest, Panel, SmolStr, StreamId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::access::Act;
use super::super::caller::Caller;
use super::super::hearing::{last, petition};
use super::super::problem::Problem;
use super::super::records::Receipt;
use super::super::shapes::Id;
use super::super::{App, blocking};
use super::{bench, no_assessor, unknown_court};
use crate::assessing::{sealed, stream_of};
use crate::clerk::Shelf;
use crate::{Petition, RequestKey};

/// It is on record, and waits.
#[derive(Serialize, ToSchema)]
pub(in super::super) struct AssessmentReceived {
    /// What it is asked for by.
    id: u64,
    receipt: Receipt,
    /// Whether this is the answer to an earlier request, given again.
    repeated: bool,
}

/// What is to be assessed, and by whom.
pub(in super::super) struct Wanted {
    /// As `assize judge` takes it, without findings.
    pub(in super::super) document: String,
    pub(in super::super) panel: Panel,
    /// Where the verdict is wanted.
    pub(in super::super) destination: Option<Destination>,
    /// Under whose name what is personal is kept, and erased; the caller's otherwise.
    pub(in super::super) subject: Option<String>,
}

/// Takes a submission in.
pub(in super::super) async fn place(
    app: &App,
    caller: &Caller,
    (court, book): (&str, AnyRulebook),
    wanted: Wanted,
    key: Option<RequestKey>,
) -> Result<AssessmentReceived, Problem> {
    let bench = bench(app, court)?;
    let Wanted { document, panel, destination, subject } = wanted;
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
    let answer = app.clerk.hear(petition).await?;
    app.assessing.call();
    let record = last(&answer)?;
    Ok(AssessmentReceived { id: record.position, receipt: Receipt::of(record), repeated: answer.repeated })
}

/// Who is asked, with what is usual where nothing is said.
pub(in super::super) fn panel(assessors: Vec<SmolStr>, people: u32, threshold: Option<f64>) -> Panel {
    Panel { assessors, people, threshold: threshold.unwrap_or(Panel::default().threshold) }
}

/// Who is asked about something that is on record.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct AskedOf {
    /// Models, by their names here.
    #[serde(default)]
    #[schema(value_type = Vec<Id>, max_items = 9)]
    assessors: Vec<SmolStr>,
    /// How many people.
    #[serde(default)]
    #[schema(maximum = 9)]
    people: u32,
    /// Farther apart than this, from 0 to 1, and a person is asked; 0.25 otherwise.
    #[schema(minimum = 0, maximum = 1)]
    threshold: Option<f64>,
}

impl AskedOf {
    /// All of them.
    pub(in super::super) fn panel(self) -> Panel {
        panel(self.assessors, self.people, self.threshold)
    }
}

/// Whether this caller may have something of this stream assessed.
pub(in super::super) fn may_ask(caller: &Caller, stream: &StreamId) -> Result<(), Problem> {
    caller.may(Act::AskAssessors, stream)
}

/// The rulebook that a stream was opened with, by its hash.
pub(in super::super) async fn book_of(app: &App, court: &str, hash: Digest) -> Result<AnyRulebook, Problem> {
    let shipped = app.courts.rulebooks(court).iter().find(|book| book.reference.hash == hash);
    if let Some(book) = shipped {
        return Ok(book.clone());
    }
    let found =
        blocking(app, move |app| Ok(Shelf::load(&*app.ledger, &app.courts)?.get(&hash).cloned())).await?;
    found.ok_or_else(|| Problem::internal("the rulebook of a stream is not there"))
}
