//! Logs over HTTP: submitting them, the match history, and later proof.

use assize_courts::quest::{
    self, Log, LogView, Proof, ProofKind, QuestCommand, QuestType, Status, Submission,
};
use assize_kernel::{Digest, Record, StreamId, Verdict};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::super::caller::Caller;
use super::super::input::{IdempotencyKey, Input};
use super::super::openapi::{Conflict, Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::query::{FromQuery, Pagination, QueryParams};
use super::super::records::{find, raw};
use super::super::schemas::{AnyObject, Id};
use super::super::{App, blocking};
use super::{HunterJudged, judged, look, petition, sealed, stream_of, today};
use assize_engine::Petition;
use assize_engine::media::{MediaKind, kind_of};

/// A log to submit.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewLog {
    log: Log,
    /// Whether the log is private.
    #[serde(default)]
    private: bool,
}

/// Query parameters of the match history.
#[derive(Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryQuery {
    /// Only logs with this status.
    #[param(inline)]
    status: Option<Status>,
    /// Only logs of quests of this type.
    #[param(inline)]
    quest_type: Option<QuestType>,
    #[param(ignore)]
    pub(crate) window: Pagination,
}

/// A page of a match history, the latest first.
#[derive(Serialize, ToSchema)]
#[schema(as = History)]
pub(crate) struct LogHistory {
    /// The total number of matching logs.
    pub(crate) total: usize,
    pub(crate) logs: Vec<LogView>,
}

/// A log with its verdict.
#[derive(Serialize, ToSchema)]
pub(crate) struct LogShown {
    pub(crate) log: LogView,
    /// The event, as stored in the ledger: the submission and its result.
    #[schema(value_type = AnyObject)]
    pub(crate) event: Box<RawValue>,
    #[schema(value_type = Verdict<AnyObject>)]
    pub(crate) verdict: Box<RawValue>,
    /// The hunter's feedback, for the hunter, their app, judges and admins; null for others, if there is
    /// none, and if it was erased.
    #[schema(required = true)]
    pub(crate) user_feedback: Option<String>,
}

/// Submits a log, which is judged at once.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/quests/{quest}/log", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), ("quest" = Id, Path, description = "The quest"), IdempotencyKey),
    request_body = NewLog,
    responses((status = 200, description = "The log was judged", body = HunterJudged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn submit_log(
    State(app): State<App>,
    PathParams((hunter, quest)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<NewLog>,
) -> Result<Response, Problem> {
    let stream = stream_of(&hunter)?;
    caller.acts_as(&stream, &hunter)?;
    let key = input.key(&caller);
    let NewLog { mut log, private } = input.value;
    let zone = look(&app, &hunter, |seen| seen.zone().to_owned()).await?;
    let day = today(&app, &zone)?;
    claim(&app, &caller, &hunter, &quest, log.proof.as_ref()).await?;
    let text = log.user_feedback.take().filter(|text| !text.trim().is_empty());
    // Parsed here, so that the clerk's single thread does not wait for it.
    let reading = text.as_deref().map(quest::read).unwrap_or_default();
    let (personal, feedback) = sealed(&hunter, text)?;
    let submission = Submission { quest: quest.into(), log, day, private, feedback, reading };
    let command = QuestCommand::SubmitLog(submission);
    let petition = Petition { personal, ..petition(&app, &caller, stream, command, key) };
    judged(&app.clerk.submit(petition).await?)
}

/// Adds proof to a flagged log, which is then judged again.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/logs/{quest}/proof", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), ("quest" = Id, Path, description = "The quest"), IdempotencyKey),
    request_body = Proof,
    responses((status = 200, description = "The log was judged again", body = HunterJudged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn add_proof(
    State(app): State<App>,
    PathParams((hunter, quest)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<Proof>,
) -> Result<Response, Problem> {
    let stream = stream_of(&hunter)?;
    caller.acts_as(&stream, &hunter)?;
    let key = input.key(&caller);
    claim(&app, &caller, &hunter, &quest, Some(&input.value)).await?;
    let command = QuestCommand::AddProof { quest: quest.into(), proof: input.value };
    judged(&app.clerk.submit(petition(&app, &caller, stream, command, key)).await?)
}

/// Lists the logs of a hunter, the latest first.
///
/// Private logs are visible to the hunter, their app, judges and admins only.
#[utoipa::path(
    get, path = "/api/v1/hunters/{hunter}/logs", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), HistoryQuery, Pagination),
    responses((status = 200, description = "A page of the history", body = LogHistory), Unknown),
    security((), ("bearer" = []))
)]
pub(crate) async fn list_hunter_logs(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    QueryParams(which): QueryParams<HistoryQuery>,
    caller: Result<Caller, Problem>,
) -> Result<Json<LogHistory>, Problem> {
    let stream = stream_of(&hunter)?;
    let with_private = caller.is_ok_and(|caller| caller.sees_private(&stream, &hunter));
    let mut logs = look(&app, &hunter, move |seen| seen.history(with_private)).await?;
    logs.retain(|log| which.status.is_none_or(|status| log.status == status));
    logs.retain(|log| which.quest_type.is_none_or(|quest_type| log.quest_type == quest_type));
    let total = logs.len();
    let logs = logs.into_iter().skip(which.window.offset()).take(which.window.limit()).collect();
    Ok(Json(LogHistory { total, logs }))
}

/// Reads a log with its latest verdict.
#[utoipa::path(
    get, path = "/api/v1/hunters/{hunter}/logs/{quest}", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), ("quest" = Id, Path, description = "The quest")),
    responses((status = 200, description = "The log", body = LogShown), Unknown),
    security((), ("bearer" = []))
)]
pub(crate) async fn read_hunter_log(
    State(app): State<App>,
    PathParams((hunter, quest)): PathParams<(String, String)>,
    caller: Result<Caller, Problem>,
) -> Result<Json<LogShown>, Problem> {
    let stream = stream_of(&hunter)?;
    let inside = caller.is_ok_and(|caller| caller.sees_private(&stream, &hunter));
    let name = quest.clone();
    let log = look(&app, &hunter, move |seen| seen.log(&name)).await?;
    let log = log.filter(|log| inside || !log.private);
    let log = log.ok_or_else(|| Problem::not_found(format!("there is no log of quest `{quest}`")))?;
    let first = log.position;
    let last = log.last_position;
    let read = move |app: &App| {
        let first = record_at(app, first)?;
        let last = record_at(app, last)?;
        let written = if inside { feedback(app, &first)? } else { None };
        Ok((first, last, written))
    };
    let (first, last, user_feedback) = blocking(&app, read).await?;
    let verdict =
        last.draft.verdict.as_deref().ok_or_else(|| Problem::internal("a log without a verdict"))?;
    Ok(Json(LogShown { log, event: raw(&first.draft.body)?, verdict: raw(verdict)?, user_feedback }))
}

