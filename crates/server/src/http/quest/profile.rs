//! Hunters over HTTP: registration, profile, and their board.

use assize_courts::quest::{
    Class, Exercise, HunterView, QuestCommand, QuestState, Rank, board_name, is_flagged,
};
use assize_kernel::{Actor, Role, StreamId};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::access::Act;
use super::super::caller::Caller;
use super::super::contest::contests::Nothing;
use super::super::courts::rulebook_of;
use super::super::input::{IdempotencyKey, Input};
use super::super::openapi::{Conflict, Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::query::{FromQuery, Pagination, QueryParams};
use super::super::schemas::Id;
use super::super::tokens::{TokenGiven, change, given, new_secret, shown};
use super::super::{App, blocking};
use super::{CommandRecorded, look, petition, recorded, sealed, stream_of, today, unknown_hunter};
use assize_engine::{AccessCommand, NewToken, Petition, Scope, Secret};

/// A hunter to register.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewHunter {
    #[schema(value_type = Id)]
    id: String,
    class: Class,
    /// The time zone in which the hunter's days are counted; defaults to UTC.
    #[schema(max_length = 64)]
    zone: Option<String>,
    /// The display name: stored as personal text, which can be erased.
    #[schema(max_length = 200)]
    name: Option<String>,
    /// The name of a shipped rulebook; defaults to `hunter`.
    rulebook: Option<String>,
}

/// A registered hunter with their token.
#[derive(Serialize, ToSchema)]
#[schema(as = HunterRegistered)]
pub(crate) struct HunterRegistered {
    #[serde(flatten)]
    recorded: CommandRecorded,
    /// The secret of the token, returned once: only its digest is stored. Null in a repeated response.
    #[schema(required = true)]
    token: Option<String>,
}

/// A new class for a hunter.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewClass {
    class: Class,
}

/// A new time zone for a hunter.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewZone {
    #[schema(min_length = 1, max_length = 64)]
    zone: String,
}

/// A hunter with their display name.
#[derive(Serialize, ToSchema)]
#[schema(as = Hunter)]
pub(crate) struct HunterNow {
    #[schema(required)]
    pub(crate) name: Option<String>,
    #[serde(flatten)]
    #[schema(inline)]
    pub(crate) hunter: HunterView,
}

/// Query parameters of the board of hunters.
#[derive(Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HunterFilter {
    /// Only hunters of this rank.
    #[param(inline)]
    pub(crate) rank: Option<Rank>,
    /// Only hunters of this class.
    #[param(inline)]
    pub(crate) class: Option<Class>,
    #[param(ignore)]
    pub(crate) window: Pagination,
}

/// A page of the board of hunters, best first. Corrupted hunters are left out.
#[derive(Serialize, ToSchema)]
pub(crate) struct HunterBoard {
    /// The number of hunters on the whole board.
    pub(crate) hunters: usize,
    pub(crate) rows: Vec<HunterRow>,
}

/// A row of the board of hunters.
#[derive(Serialize, ToSchema)]
pub(crate) struct HunterRow {
    /// 1, 2, 2, 4: equal standings share a place; with equal XP, flagged hunters come last.
    #[schema(minimum = 1)]
    pub(crate) place: usize,
    #[schema(value_type = Id)]
    pub(crate) hunter: String,
    pub(crate) xp: f64,
    /// Whether the hunter is Flagged: several hunters have reported them.
    pub(crate) flagged: bool,
}

/// Registers a hunter and issues their token.
#[utoipa::path(
    post, path = "/api/v1/hunters", tag = "hunters",
    params(IdempotencyKey),
    request_body = NewHunter,
    responses((status = 201, description = "The hunter was registered", body = HunterRegistered), Forbidden, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn register_hunter(
    State(app): State<App>,
    caller: Caller,
    input: Input<NewHunter>,
) -> Result<(StatusCode, Json<HunterRegistered>), Problem> {
    let stream = stream_of(&input.value.id)?;
    caller.may(Act::RegisterHunter, &stream)?;
    let key = input.key(&caller);
    let NewHunter { id, class, zone, name, rulebook } = input.value;
    let rulebook = rulebook.map(|name| rulebook_of(&app, "quest", &name)).transpose()?;
    let zone = zone.unwrap_or_else(|| "UTC".into());
    today(&app, &zone)?;
    let secret = new_secret()?;
    let token = Some(token_of(&secret, &stream, &id));
    let (personal, name) = sealed(&id, name)?;
    let command = QuestCommand::RegisterHunter { hunter: id.into(), class, zone: zone.into(), name };
    let petition = Petition { rulebook, personal, token, ..petition(&app, &caller, stream, command, key) };
    let answer = app.clerk.submit(petition).await?;
    let Json(recorded) = recorded(&answer)?;
    Ok((StatusCode::CREATED, Json(HunterRegistered { recorded, token: shown(&answer, &secret) })))
}

/// Issues a further token for a hunter, for example because the first one was lost.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/tokens", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 201, description = "The token was issued", body = TokenGiven), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn issue_hunter_token(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<(StatusCode, Json<TokenGiven>), Problem> {
    let stream = stream_of(&hunter)?;
    caller.may(Act::RegisterHunter, &stream)?;
    look(&app, &hunter, |_| ()).await?;
    let secret = new_secret()?;
    let command = AccessCommand::IssueToken(token_of(&secret, &stream, &hunter));
    let answer = change(&app, &caller, command, input.key(&caller)).await?;
    Ok((StatusCode::CREATED, Json(given(&answer, &secret)?)))
}

