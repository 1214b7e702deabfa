//! Hunters over HTTP: the functions that all their operations share.

pub(crate) mod assessing;
pub(crate) mod exams;
pub(crate) mod logs;
pub(crate) mod media;
pub(crate) mod moderation;
pub(crate) mod personal;
pub(crate) mod profile;
pub(crate) mod quests;
pub(crate) mod reports;

use assize_courts::quest::{Day, Hunter, Quest, QuestState};
use assize_kernel::{Digest, Personal, StreamId, Verdict, to_json};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use utoipa::ToSchema;

use super::App;
use super::contest::teams::seal;
use super::problem::Problem;
use super::records::Receipt;
use super::schemas::AnyObject;
use super::submit::{CommandRecorded, last, petition, recorded};
use assize_engine::Answer;

/// A verdict of the quest court.
#[derive(ToSchema)]
#[schema(as = HunterJudged)]
#[allow(
    dead_code,
    reason = "described here, written by hand: the verdict is passed on as it stands in the ledger"
)]
pub(crate) struct HunterJudged {
    receipt: Receipt,
    verdict: Verdict<AnyObject>,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// The stream of a hunter.
pub(crate) fn stream_of(hunter: &str) -> Result<StreamId, Problem> {
    if Quest::is_media(hunter) {
        return Err(unknown_hunter(hunter));
    }
    StreamId::new("quest", hunter).map_err(|error| Problem::malformed(error.to_string()))
}

pub(crate) fn unknown_hunter(hunter: &str) -> Problem {
    Problem::not_found(format!("there is no hunter `{hunter}`"))
}

/// Reads the state of a hunter; 404 when there is none.
pub(crate) async fn look<T: Send + 'static>(
    app: &App,
    hunter: &str,
    look: impl Fn(&Hunter) -> T + Send + 'static,
) -> Result<T, Problem> {
    let seen =
        app.clerk.inspect(stream_of(hunter)?, move |state: &QuestState| state.hunter().map(&look)).await?;
    seen.ok_or_else(|| unknown_hunter(hunter))
}

/// The current day in a time zone.
pub(crate) fn today(app: &App, zone: &str) -> Result<Day, Problem> {
    let date = assize_engine::clock::date_in(zone, app.clerk.now());
    let (year, month, day) =
        date.ok_or_else(|| Problem::malformed(format!("`{zone}` is no time zone such as Europe/Madrid")))?;
    Ok(Day::of(year.into(), month.into(), day.into()))
}

/// The verdict exactly as the ledger stores it.
pub(crate) fn judged(answer: &Answer) -> Result<Response, Problem> {
    let record = last(answer)?;
    let verdict = record.draft.verdict.as_deref().ok_or_else(|| Problem::internal("no verdict"))?;
    let receipt = to_json(&Receipt::of(record));
    let repeated = answer.repeated;
    let body = format!(r#"{{"receipt":{receipt},"verdict":{verdict},"repeated":{repeated}}}"#);
    Ok((StatusCode::OK, [(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// The subject under which personal texts of a hunter are kept and erased.
pub(crate) fn subject(hunter: &str) -> String {
    format!("quest/{hunter}/{hunter}")
}

/// Personal text, and the digest that replaces it in the chain.
pub(crate) fn sealed(hunter: &str, text: Option<String>) -> Result<(Vec<Personal>, Option<Digest>), Problem> {
    if text.as_ref().is_some_and(|text| text.chars().count() > 4_000) {
        return Err(Problem::malformed("a text has at most 4000 characters"));
    }
    let personal = text.map(|text| seal(subject(hunter), text)).transpose()?;
    let digest = personal.as_ref().map(Personal::digest);
    Ok((personal.into_iter().collect(), digest))
}
