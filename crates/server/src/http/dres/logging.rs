//! Interaction and result logs of DRES clients, stored for later analysis.

use assize_kernel::{StreamId, to_json};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::guest::DresCaller;
use super::said::{ErrorStatus, SuccessStatus};
use crate::http::App;
use crate::http::input::{IdempotencyKey, Input};
use crate::http::object::Object;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use assize_engine::clerk::{RAW_LOG, RawEntry};
use assize_engine::{Petition, RequestKey};

/// A log of a user's interactions with a tool. Unknown fields are ignored, at any depth.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = DresQueryLog)]
pub(super) struct QueryEventLog {
    /// The time by the clock of the tool, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<QueryEvent>>)]
    events: Option<Vec<Object<QueryEvent>>>,
}

/// A log of the results of a tool, in the tool's order.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DresResultLog)]
pub(super) struct QueryResultLog {
    /// The time by the clock of the tool, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sort_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_set_availability: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<RankedAnswer>>)]
    results: Option<Vec<Object<RankedAnswer>>>,
    /// The interactions that led to the results.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<QueryEvent>>)]
    events: Option<Vec<Object<QueryEvent>>>,
}

/// An interaction.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = DresQueryEvent)]
struct QueryEvent {
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<QueryCategory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

/// The category of an interaction.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = DresCategory)]
enum QueryCategory {
    Text,
    Image,
    Sketch,
    Filter,
    Browsing,
    Cooperation,
    Other,
}

/// A result.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = DresRankedAnswer)]
struct RankedAnswer {
    #[schema(value_type = LoggedAnswer)]
    answer: Object<LoggedAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<i32>,
}

/// The answer that a result would give.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DresLoggedAnswer)]
struct LoggedAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    media_item_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    media_item_collection_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<i64>,
}

/// Stores a log of a user's interactions.
#[utoipa::path(
    post, path = "/api/v2/log/query/{evaluationId}", tag = "dres",
    params(("evaluationId" = String, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<QueryEventLog>,
    responses(
        (status = 200, description = "The log was stored", body = SuccessStatus),
        (status = 404, description = "No such contest", body = ErrorStatus),
    ),
    security(("dres_session" = []))
)]
pub(crate) async fn log_queries(
    State(app): State<App>,
    PathParams(evaluation): PathParams<String>,
    guest: DresCaller,
    input: Input<Object<QueryEventLog>>,
) -> Result<Json<SuccessStatus>, Problem> {
    let key = input.key(&guest.caller);
    keep(&app, &guest, &evaluation, "QueriesLogged", &input.value, key).await
}

/// Stores a log of a tool's results.
#[utoipa::path(
    post, path = "/api/v2/log/result/{evaluationId}", tag = "dres",
    params(("evaluationId" = String, Path, description = "The contest"), IdempotencyKey),
    request_body = Option<QueryResultLog>,
    responses(
        (status = 200, description = "The log was stored", body = SuccessStatus),
        (status = 404, description = "No such contest", body = ErrorStatus),
    ),
    security(("dres_session" = []))
)]
pub(crate) async fn log_results(
    State(app): State<App>,
    PathParams(evaluation): PathParams<String>,
    guest: DresCaller,
    input: Input<Object<QueryResultLog>>,
) -> Result<Json<SuccessStatus>, Problem> {
    let key = input.key(&guest.caller);
    keep(&app, &guest, &evaluation, "ResultsLogged", &input.value, key).await
}

/// Stores the log in a stream beside the contest; it never affects a verdict.
async fn keep(
    app: &App,
    guest: &DresCaller,
    evaluation: &str,
    kind: &'static str,
    log: &impl Serialize,
    key: Option<RequestKey>,
) -> Result<Json<SuccessStatus>, Problem> {
    let (contest, team) = guest.team_in(evaluation)?;
    app.front.limits.admit_log(&format!("{contest}/{team}"))?;
    guest.look(app, evaluation, |_| ()).await?;
    let body = to_json(&json!({ kind: { "team": team, "user": guest.caller.name(), "log": log } }));
    let stream =
        StreamId::new(RAW_LOG, contest.name()).map_err(|error| Problem::internal(&error.to_string()))?;
    let note = RawEntry { kind, body };
    let petition = Petition::to_log(stream, note, guest.caller.actor.clone(), app.clerk.now());
    app.clerk.submit(Petition { key, ..petition }).await?;
    Ok(Json(SuccessStatus::new("the log is kept")))
}
