//! Logs over HTTP: submitted, seen as a match history, and proven later.

use assize_courts::quest::{
    self, Log, LogView, Proof, ProofKind, QuestCommand, QuestType, Status, Submission,
};
use assize_kernel::{Digest, Record, StreamId};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::super::address::Address;
use super::super::caller::Caller;
use super::super::document::{Conflict, Forbidden, Unknown};
use super::super::input::{IdempotencyKey, Input};
use super::super::problem::Problem;
use super::super::query::{Asked, Parameters, Window};
use super::super::records::{find, raw};
use super::super::shapes::{AnyObject, Id, Verdict, quest as shapes};
use super::super::{App, blocking};
use super::{Judged, judged, look, petition, sealed, stream_of, today};
use crate::Petition;
use crate::media::{MediaKind, kind_of};

/// What somebody did.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct NewLog {
    #[schema(value_type = shapes::Log)]
    log: Log,
    /// Whether nobody else is to see it.
    #[serde(default)]
    private: bool,
}

/// Which logs.
#[derive(Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in super::super) struct Which {
    /// With this status only.
    #[param(inline, value_type = Option<shapes::Status>)]
    status: Option<Status>,
    /// Of such quests only.
    #[param(inline, value_type = Option<shapes::QuestType>)]
    quest_type: Option<QuestType>,
    #[param(ignore)]
    pub(in super::super) window: Window,
}

/// A page of a match history, the latest first.
#[derive(Serialize, ToSchema)]
pub(in super::super) struct History {
    /// How many there are.
    pub(in super::super) total: usize,
    #[schema(value_type = Vec<shapes::LogLine>)]
    pub(in super::super) logs: Vec<LogView>,
}

/// A log with its verdict.
#[derive(Serialize, ToSchema)]
pub(in super::super) struct LogShown {
    #[schema(value_type = shapes::LogLine)]
    pub(in super::super) log: LogView,
    /// What was submitted, and what came of it.
    #[schema(value_type = AnyObject)]
    pub(in super::super) event: Box<RawValue>,
    #[schema(value_type = Verdict<AnyObject>)]
    pub(in super::super) verdict: Box<RawValue>,
    /// What they wrote, for themselves, their app and judges; null for others, and when it was erased.
    #[schema(required = true)]
    pub(in super::super) user_feedback: Option<String>,
}

/// Judges what a hunter did.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/quests/{quest}/log", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), ("quest" = Id, Path, description = "The quest"), IdempotencyKey),
    request_body = NewLog,
    responses((status = 200, description = "It was judged", body = Judged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn submit_log(
    State(app): State<App>,
    Address((hunter, quest)): Address<(String, String)>,
    caller: Caller,
    input: Input<NewLog>,
) -> Result<Response, Problem> {
    let stream = stream_of(&hunter)?;
    caller.acts_as(&stream, &hunter)?;
    let key = input.key(&caller);
    let NewLog { mut log, private } = input.value;
    let zone = look(&app, &hunter, |seen| seen.zone().to_owned()).await?;
    let day = today(&app, &zone)?;
    claim(&app, &caller, (&hunter, &quest), log.proof.as_ref()).await?;
    let text = log.user_feedback.take().filter(|text| !text.trim().is_empty());
    // Reading takes its time: it is done here, and not while others wait for the clerk.
    let reading = text.as_deref().map(quest::read).unwrap_or_default();
    let (personal, feedback) = sealed(&hunter, text)?;
    let submission = Submission { quest: quest.into(), log, day, private, feedback, reading };
    let command = QuestCommand::SubmitLog(submission);
    let petition = Petition { personal, ..petition(&app, &caller, stream, command, key) };
    judged(&app.clerk.hear(petition).await?)
}

/// Adds proof to a flagged log, which judges it again.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/logs/{quest}/proof", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), ("quest" = Id, Path, description = "The quest"), IdempotencyKey),
    request_body = shapes::Proof,
    responses((status = 200, description = "It was judged again", body = Judged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn add_proof(
    State(app): State<App>,
    Address((hunter, quest)): Address<(String, String)>,
    caller: Caller,
    input: Input<Proof>,
) -> Result<Response, Problem> {
    let stream = stream_of(&hunter)?;
    caller.acts_as(&stream, &hunter)?;
    let key = input.key(&caller);
    claim(&app, &caller, (&hunter, &quest), Some(&input.value)).await?;
    let command = QuestCommand::AddProof { quest: quest.into(), proof: input.value };
    judged(&app.clerk.hear(petition(&app, &caller, stream, command, key)).await?)
}

/// The match history of a hunter; private logs for themselves, their app and judges.
#[utoipa::path(
    get, path = "/api/v1/hunters/{hunter}/logs", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), Which, Window),
    responses((status = 200, description = "A page of the history", body = History), Unknown),
    security((), ("bearer" = []))
)]
pub(in super::super) async fn list_hunter_logs(
    State(app): State<App>,
    Address(hunter): Address<String>,
    Asked(which): Asked<Which>,
    caller: Result<Caller, Problem>,
) -> Result<Json<History>, Problem> {
    let stream = stream_of(&hunter)?;
    let with_private = caller.is_ok_and(|caller| caller.sees_private(&stream, &hunter));
    let mut logs = look(&app, &hunter, move |seen| seen.history(with_private)).await?;
    logs.retain(|log| which.status.is_none_or(|status| log.status == status));
    logs.retain(|log| which.quest_type.is_none_or(|quest_type| log.quest_type == quest_type));
    let total = logs.len();
    let logs = logs.into_iter().skip(which.window.offset()).take(which.window.limit()).collect();
    Ok(Json(History { total, logs }))
}

