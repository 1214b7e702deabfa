//! Radio sessions over HTTP: starting one, and reading it turn by turn.

use assize_courts::radio::{RadioCommand, RadioRefusal, RadioState, SessionDifficulty, SessionView};
use assize_kernel::{Refusal, Role, StreamId, to_json};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::App;
use super::super::caller::Caller;
use super::super::input::{IdempotencyKey, Input};
use super::super::openapi::{Conflict, Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::records::Receipt;
use super::super::schemas::Id;
use super::{CommandRecorded, json, petition, recorded, stream_of};

/// A session to start: one run of a scenario.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewRadioSession)]
pub(crate) struct NewSession {
    #[schema(value_type = Id)]
    id: String,
    /// The student; defaults to the caller, and is required if the caller is an admin or an app.
    #[schema(value_type = Option<Id>)]
    student: Option<String>,
    /// The name of a shipped scenario, or the text of one.
    scenario: String,
    /// The difficulty; defaults to `student`.
    #[serde(default)]
    #[schema(value_type = Option<SessionDifficulty>)]
    difficulty: SessionDifficulty,
}

/// A session that was started.
#[derive(ToSchema)]
#[schema(as = RadioSessionOpened)]
#[allow(dead_code, reason = "described here, written below")]
pub(crate) struct SessionOpened {
    receipt: Receipt,
    session: SessionView,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// Starts a session, one run of a scenario; its clock starts at once.
#[utoipa::path(
    post, path = "/api/v1/radio/classes/{class}/sessions", tag = "radio",
    params(("class" = Id, Path, description = "The class"), IdempotencyKey),
    request_body = NewSession,
    responses((status = 201, description = "The session was started", body = SessionOpened), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn open_radio_session(
    State(app): State<App>,
    PathParams(class): PathParams<String>,
    caller: Caller,
    input: Input<NewSession>,
) -> Result<(StatusCode, Response), Problem> {
    let stream = stream_of(&class)?;
    let key = input.key(&caller);
    let student = student_of(&caller, &stream, input.value.student.as_deref())?;
    let NewSession { id, scenario, difficulty, .. } = input.value;
    let command = RadioCommand::OpenSession {
        session: id.as_str().into(),
        student: student.into(),
        scenario,
        difficulty,
    };
    let answer = app.clerk.submit(petition(&app, &caller, stream.clone(), command, key)).await?;
    // The event holds the whole scenario with the expected replies: the student gets the view of the session
    // instead.
    let Json(CommandRecorded { receipt, repeated, .. }) = recorded(&answer)?;
    let session = view(&app, stream, &id).await?;
    let receipt = to_json(&receipt);
    let body = format!(r#"{{"receipt":{receipt},"session":{session},"repeated":{repeated}}}"#);
    Ok((StatusCode::CREATED, json(body)))
}

/// Reads a session turn by turn, for its student, instructors and apps.
#[utoipa::path(
    get, path = "/api/v1/radio/classes/{class}/sessions/{session}", tag = "radio",
    params(("class" = Id, Path, description = "The class"), ("session" = Id, Path, description = "The session")),
    responses((status = 200, description = "The session", body = SessionView), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn read_radio_session(
    State(app): State<App>,
    PathParams((class, session)): PathParams<(String, String)>,
    caller: Caller,
) -> Result<Response, Problem> {
    seen_session(&app, &class, &session, &caller).await.map(|view| json(to_json(&view)))
}

/// A session, if the caller may see it.
pub(crate) async fn seen_session(
    app: &App,
    class: &str,
    session: &str,
    caller: &Caller,
) -> Result<SessionView, Problem> {
    let stream = stream_of(class)?;
    if !caller.judges(&stream) {
        let name = session.to_owned();
        let look = move |state: &RadioState| state.session(&name).map(|session| session.student.to_string());
        // 404 without permission, so that the response does not reveal whether the session exists.
        caller.acts_for(&stream, Some(&caller.actor.name))?;
        let student = app.clerk.inspect(stream.clone(), look).await?;
        let own = student.is_some_and(|student| caller.acts_for(&stream, Some(&student)).is_ok());
        if !own {
            return Err(unknown_session(session));
        }
    }
    shown(app, stream, session).await
}

/// The student of the session: the caller, or the one that an admin or an app names.
pub(super) fn student_of(caller: &Caller, stream: &StreamId, named: Option<&str>) -> Result<String, Problem> {
    if named.is_none() && matches!(caller.actor.role, Role::Admin | Role::App) {
        caller.acts_for(stream, Some(""))?;
        return Err(Problem::malformed("`student` is missing: this token is no student's"));
    }
    caller.acts_for(stream, named)
}

/// Checks that a session is the calling student's own. Another student's session is answered like one that does
/// not exist; a class that is not open is left to the court.
pub(super) async fn check_own(
    app: &App,
    caller: &Caller,
    stream: &StreamId,
    session: &str,
    student: &str,
) -> Result<(), Problem> {
    if caller.actor.role != Role::Participant {
        return Ok(());
    }
    let name = session.to_owned();
    let student = student.to_owned();
    let is_own = move |state: &RadioState| {
        state.rulebook().is_none() || state.session(&name).is_some_and(|session| *session.student == *student)
    };
    if app.clerk.inspect(stream.clone(), is_own).await? {
        Ok(())
    } else {
        Err(Refusal::from(RadioRefusal::SessionUnknown(session.into())).into())
    }
}

/// The student's view of a session.
pub(super) async fn view(app: &App, stream: StreamId, session: &str) -> Result<String, Problem> {
    shown(app, stream, session).await.map(|view| to_json(&view))
}

async fn shown(app: &App, stream: StreamId, session: &str) -> Result<SessionView, Problem> {
    let name = session.to_owned();
    let look = move |state: &RadioState| state.session_view(&name);
    app.clerk.inspect(stream, look).await?.ok_or_else(|| unknown_session(session))
}

fn unknown_session(session: &str) -> Problem {
    Problem::not_found(format!("there is no session `{session}`"))
}
