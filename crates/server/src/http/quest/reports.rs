//! Reports over HTTP: filed in the reporter's stream, then received in the reported hunter's stream.

use assize_courts::quest::QuestCommand;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::App;
use super::super::caller::Caller;
use super::super::input::{IdempotencyKey, Input};
use super::super::openapi::{Conflict, Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::schemas::Id;
use super::super::submit::last;
use super::{HunterJudged, judged, look, petition, sealed, stream_of};
use assize_engine::{Answer, Petition};

/// A report about a log.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewReport {
    /// The reason, from the rulebook's list.
    #[schema(min_length = 1, max_length = 64)]
    reason: String,
    /// The reporter's own words: stored as personal text, which can be erased.
    #[schema(max_length = 4_000)]
    text: Option<String>,
    /// The reporter; required with an app's or an admin's token. With a hunter's token it is that hunter.
    #[schema(value_type = Option<Id>)]
    reporter: Option<String>,
}

/// Reports a log.
///
/// The `detail` of the verdict is the effect of the report.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/logs/{quest}/reports", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter of the log"), ("quest" = Id, Path, description = "The quest"), IdempotencyKey),
    request_body = NewReport,
    responses((status = 200, description = "The report was received", body = HunterJudged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn report_log(
    State(app): State<App>,
    PathParams((hunter, quest)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<NewReport>,
) -> Result<Response, Problem> {
    let key = input.key(&caller);
    let NewReport { reason, text, reporter } = input.value;
    let reporter = caller.reports_as(reporter.as_deref())?;
    let own = stream_of(&reporter)?;
    caller.acts_as(&own, &reporter)?;
    let stream = stream_of(&hunter)?;
    let name = quest.clone();
    let seen = look(&app, &hunter, move |seen| seen.log(&name).is_some_and(|log| !log.private)).await?;
    if !seen {
        return Err(Problem::not_found(format!("there is no log of quest `{quest}`")));
    }
    // First the reporter's stream, which counts their reports; a repeat after a lost response is not counted
    // twice.
    let file = QuestCommand::FileReport {
        hunter: hunter.as_str().into(),
        quest: quest.as_str().into(),
        reason: reason.as_str().into(),
    };
    let filed = app.clerk.submit(petition(&app, &caller, own, file, None)).await?;
    let weight = weight_of(&filed)?;
    let (personal, note) = sealed(&reporter, text)?;
    let reporter = reporter.into();
    let quest = quest.into();
    let reason = reason.into();
    let receive = QuestCommand::ReceiveReport { reporter, quest, reason, weight, note };
    let petition = Petition { personal, ..petition(&app, &caller, stream, receive, key) };
    judged(&app.clerk.submit(petition).await?)
}

/// The weight of the report, as recorded in the reporter's stream.
fn weight_of(filed: &Answer) -> Result<f64, Problem> {
    let body: serde_json::Value = serde_json::from_str(&last(filed)?.draft.body)
        .map_err(|error| Problem::internal(&format!("a record is no JSON: {error}")))?;
    let weight = body.pointer("/ReportFiled/weight").and_then(serde_json::Value::as_f64);
    weight.ok_or_else(|| Problem::internal("a report without a weight"))
}
