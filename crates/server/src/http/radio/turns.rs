//! Turns over HTTP: the student's calls with their verdicts, and overruling by an instructor.

use assize_courts::radio::{RadioCommand, RadioDetail, RadioFindings, RadioState, SessionView};
use assize_kernel::{Destination, Verdict, to_json};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::App;
use super::super::access::Act;
use super::super::assessments::placing::{
    AssessmentReceived, AssessmentRequest, AssessorChoice, book_of, place,
};
use super::super::caller::Caller;
use super::super::input::{IdempotencyKey, Input};
use super::super::openapi::{Conflict, Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::records::Receipt;
use super::super::schemas::Id;
use super::sessions::{check_own, student_of, view};
use super::{json, petition, stream_of};
use assize_engine::Answer;

/// A transmission by the student.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RadioTransmission)]
pub(crate) struct TransmissionRequest {
    /// The transcript of the transmission.
    #[schema(max_length = 4000)]
    text: String,
    /// The confidence of the speech recogniser, from 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    confidence: Option<f64>,
    /// The student; defaults to the caller, and is required if the caller is an admin or an app.
    #[schema(value_type = Option<Id>)]
    student: Option<String>,
}

/// An instructor's ruling on a turn.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = OverruleTurn)]
pub(crate) struct OverruleTurnRequest {
    /// The findings of the instructor.
    findings: RadioFindings,
    /// The reason.
    #[schema(min_length = 1)]
    reason: String,
}

/// Submits a transmission, which is judged at once.
#[utoipa::path(
    post, path = "/api/v1/radio/classes/{class}/sessions/{session}/turns", tag = "radio",
    params(("class" = Id, Path, description = "The class"), ("session" = Id, Path, description = "The session"), IdempotencyKey),
    request_body = TransmissionRequest,
    responses((status = 200, description = "The transmission was judged", body = TurnJudged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn transmit_call(
    State(app): State<App>,
    PathParams((class, session)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<TransmissionRequest>,
) -> Result<Response, Problem> {
    let stream = stream_of(&class)?;
    let key = input.key(&caller);
    let student = student_of(&caller, &stream, input.value.student.as_deref())?;
    check_own(&app, &caller, &stream, &session, &student).await?;
    let TransmissionRequest { text, confidence, .. } = input.value;
    let command = RadioCommand::Transmit {
        session: session.as_str().into(),
        student: student.into(),
        text,
        confidence,
        findings: None,
    };
    let answer = app.clerk.submit(petition(&app, &caller, stream.clone(), command, key)).await?;
    let now = view(&app, stream, &session).await?;
    judged(&answer, &now)
}

/// The verdict on a turn, with the session after it.
#[derive(ToSchema)]
#[allow(dead_code, reason = "described here, written below")]
pub(crate) struct TurnJudged {
    receipt: Receipt,
    verdict: Verdict<RadioDetail>,
    session: SessionView,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// Overrules the verdict on a turn, with a reason; the original verdict stays visible.
#[utoipa::path(
    post, path = "/api/v1/radio/classes/{class}/sessions/{session}/turns/{turn}/overrule", tag = "radio",
    params(
        ("class" = Id, Path, description = "The class"),
        ("session" = Id, Path, description = "The session"),
        ("turn" = u32, Path, description = "The number of the turn, from 1"),
        IdempotencyKey
    ),
    request_body = OverruleTurnRequest,
    responses((status = 200, description = "The turn was judged again", body = TurnJudged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn overrule_turn(
    State(app): State<App>,
    PathParams((class, session, turn)): PathParams<(String, String, String)>,
    caller: Caller,
    input: Input<OverruleTurnRequest>,
) -> Result<Response, Problem> {
    let stream = stream_of(&class)?;
    caller.may(Act::OverruleTurn, &stream)?;
    let key = input.key(&caller);
    let turn = turn.parse().map_err(|_| Problem::not_found(format!("there is no turn `{turn}`")))?;
    let OverruleTurnRequest { findings, reason } = input.value;
    let command = RadioCommand::OverruleTurn { session: session.as_str().into(), turn, findings, reason };
    let answer = app.clerk.submit(petition(&app, &caller, stream.clone(), command, key)).await?;
    let now = view(&app, stream, &session).await?;
    judged(&answer, &now)
}

/// Asks assessors about a turn.
///
/// When they have answered, the turn is overruled by their findings. Until then, and if their answer is not
/// usable, the reader's verdict counts.
#[utoipa::path(
    post, path = "/api/v1/radio/classes/{class}/sessions/{session}/turns/{turn}/assess", tag = "radio",
    params(
        ("class" = Id, Path, description = "The class"),
        ("session" = Id, Path, description = "The session"),
        ("turn" = u32, Path, description = "The number of the turn, from 1"),
        IdempotencyKey
    ),
    request_body = AssessorChoice,
    responses((status = 202, description = "The turn waits for its assessors", body = AssessmentReceived), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn assess_turn(
    State(app): State<App>,
    PathParams((class, session, turn)): PathParams<(String, String, String)>,
    caller: Caller,
    input: Input<AssessorChoice>,
) -> Result<(StatusCode, Json<AssessmentReceived>), Problem> {
    let stream = stream_of(&class)?;
    caller.may(Act::OverruleTurn, &stream)?;
    let key = input.key(&caller);
    let panel = input.value.panel();
    let unknown = || Problem::not_found(format!("there is no turn `{turn}` in the session `{session}`"));
    let number: u32 = turn.parse().map_err(|_| unknown())?;
    let name = session.clone();
    let look = move |state: &RadioState| {
        let document = state.session(&name).map(|session| (session.turns.len(), session.document(number)));
        (state.rulebook().map(|rulebook| rulebook.hash), document)
    };
    let (hash, found) = app.clerk.inspect(stream.clone(), look).await?;
    let (Some(hash), Some((turns, document))) = (hash, found) else { return Err(unknown()) };
    if number == 0 || usize::try_from(number).map_or(true, |number| number > turns) {
        return Err(unknown());
    }
    let document = document.ok_or_else(|| {
        Problem::malformed(
            "only calls that answer a controller, or of a scenario that ships, can be assessed",
        )
    })?;
    let stream = stream.as_str().into();
    let item = session.into();
    let part = Some(turn.as_str().into());
    let destination = Some(Destination { stream, item, part });
    let wanted = AssessmentRequest { document, panel, destination, subject: None };
    let book = book_of(&app, "radio", hash).await?;
    let received = place(&app, &caller, "radio", book, wanted, key).await?;
    Ok((StatusCode::ACCEPTED, Json(received)))
}

/// The verdict as stored in the ledger, with the session after it.
fn judged(answer: &Answer, session: &str) -> Result<Response, Problem> {
    let found = answer.records.iter().find_map(|record| Some((record, record.draft.verdict.as_deref()?)));
    let (record, verdict) = found.ok_or_else(|| Problem::internal("a turn without a verdict"))?;
    let receipt = to_json(&Receipt::of(record));
    let repeated = answer.repeated;
    Ok(json(format!(
        r#"{{"receipt":{receipt},"verdict":{verdict},"session":{session},"repeated":{repeated}}}"#
    )))
}
