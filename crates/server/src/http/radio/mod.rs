//! Radio classes over HTTP: opening a class, its scenarios and sessions, and its export.

pub(crate) mod classes;
pub(crate) mod sessions;
pub(crate) mod turns;

use assize_courts::radio::{ClassView, RadioCommand, RadioState, SCENARIOS, shipped_scenario};
use assize_kernel::{Role, RulebookRef, SmolStr, StreamId, to_json};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::App;
use super::access::Act;
use super::boards::{self, BoardPage};
use super::caller::Caller;
use super::courts::rulebook_of;
use super::input::{IdempotencyKey, Input};
use super::openapi::{Conflict, Forbidden, Unknown};
use super::path::PathParams;
use super::problem::Problem;
use super::query::{Pagination, QueryParams};
use super::schemas::Id;
use super::submit::{CommandRecorded, petition, recorded};
use assize_engine::Petition;

/// A class to open.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRadioClass {
    #[schema(value_type = Id)]
    id: String,
    /// The display name; defaults to the id.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// The name of a shipped rulebook; defaults to `icao`.
    rulebook: Option<String>,
}

/// The shipped scenarios.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScenarioList {
    pub(crate) scenarios: Vec<ScenarioListed>,
}

/// A scenario, without the expected replies.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScenarioListed {
    pub(crate) scenario: RulebookRef,
    pub(crate) title: String,
    pub(crate) airfield: String,
    pub(crate) runway: String,
    weather: String,
    pub(crate) callsign: String,
    pub(crate) aircraft: String,
    pub(crate) ends_when: String,
    /// The number of phases.
    pub(crate) phases: usize,
}

/// Opens a radio class.
#[utoipa::path(
    post, path = "/api/v1/radio/classes", tag = "radio",
    params(IdempotencyKey),
    request_body = NewRadioClass,
    responses((status = 201, description = "The class was opened", body = CommandRecorded), Forbidden, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn open_class(
    State(app): State<App>,
    caller: Caller,
    input: Input<NewRadioClass>,
) -> Result<(StatusCode, Json<CommandRecorded>), Problem> {
    let stream = stream_of(&input.value.id)?;
    caller.may(Act::RunClass, &stream)?;
    let key = input.key(&caller);
    let NewRadioClass { id, name, rulebook } = input.value;
    let rulebook = rulebook.map(|name| rulebook_of(&app, "radio", &name)).transpose()?;
    let command = RadioCommand::OpenClass { name: name.unwrap_or(id) };
    let petition = Petition { rulebook, ..petition(&app, &caller, stream, command, key) };
    Ok((StatusCode::CREATED, recorded(&app.clerk.submit(petition).await?)?))
}

/// Reads a class with summaries of its sessions: a student sees their own sessions, other callers all of
/// them.
#[utoipa::path(
    get, path = "/api/v1/radio/classes/{class}", tag = "radio",
    params(("class" = Id, Path, description = "The class")),
    responses((status = 200, description = "The class", body = ClassView), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn read_class(
    State(app): State<App>,
    PathParams(class): PathParams<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    Ok(json(to_json(&seen_class(&app, &class, &caller).await?)))
}

/// A class with the sessions that the caller may see.
pub(crate) async fn seen_class(app: &App, class: &str, caller: &Caller) -> Result<ClassView, Problem> {
    let stream = stream_of(class)?;
    let student = match caller.actor.role {
        _ if caller.judges(&stream) => None,
        Role::App => caller.acts_for(&stream, Some("")).map(|_| None)?,
        _ => Some(caller.acts_for(&stream, None)?),
    };
    let look = move |state: &RadioState| state.rulebook().is_some().then(|| state.view(student.as_deref()));
    let view = app.clerk.inspect(stream, look).await?;
    view.ok_or_else(|| unknown_class(class))
}

/// Reads a page of a class's board, best first: the totals of each student's sessions, for instructors.
#[utoipa::path(
    get, path = "/api/v1/radio/classes/{class}/board", tag = "radio",
    params(
        ("class" = Id, Path, description = "The class"),
        Pagination,
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the client's copy: 304 while the board is unchanged"),
    ),
    responses(
        (status = 200, description = "A page of the board", body = BoardPage),
        (status = 304, description = "The board is unchanged"),
        Forbidden, Unknown
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn read_class_board(
    State(app): State<App>,
    PathParams(class): PathParams<String>,
    QueryParams(window): QueryParams<Pagination>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let stream = stream_of(&class)?;
    caller.may(Act::RunClass, &stream)?;
    boards::answer(&app, stream.as_str(), true, window, &headers)
}

/// Exports every turn of a class as JSON lines: session, student, transcript, and the original and the
/// current score.
#[utoipa::path(
    get, path = "/api/v1/radio/classes/{class}/export", tag = "radio",
    params(("class" = Id, Path, description = "The class")),
    responses(
        (status = 200, description = "One line for each turn", content((String = "application/jsonl"))),
        Forbidden, Unknown
    ),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn export_class(
    State(app): State<App>,
    PathParams(class): PathParams<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let stream = stream_of(&class)?;
    caller.may(Act::RunClass, &stream)?;
    let look = |state: &RadioState| state.rulebook().is_some().then(|| lines(state));
    let lines = app.clerk.inspect(stream, look).await?.ok_or_else(|| unknown_class(&class))?;
    Ok(([(header::CONTENT_TYPE, "application/jsonl")], lines).into_response())
}

/// Lists the shipped scenarios, without the expected replies.
#[utoipa::path(
    get, path = "/api/v1/radio/scenarios", tag = "radio",
    responses((status = 200, description = "The scenarios", body = ScenarioList))
)]
pub(crate) async fn list_scenarios() -> Json<ScenarioList> {
    let charts = SCENARIOS.iter().filter_map(|(name, _)| shipped_scenario(name));
    let scenarios = charts.map(|chart| ScenarioListed {
        scenario: chart.reference.clone(),
        title: chart.scenario.title.clone(),
        airfield: chart.scenario.airfield.clone(),
        runway: chart.scenario.runway.clone(),
        weather: chart.scenario.weather.clone(),
        callsign: chart.scenario.callsign.clone(),
        aircraft: chart.scenario.aircraft.clone(),
        ends_when: chart.scenario.ends_when.clone(),
        phases: chart.scenario.phases.len(),
    });
    Json(ScenarioList { scenarios: scenarios.collect() })
}

/// JSON lines, one per turn, in the order of the sessions.
fn lines(state: &RadioState) -> String {
    #[derive(Serialize)]
    struct TurnLine<'a, T> {
        session: &'a str,
        student: &'a SmolStr,
        scenario: &'a SmolStr,
        #[serde(flatten)]
        turn: T,
    }
    let mut lines = String::new();
    for (session, about) in state.sessions() {
        let Some(view) = state.session_view(session) else { continue };
        for turn in view.line {
            let student = &about.student;
            let scenario = &about.chart.reference.name;
            lines += &to_json(&TurnLine { session, student, scenario, turn });
            lines.push('\n');
        }
    }
    lines
}

pub(crate) fn stream_of(class: &str) -> Result<StreamId, Problem> {
    StreamId::new("radio", class).map_err(|error| Problem::malformed(error.to_string()))
}

fn unknown_class(class: &str) -> Problem {
    Problem::not_found(format!("there is no class `{class}`"))
}

fn json(body: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}