/// A log with its latest verdict.
#[utoipa::path(
    get, path = "/api/v1/hunters/{hunter}/logs/{quest}", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), ("quest" = Id, Path, description = "The quest")),
    responses((status = 200, description = "The log", body = LogShown), Unknown),
    security((), ("bearer" = []))
)]
pub(in super::super) async fn read_hunter_log(
    State(app): State<App>,
    Address((hunter, quest)): Address<(String, String)>,
    caller: Result<Caller, Problem>,
) -> Result<Json<LogShown>, Problem> {
    let stream = stream_of(&hunter)?;
    let inside = caller.is_ok_and(|caller| caller.sees_private(&stream, &hunter));
    let name = quest.clone();
    let log = look(&app, &hunter, move |seen| seen.log(&name)).await?;
    let log = log.filter(|log| inside || !log.private);
    let log = log.ok_or_else(|| Problem::not_found(format!("there is no log of quest `{quest}`")))?;
    let (first, last) = (log.position, log.last_position);
    let read = move |app: &App| {
        let (first, last) = (record_at(app, first)?, record_at(app, last)?);
        let written = if inside { feedback(app, &first)? } else { None };
        Ok((first, last, written))
    };
    let (first, last, user_feedback) = blocking(&app, read).await?;
    let verdict =
        last.draft.verdict.as_deref().ok_or_else(|| Problem::internal("a log without a verdict"))?;
    Ok(Json(LogShown { log, event: raw(&first.draft.body)?, verdict: raw(verdict)?, user_feedback }))
}

/// The first to use a picture or a video has it: its own stream decides.
async fn claim(
    app: &App,
    caller: &Caller,
    (hunter, quest): (&str, &str),
    proof: Option<&Proof>,
) -> Result<(), Problem> {
    let Some((proof, digest)) = proof.and_then(|proof| Some((proof, proof.sha256?))) else { return Ok(()) };
    check_kind(app, proof, &digest).await?;
    let stream = StreamId::new("quest", &digest.to_string());
    let stream = stream.map_err(|error| Problem::internal(&error.to_string()))?;
    let command = QuestCommand::ClaimMedia { hunter: hunter.into(), quest: quest.into() };
    app.clerk.hear(petition(app, caller, stream, command, None)).await?;
    Ok(())
}

/// What is kept here must be what it is said to be.
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

/// What the hunter wrote, unless it was erased.
fn feedback(app: &App, record: &Record) -> Result<Option<String>, Problem> {
    let body: serde_json::Value = serde_json::from_str(&record.draft.body)
        .map_err(|error| Problem::internal(&format!("a record is no JSON: {error}")))?;
    let digest = body.pointer("/LogJudged/submission/feedback").and_then(serde_json::Value::as_str);
    let Some(digest) = digest.and_then(|digest| digest.parse::<Digest>().ok()) else { return Ok(None) };
    Ok(app.ledger.personal(&digest)?.map(|personal| personal.text))
}

impl Parameters for Which {
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
