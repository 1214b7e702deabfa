//! Moderation over HTTP: the queue for judges, oldest first, and their decisions.

use assize_courts::quest::{self, LogView, QUEUE, QuestCommand, Reading, SignKind};
use assize_kernel::{Assessor, Moment, Row};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::access::Act;
use super::super::caller::Caller;
use super::super::input::{IdempotencyKey, Input};
use super::super::openapi::{Conflict, Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::query::{Pagination, QueryParams};
use super::super::schemas::Id;
use super::super::{App, blocking};
use super::{CommandRecorded, HunterJudged, judged, look, petition, recorded, sealed, stream_of};
use assize_engine::Petition;

/// A page of the moderation queue.
#[derive(Serialize, ToSchema)]
#[schema(as = ModerationQueue)]
pub(crate) struct ModerationQueue {
    /// The total number of entries.
    pub(crate) total: usize,
    pub(crate) waiting: Vec<ModerationEntry>,
}

/// An entry of the moderation queue, with its evidence.
#[derive(Serialize, ToSchema)]
#[schema(as = WaitingForJudges)]
pub(crate) struct ModerationEntry {
    /// The kind of the entry: `report`, `exam`, `proof` or `status`.
    pub(crate) kind: String,
    pub(crate) since: Moment,
    #[schema(value_type = Id)]
    pub(crate) hunter: String,
    /// The quest; null if the entry concerns the hunter as a whole.
    #[schema(value_type = Option<Id>, required = true)]
    pub(crate) quest: Option<String>,
    /// The reporter; null if the entry is no report.
    #[schema(value_type = Option<Id>, required = true)]
    pub(crate) reporter: Option<String>,
    /// The reason of the report, from the rulebook's list; null if the entry is no report.
    #[schema(required = true)]
    pub(crate) reason: Option<String>,
    /// The text of the report; null if there is none, and if it was erased.
    #[schema(required = true)]
    pub(crate) text: Option<String>,
    /// The reading of the text, and its assessor; null without a text.
    #[schema(required = true)]
    pub(crate) reading: Option<ReportReading>,
    #[schema(required = true)]
    pub(crate) log: Option<LogView>,
    /// The SHA-256 of the picture or video; null if there is none.
    #[schema(value_type = Option<assize_kernel::Digest>, required = true)]
    pub(crate) media: Option<String>,
}

/// The reading of a report.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportRead)]
pub(crate) struct ReportReading {
    /// The signs found in the text: `injury`, `pain`.
    #[schema(value_type = Vec<String>)]
    pub(crate) signs: Vec<SignKind>,
    /// The assessor: the word list, a model or a person.
    pub(crate) by: Assessor,
}

/// A judge's review of a proof.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProofReview {
    /// Whether the proof shows what was logged.
    accepted: bool,
    /// The judge's note: stored as personal text, which can be erased.
    #[schema(max_length = 4_000)]
    note: Option<String>,
}

/// A judge's decision on a report.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportDecision {
    confirmed: bool,
    /// Whether a confirmed report removes the log.
    #[serde(default)]
    remove_log: bool,
    /// The judge's note: stored as personal text, which can be erased.
    #[schema(max_length = 4_000)]
    note: Option<String>,
}

/// A judge's ruling on the status of a hunter.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatusRuling {
    corrupted: bool,
    /// The judge's note: stored as personal text, which can be erased.
    #[schema(max_length = 4_000)]
    note: Option<String>,
}

/// Lists the moderation queue, the oldest entry first.
#[utoipa::path(
    get, path = "/api/v1/moderation", tag = "moderation",
    params(Pagination),
    responses((status = 200, description = "A page of the queue", body = ModerationQueue), Forbidden),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_moderation(
    State(app): State<App>,
    QueryParams(window): QueryParams<Pagination>,
    caller: Caller,
) -> Result<Json<ModerationQueue>, Problem> {
    caller.may_everywhere(Act::Moderate)?;
    let (total, rows) = {
        let views = app.clerk.views();
        let board = views.board(QUEUE);
        let rows = board.into_iter().flat_map(|board| board.rows(window.offset(), window.limit()));
        (board.map_or(0, assize_kernel::Board::len), rows.collect::<Vec<Row>>())
    };
    let mut waiting = Vec::with_capacity(rows.len());
    for row in rows {
        waiting.push(ModerationEntry::of(&app, &row).await?);
    }
    Ok(Json(ModerationQueue { total, waiting }))
}