/// Reads a page of the board of hunters, by XP.
#[utoipa::path(
    get, path = "/api/v1/hunters", tag = "hunters",
    params(HunterFilter, Pagination),
    responses((status = 200, description = "A page of the board", body = HunterBoard))
)]
pub(crate) async fn list_hunters(
    State(app): State<App>,
    QueryParams(among): QueryParams<HunterFilter>,
) -> Json<HunterBoard> {
    let views = app.clerk.views();
    let board = views.board_named(&board_name(among.rank, among.class));
    let hunters = board.map_or(0, assize_kernel::Board::len);
    let rows = board.into_iter().flat_map(|board| board.rows(among.window.offset(), among.window.limit()));
    let rows = rows.map(|row| HunterRow {
        place: row.rank,
        hunter: row.participant.to_string(),
        xp: row.standing.points,
        flagged: is_flagged(&row.standing),
    });
    Json(HunterBoard { hunters, rows: rows.collect() })
}

/// Reads the public view of a hunter.
#[utoipa::path(
    get, path = "/api/v1/hunters/{hunter}", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter")),
    responses((status = 200, description = "The hunter", body = HunterNow), Unknown)
)]
pub(crate) async fn read_hunter(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
) -> Result<Json<HunterNow>, Problem> {
    let (zone, name) = look(&app, &hunter, |seen| (seen.zone().to_owned(), seen.name())).await?;
    let day = today(&app, &zone)?;
    let view = move |state: &QuestState| state.hunter_view(day);
    let view = app.clerk.inspect(stream_of(&hunter)?, view).await?.ok_or_else(|| unknown_hunter(&hunter))?;
    let find = move |app: &App| Ok(name.map(|digest| app.ledger.personal(&digest)).transpose()?.flatten());
    let name = blocking(&app, find).await?.map(|personal| personal.text);
    Ok(Json(HunterNow { name, hunter: view }))
}

/// Changes the class of a hunter.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/class", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = NewClass,
    responses((status = 200, description = "The class was changed", body = CommandRecorded), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn change_class(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    caller: Caller,
    input: Input<NewClass>,
) -> Result<Json<CommandRecorded>, Problem> {
    let stream = stream_of(&hunter)?;
    caller.acts_as(&stream, &hunter)?;
    let key = input.key(&caller);
    let command = QuestCommand::ChangeClass { class: input.value.class };
    recorded(&app.clerk.submit(petition(&app, &caller, stream, command, key)).await?)
}

/// Changes the time zone of a hunter.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/zone", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = NewZone,
    responses((status = 200, description = "The time zone was changed", body = CommandRecorded), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn change_zone(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    caller: Caller,
    input: Input<NewZone>,
) -> Result<Json<CommandRecorded>, Problem> {
    let stream = stream_of(&hunter)?;
    caller.acts_as(&stream, &hunter)?;
    today(&app, &input.value.zone)?;
    let key = input.key(&caller);
    let command = QuestCommand::ChangeZone { zone: input.value.zone.into() };
    recorded(&app.clerk.submit(petition(&app, &caller, stream, command, key)).await?)
}

/// Adds a custom exercise for this hunter only.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/exercises", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = Exercise,
    responses((status = 201, description = "The exercise was added", body = CommandRecorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn add_exercise(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    caller: Caller,
    input: Input<Exercise>,
) -> Result<(StatusCode, Json<CommandRecorded>), Problem> {
    let stream = stream_of(&hunter)?;
    caller.may(Act::GuideHunter, &stream)?;
    let key = input.key(&caller);
    let command = QuestCommand::AddExercise { exercise: input.value };
    let answer = app.clerk.submit(petition(&app, &caller, stream, command, key)).await?;
    Ok((StatusCode::CREATED, recorded(&answer)?))
}

fn token_of(secret: &Secret, stream: &StreamId, hunter: &str) -> NewToken {
    let owner = Actor::new(Role::Participant, hunter);
    NewToken { scope: Scope::Stream(stream.clone()), ..NewToken::of(secret, owner) }
}

impl FromQuery for HunterFilter {
    const KNOWN: &'static str = "there are `rank`, `class`, `offset` and `limit`";

    fn take(&mut self, name: &str, value: &str) -> Result<bool, Problem> {
        let wrong = |known: &str| {
            Problem::malformed(format!(
                "the query cannot be read: `{name}` must be one of {known}, is `{value}`"
            ))
        };
        match name {
            "rank" => {
                let found = Rank::ALL.into_iter().find(|rank| rank.as_str() == value);
                self.rank = Some(found.ok_or_else(|| wrong("E, D, C, B, A, S"))?);
            }
            "class" => {
                let found = Class::ALL.into_iter().find(|class| class.as_str() == value);
                self.class = Some(found.ok_or_else(|| wrong("Tank, Striker, Assassin, Novice"))?);
            }
            _ => return self.window.take(name, value),
        }
        Ok(true)
    }
}
