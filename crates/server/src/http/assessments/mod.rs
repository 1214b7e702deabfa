//! Assessments over HTTP: submissions to assessors, the bench that waits for them, and their outcomes.

pub(crate) mod people;
pub(crate) mod placing;
pub(crate) mod shown;

use assize_kernel::{SmolStr, StreamId};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::access::Act;
use super::caller::Caller;
use super::courts::rulebook_of;
use super::input::{IdempotencyKey, Input};
use super::openapi::{Conflict, Forbidden, Unknown};
use super::path::PathParams;
use super::problem::Problem;
use super::query::{FromQuery, QueryParams};
use super::schemas::{AnyObject, Id};
use super::submit::petition;
use super::{App, blocking};
use assize_engine::assessing::{Bench, bench_streams};
use placing::{AssessmentReceived, AssessmentRequest, panel, place};

/// A document to be assessed, and its assessors.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAssessment {
    /// The document, in the format of `assize judge` and without findings.
    #[schema(value_type = AnyObject)]
    document: Box<RawValue>,
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

/// Query parameters of a submission for assessment.
#[derive(Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AssessmentQuery {
    /// The name of a shipped rulebook; defaults to the court's default rulebook.
    #[param(value_type = Option<Id>)]
    rulebook: Option<String>,
}

/// Submits a document for assessment.
///
/// The submission is on disk before any assessor is asked. An assessor that is unavailable delays the
/// verdict; nothing is lost.
#[utoipa::path(
    post, path = "/api/v1/assessments/{court}", tag = "assessments",
    params(("court" = Id, Path, description = "The court"), AssessmentQuery, IdempotencyKey),
    request_body = NewAssessment,
    responses((status = 202, description = "The submission waits for its assessors", body = AssessmentReceived), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn submit_assessment(
    State(app): State<App>,
    PathParams(court): PathParams<String>,
    QueryParams(AssessmentQuery { rulebook }): QueryParams<AssessmentQuery>,
    caller: Caller,
    input: Input<NewAssessment>,
) -> Result<(StatusCode, Json<AssessmentReceived>), Problem> {
    caller.may(Act::AskAssessors, &anywhere(&court)?)?;
    bench(&app, &court)?;
    let book = match rulebook {
        Some(name) => rulebook_of(&app, &court, &name)?,
        None => app.courts.default_rulebook(&court).cloned().ok_or_else(|| unknown_court(&court))?,
    };
    let key = input.key(&caller);
    let NewAssessment { document, assessors, people, threshold } = input.value;
    let document = document.get().to_owned();
    let panel = panel(assessors, people, threshold);
    let wanted = AssessmentRequest { document, panel, destination: None, subject: None };
    let received = place(&app, &caller, &court, book, wanted, key).await?;
    Ok((StatusCode::ACCEPTED, Json(received)))
}

/// The bench of a court.
fn bench<'a>(app: &'a App, court: &str) -> Result<&'a Bench, Problem> {
    app.assessing.bench(court).ok_or_else(|| unknown_court(court))
}

/// The streams of a court in which submissions may wait.
async fn streams(app: &App, court: &str) -> Result<Vec<StreamId>, Problem> {
    let face = bench(app, court)?.face.clone();
    blocking(app, move |app| Ok(bench_streams(&*face, &app.courts, &*app.ledger)?)).await
}

fn unknown_court(court: &str) -> Problem {
    Problem::not_found(format!(
        "there is no court `{court}` that asks assessors; quest, radio and summary do"
    ))
}

/// The scope that a token needs for the assessments of a court.
fn anywhere(court: &str) -> Result<StreamId, Problem> {
    StreamId::new(court, "any").map_err(|error| Problem::malformed(error.to_string()))
}

pub(crate) fn no_assessor(app: &App, name: &str) -> Problem {
    let known: Vec<&str> = app.assessing.models().all().map(|model| model.name()).collect();
    let there =
        if known.is_empty() { "none is set up".to_owned() } else { format!("there is {}", known.join(", ")) };
    Problem::malformed(format!("there is no assessor `{name}`; {there}"))
}

impl FromQuery for AssessmentQuery {
    const KNOWN: &'static str = "there is `rulebook`";

    fn take(&mut self, name: &str, value: &str) -> Result<bool, Problem> {
        if name == "rulebook" {
            self.rulebook = Some(value.to_owned());
        }
        Ok(name == "rulebook")
    }
}