impl ModerationEntry {
    /// A queue entry with its evidence.
    async fn of(app: &App, row: &Row) -> Result<Self, Problem> {
        let mut parts = row.participant.split('/').map(str::to_owned);
        let kind = parts.next().unwrap_or_default();
        let hunter = parts.next().unwrap_or_default();
        let quest = parts.next();
        let reporter = parts.next();
        #[allow(clippy::cast_possible_truncation, reason = "milliseconds, exact below 2^53")]
        let since = Moment::from_millis(-row.standing.points as i64);
        let of = quest.clone().unwrap_or_default();
        let by = reporter.clone().unwrap_or_default();
        let seen = move |seen: &assize_courts::quest::Hunter| {
            (seen.log(&of), seen.report(&of, &by), seen.proof_of(&of))
        };
        let (log, report, media) = look(app, &hunter, seen).await?;
        let note = report.as_ref().and_then(|(_, note, _)| *note);
        let read = move |app: &App| Ok(note.map(|note| app.ledger.personal(&note)).transpose()?.flatten());
        let text = blocking(app, read).await?.map(|personal| personal.text);
        let (reason, read) = report.map(|(reason, _, read)| (reason.to_string(), read)).unzip();
        // The word list's reading, unless an assessor has read the text.
        let reading = text
            .as_deref()
            .map(|text| ReportReading::of(&read.flatten().unwrap_or_else(|| quest::read(text))));
        let media = media.map(|digest| digest.to_string());
        Ok(Self { kind, since, hunter, quest, reporter, reason, text, reading, log, media })
    }
}

impl ReportReading {
    fn of(reading: &Reading) -> Self {
        let grave = [SignKind::Injury, SignKind::Pain];
        Self { signs: grave.into_iter().filter(|kind| reading.has(*kind)).collect(), by: reading.reader() }
    }
}

/// Accepts or rejects a proof; the log is judged again.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/logs/{quest}/proof/review", tag = "moderation",
    params(("hunter" = Id, Path, description = "The hunter"), ("quest" = Id, Path, description = "The quest"), IdempotencyKey),
    request_body = ProofReview,
    responses((status = 200, description = "The log was judged again", body = HunterJudged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn review_proof(
    State(app): State<App>,
    PathParams((hunter, quest)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<ProofReview>,
) -> Result<Response, Problem> {
    let stream = stream_of(&hunter)?;
    caller.may(Act::Moderate, &stream)?;
    let key = input.key(&caller);
    let (personal, note) = sealed(&hunter, input.value.note)?;
    let command = QuestCommand::ReviewProof { quest: quest.into(), accepted: input.value.accepted, note };
    let petition = Petition { personal, ..petition(&app, &caller, stream, command, key) };
    judged(&app.clerk.submit(petition).await?)
}

/// Confirms or dismisses a report; the hunter's status is updated.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/logs/{quest}/reports/{reporter}/decision", tag = "moderation",
    params(
        ("hunter" = Id, Path, description = "The hunter of the log"),
        ("quest" = Id, Path, description = "The quest"),
        ("reporter" = Id, Path, description = "The reporter"),
        IdempotencyKey,
    ),
    request_body = ReportDecision,
    responses((status = 200, description = "The report was decided", body = CommandRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn decide_report(
    State(app): State<App>,
    PathParams((hunter, quest, reporter)): PathParams<(String, String, String)>,
    caller: Caller,
    input: Input<ReportDecision>,
) -> Result<Json<CommandRecorded>, Problem> {
    let stream = stream_of(&hunter)?;
    caller.may(Act::Moderate, &stream)?;
    let key = input.key(&caller);
    let ReportDecision { confirmed, remove_log, note } = input.value;
    let (personal, note) = sealed(&hunter, note)?;
    let command = QuestCommand::DecideReport {
        reporter: reporter.as_str().into(),
        quest: quest.as_str().into(),
        confirmed,
        remove_log,
        note,
    };
    let decide = Petition { personal, ..petition(&app, &caller, stream, command, key) };
    let answer = app.clerk.submit(decide).await?;
    // The reporter's stream counts whether they were right, once; a repeated command is no error here.
    let noted = QuestCommand::NoteReport { hunter: hunter.into(), quest: quest.into(), confirmed };
    if let Err(error) = app.clerk.submit(petition(&app, &caller, stream_of(&reporter)?, noted, None)).await
        && !matches!(error, assize_engine::ClerkError::Refused(_))
    {
        return Err(error.into());
    }
    recorded(&answer)
}

/// Rules that a hunter is Corrupted, or revokes that ruling.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/status", tag = "moderation",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = StatusRuling,
    responses((status = 200, description = "The ruling was recorded", body = CommandRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn rule_status(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    caller: Caller,
    input: Input<StatusRuling>,
) -> Result<Json<CommandRecorded>, Problem> {
    let stream = stream_of(&hunter)?;
    caller.may(Act::Moderate, &stream)?;
    let key = input.key(&caller);
    let (personal, note) = sealed(&hunter, input.value.note)?;
    let command = QuestCommand::RuleStatus { corrupted: input.value.corrupted, note };
    let petition = Petition { personal, ..petition(&app, &caller, stream, command, key) };
    recorded(&app.clerk.submit(petition).await?)
}