/// Claims media for a log: the first use wins, decided in the stream of the media's digest.
async fn claim(
    app: &App,
    caller: &Caller,
    hunter: &str,
    quest: &str,
    proof: Option<&Proof>,
) -> Result<(), Problem> {
    let Some((proof, digest)) = proof.and_then(|proof| Some((proof, proof.sha256?))) else { return Ok(()) };
    check_kind(app, proof, &digest).await?;
    let stream = StreamId::new("quest", &digest.to_string());
    let stream = stream.map_err(|error| Problem::internal(&error.to_string()))?;
    let command = QuestCommand::ClaimMedia { hunter: hunter.into(), quest: quest.into() };
    app.clerk.submit(petition(app, caller, stream, command, None)).await?;
    Ok(())
}

/// Checks that stored media is of the kind the proof claims.
async fn check_kind(app: &App, proof: &Proof, digest: &Digest) -> Result<(), Problem> {
    let Some(media) = &app.media else { return Ok(()) };
    let Some(bytes) = media.get(digest).await? else { return Ok(()) };
    let is_image = kind_of(&bytes).is_some_and(|(kind, _)| kind == MediaKind::Image);
    if is_image == (proof.kind == ProofKind::Photo) {
        return Ok(());
    }
    let found = if is_image { "a picture" } else { "a video" };
    let said = proof.kind.as_str();
    Err(Problem::malformed(format!("the proof is said to be a {said}, and is {found} by its bytes")))
}

fn record_at(app: &App, position: u64) -> Result<Record, Problem> {
    find(app, position)?.ok_or_else(|| Problem::internal("a log without its record"))
}

/// The hunter's text, unless it was erased.
fn feedback(app: &App, record: &Record) -> Result<Option<String>, Problem> {
    let body: serde_json::Value = serde_json::from_str(&record.draft.body)
        .map_err(|error| Problem::internal(&format!("a record is no JSON: {error}")))?;
    let digest = body.pointer("/LogJudged/submission/feedback").and_then(serde_json::Value::as_str);
    let Some(digest) = digest.and_then(|digest| digest.parse::<Digest>().ok()) else { return Ok(None) };
    Ok(app.ledger.personal(&digest)?.map(|personal| personal.text))
}

impl FromQuery for HistoryQuery {
    const KNOWN: &'static str = "there are `status`, `quest_type`, `offset` and `limit`";

    fn take(&mut self, name: &str, value: &str) -> Result<bool, Problem> {
        let wrong = |known: &str| {
            Problem::malformed(format!(
                "the query cannot be read: `{name}` must be one of {known}, is `{value}`"
            ))
        };
        match name {
            "status" => {
                let all = [Status::Approved, Status::Rejected, Status::Flagged, Status::PendingVerification];
                let found = all.into_iter().find(|status| status.as_str() == value);
                self.status =
                    Some(found.ok_or_else(|| wrong("APPROVED, REJECTED, FLAGGED, PENDING_VERIFICATION"))?);
            }
            "quest_type" => {
                let all = [QuestType::Daily, QuestType::Penalty, QuestType::RankUp];
                let found = all.into_iter().find(|quest_type| quest_type.as_str() == value);
                self.quest_type = Some(found.ok_or_else(|| wrong("Daily, Penalty, RankUp"))?);
            }
            _ => return self.window.take(name, value),
        }
        Ok(true)
    }
}
