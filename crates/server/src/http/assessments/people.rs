//! People as assessors: leases the next submission with its questions, and takes in the findings.

use assize_kernel::{
    Assessor, BenchCommand, BenchState, Millis, Moment, PERSON, Questionnaire, StreamId, Testimony, to_json,
};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::super::access::Act;
use super::super::caller::Caller;
use super::super::contest::contests::Nothing;
use super::super::input::{IdempotencyKey, Input};
use super::super::openapi::{Conflict, Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::records::{Receipt, find};
use super::super::schemas::{AnyObject, Id};
use super::super::submit::last;
use super::super::{App, blocking};
use super::placing::book_of;
use super::shown::received;
use super::{anywhere, bench, petition, streams};
use assize_engine::ClerkError;
use assize_engine::assessing::sealed;

/// How long a person's lease on a submission lasts.
const LEASE: Millis = Millis(15 * 60 * 1000);
/// How often a lease is retried after another person took the submission first.
const TRIES: usize = 8;

/// A submission leased to a person, and the questions about it.
#[derive(Serialize, ToSchema)]
pub(crate) struct AssessmentTaken {
    id: u64,
    /// When the lease expires.
    until: Moment,
    /// The questions:
    /// `{"sources": [{"name", "text"}], "items": [{"id", "kind", "about", "choice", "source"?}]}`
    #[schema(value_type = AnyObject)]
    asked: Questionnaire,
}

/// The findings of a person.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HandFindings {
    /// The answers:
    /// `{"claim_1": {"quote": "…", "label": "Supported"}, "support": {"number": 80}, …}`
    #[schema(value_type = AnyObject)]
    answers: Value,
}

/// A recorded change.
#[derive(Serialize, ToSchema)]
pub(crate) struct AssessmentRecorded {
    receipt: Receipt,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// Takes the next submission for a person; a caller who already holds one gets it again.
#[utoipa::path(
    post, path = "/api/v1/assessments/{court}/take", tag = "assessments",
    params(("court" = Id, Path, description = "The court"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The submission, leased for 15 minutes", body = AssessmentTaken), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn take_assessment(
    State(app): State<App>,
    PathParams(court): PathParams<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<AssessmentTaken>, Problem> {
    caller.may(Act::AssessByHand, &anywhere(&court)?)?;
    let key = input.key(&caller);
    for _ in 0..TRIES {
        let Some((stream, id)) = next(&app, &caller, &court).await? else { break };
        let Some((document, _)) = kept(&app, id).await? else {
            // The text was erased: the submission is withdrawn so that it does not block the queue.
            let command = BenchCommand::Withdraw { id, reason: "its text was erased".to_owned() };
            match app.clerk.submit(petition(&app, &caller, stream, command, None)).await {
                Ok(_) | Err(ClerkError::Refused(_)) => continue,
                Err(error) => return Err(error.into()),
            }
        };
        let until = app.clerk.now() + LEASE;
        let assessor = caller.actor.to_string().into();
        let command = BenchCommand::Begin { id, assessor, person: true, until };
        match app.clerk.submit(petition(&app, &caller, stream.clone(), command, key.clone())).await {
            // Another person took it first.
            Err(ClerkError::Refused(_)) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => {
                let asked = ask(&app, &court, &stream, &document).await?;
                return Ok(Json(AssessmentTaken { id, until, asked }));
            }
        }
    }
    let status = axum::http::StatusCode::NOT_FOUND;
    Err(Problem::new(status, "assessment.none_waiting", "nothing waits for you"))
}

/// Gives a submission back.
#[utoipa::path(
    post, path = "/api/v1/assessments/{court}/{id}/give-back", tag = "assessments",
    params(("court" = Id, Path, description = "The court"), ("id" = u64, Path, description = "The submission"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The submission was given back", body = AssessmentRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn give_back_assessment(
    State(app): State<App>,
    PathParams((court, id)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<AssessmentRecorded>, Problem> {
    caller.may(Act::AssessByHand, &anywhere(&court)?)?;
    let (id, record) = received(&app, &court, &id).await?;
    let command = BenchCommand::GiveBack { id, assessor: caller.actor.to_string().into() };
    let petition = petition(&app, &caller, record.draft.stream.clone(), command, input.key(&caller));
    let answer = app.clerk.submit(petition).await?;
    Ok(Json(AssessmentRecorded { receipt: Receipt::of(last(&answer)?), repeated: answer.repeated }))
}

/// Reports the findings of a person, which take precedence over those of models.
#[utoipa::path(
    post, path = "/api/v1/assessments/{court}/{id}/findings", tag = "assessments",
    params(("court" = Id, Path, description = "The court"), ("id" = u64, Path, description = "The submission"), IdempotencyKey),
    request_body = HandFindings,
    responses((status = 200, description = "The findings were recorded; with the verdict, if no other assessor is asked", body = AnyObject), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn report_findings(
    State(app): State<App>,
    PathParams((court, id)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<HandFindings>,
) -> Result<Response, Problem> {
    caller.may(Act::AssessByHand, &anywhere(&court)?)?;
    let (id, record) = received(&app, &court, &id).await?;
    let (document, subject) = document(&app, id).await?;
    let key = input.key(&caller);
    let answers = input.value.answers;
    let mut personal = Vec::new();
    if let Some(subject) = subject {
        personal.push(sealed(subject, to_json(&answers))?);
    }
    let person = Assessor { name: PERSON.into(), version: caller.actor.to_string().into() };
    let personal_digest = personal.first().map(assize_kernel::Personal::digest);
    let testimony = Testimony { answer: Some(answers), personal: personal_digest, ..Testimony::of(person) };
    let command = BenchCommand::Report { id, document, testimony: Box::new(testimony) };
    let petition = petition(&app, &caller, record.draft.stream.clone(), command, key);
    let answer = app.clerk.submit(assize_engine::Petition { personal, ..petition }).await?;
    // Wake the assessing task: the verdict may have to be delivered to another stream.
    app.assessing.call();
    let last = last(&answer)?;
    let verdict = last.draft.verdict.as_deref().unwrap_or("null");
    let receipt = Receipt::of(last).to_text();
    let repeated = answer.repeated;
    let body = format!(r#"{{"receipt":{receipt},"verdict":{verdict},"repeated":{repeated}}}"#);
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// The oldest submission for which this person may give findings, or which they hold.
async fn next(app: &App, caller: &Caller, court: &str) -> Result<Option<(StreamId, u64)>, Problem> {
    let mut oldest: Option<(u64, StreamId)> = None;
    for stream in streams(app, court).await? {
        let person = caller.actor.to_string();
        let look = move |state: &BenchState| {
            let held = state.begun.iter().find(|begun| begun.assessor == person).map(|begun| begun.id);
            held.or_else(|| state.next_for_person(&person).next().map(|(id, _)| id))
        };
        if let Some(id) = app.clerk.inspect(stream.clone(), look).await?
            && oldest.as_ref().is_none_or(|(other, _)| id < *other)
        {
            oldest = Some((id, stream));
        }
    }
    Ok(oldest.map(|(id, stream)| (stream, id)))
}

/// The document of a submission, and the subject of its personal text.
async fn document(app: &App, id: u64) -> Result<(String, Option<String>), Problem> {
    let found = kept(app, id).await?;
    found.ok_or_else(|| Problem::not_found(format!("the text of submission `{id}` was erased")))
}

/// Like `document`, but none when the text was erased.
async fn kept(app: &App, id: u64) -> Result<Option<(String, Option<String>)>, Problem> {
    let read = move |app: &App| {
        let record = find(app, id)?;
        let event = record.and_then(|record| serde_json::from_str(&record.draft.body).ok());
        let Some(assize_kernel::BenchEvent::SubmissionReceived { document, personal, .. }) = event else {
            return Ok(None);
        };
        if let Some(document) = document {
            return Ok(Some((document, None)));
        }
        let kept = personal.map(|digest| app.ledger.personal(&digest)).transpose()?.flatten();
        Ok(kept.map(|kept| (kept.text, Some(kept.subject))))
    };
    blocking(app, read).await
}

async fn ask(app: &App, court: &str, stream: &StreamId, document: &str) -> Result<Questionnaire, Problem> {
    let reference = app.clerk.inspect(stream.clone(), |state: &BenchState| state.rulebook.clone()).await?;
    let reference = reference.ok_or_else(|| Problem::internal("a bench without a rulebook"))?;
    let book = book_of(app, court, reference.hash).await?;
    let document = document.to_owned();
    let face = bench(app, court)?.face.clone();
    blocking(app, move |_| Ok(face.ask(&book, &document)?)).await
}
