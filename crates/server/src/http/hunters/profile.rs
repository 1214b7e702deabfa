//! Hunters themselves over HTTP: registering them, seeing them, the board they stand on.

use assize_courts::quest::{Class, Exercise, HunterView, QuestCommand, QuestState, Rank, board_name};
use assize_kernel::{Actor, Role, StreamId};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::access::Act;
use super::super::address::Address;
use super::super::caller::Caller;
use super::super::contests::Nothing;
use super::super::courts::rulebook_of;
use super::super::document::{Conflict, Forbidden, Unknown};
use super::super::input::{IdempotencyKey, Input};
use super::super::problem::Problem;
use super::super::query::{Asked, Parameters, Window};
use super::super::shapes::{Id, quest as shapes};
use super::super::tokens::{TokenGiven, change, given, new_secret, shown};
use super::super::{App, blocking};
use super::{Recorded, look, petition, recorded, sealed, stream_of, today, unknown_hunter};
use crate::{AccessCommand, NewToken, Petition, Scope, Secret};

/// Somebody who is to become a hunter.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct NewHunter {
    #[schema(value_type = Id)]
    id: String,
    #[schema(value_type = shapes::Class)]
    class: Class,
    /// The time zone their days are counted in; UTC otherwise.
    #[schema(max_length = 64)]
    zone: Option<String>,
    /// What people call them: kept where it can be erased.
    #[schema(max_length = 200)]
    name: Option<String>,
    /// One that ships, by name; `hunter` otherwise.
    rulebook: Option<String>,
}

/// A hunter has begun; this is their token.
#[derive(Serialize, ToSchema)]
#[schema(as = HunterRegistered)]
pub(in super::super) struct Registered {
    #[serde(flatten)]
    recorded: Recorded,
    /// Shown once: only its digest is kept. Null when this was answered before.
    #[schema(required = true)]
    token: Option<String>,
}

/// How somebody fights from now on.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct NewClass {
    #[schema(value_type = shapes::Class)]
    class: Class,
}

/// Where somebody's days are counted from now on.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct NewZone {
    #[schema(min_length = 1, max_length = 64)]
    zone: String,
}

/// A hunter, with what people call them.
#[derive(Serialize)]
pub(in super::super) struct HunterNow {
    pub(in super::super) name: Option<String>,
    #[serde(flatten)]
    pub(in super::super) hunter: HunterView,
}

/// Which hunters.
#[derive(Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in super::super) struct Among {
    /// Of this rank only.
    #[param(inline, value_type = Option<shapes::Rank>)]
    pub(in super::super) rank: Option<Rank>,
    /// Of this class only.
    #[param(inline, value_type = Option<shapes::Class>)]
    pub(in super::super) class: Option<Class>,
    #[param(ignore)]
    pub(in super::super) window: Window,
}

/// A page of the board of hunters, best first. The Corrupted are left out.
#[derive(Serialize, ToSchema)]
pub(in super::super) struct HunterBoard {
    /// How many there are on the whole board.
    pub(in super::super) hunters: usize,
    pub(in super::super) rows: Vec<HunterRow>,
}

/// One line of it.
#[derive(Serialize, ToSchema)]
pub(in super::super) struct HunterRow {
    /// 1, 2, 2, 4: equal XP share a place.
    #[schema(minimum = 1)]
    pub(in super::super) place: usize,
    #[schema(value_type = Id)]
    pub(in super::super) hunter: String,
    pub(in super::super) xp: f64,
    /// Whether several people doubt what they log.
    pub(in super::super) flagged: bool,
}

/// Registers a hunter and gives them their token.
#[utoipa::path(
    post, path = "/api/v1/hunters", tag = "hunters",
    params(IdempotencyKey),
    request_body = NewHunter,
    responses((status = 201, description = "They have begun", body = Registered), Forbidden, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn register_hunter(
    State(app): State<App>,
    caller: Caller,
    input: Input<NewHunter>,
) -> Result<(StatusCode, Json<Registered>), Problem> {
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
    let answer = app.clerk.hear(petition).await?;
    let Json(recorded) = recorded(&answer)?;
    Ok((StatusCode::CREATED, Json(Registered { recorded, token: shown(&answer, &secret) })))
}

/// Gives a hunter one more token, for when the first one is lost.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/tokens", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 201, description = "One more token", body = TokenGiven), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn issue_hunter_token(
    State(app): State<App>,
    Address(hunter): Address<String>,
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

/// The board of hunters, by XP.
#[utoipa::path(
    get, path = "/api/v1/hunters", tag = "hunters",
    params(Among, Window),
    responses((status = 200, description = "A page of the board", body = HunterBoard))
)]
pub(in super::super) async fn list_hunters(
    State(app): State<App>,
    Asked(among): Asked<Among>,
) -> Json<HunterBoard> {
    let views = app.clerk.views();
    let board = views.board_named(&board_name(among.rank, among.class));
    let hunters = board.map_or(0, assize_kernel::Board::len);
    let rows = board.into_iter().flat_map(|board| board.rows(among.window.offset(), among.window.limit()));
    let rows = rows.map(|row| HunterRow {
        place: row.rank,
        hunter: row.participant.to_string(),
        xp: row.standing.points,
        flagged: row.standing.ties.first().is_some_and(|flagged| *flagged > 0),
    });
    Json(HunterBoard { hunters, rows: rows.collect() })
}

/// What everybody may know of a hunter.
#[utoipa::path(
    get, path = "/api/v1/hunters/{hunter}", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter")),
    responses((status = 200, description = "The hunter", body = shapes::Hunter), Unknown)
)]
pub(in super::super) async fn read_hunter(
    State(app): State<App>,
    Address(hunter): Address<String>,
) -> Result<Json<HunterNow>, Problem> {
    let (zone, name) = look(&app, &hunter, |seen| (seen.zone().to_owned(), seen.name())).await?;
    let day = today(&app, &zone)?;
    let view = move |state: &QuestState| state.hunter_view(day);
    let view = app.clerk.inspect(stream_of(&hunter)?, view).await?.ok_or_else(|| unknown_hunter(&hunter))?;
    let find = move |app: &App| Ok(name.map(|digest| app.ledger.personal(&digest)).transpose()?.flatten());
    let name = blocking(&app, find).await?.map(|personal| personal.text);
    Ok(Json(HunterNow { name, hunter: view }))
}

/// Lets a hunter fight in another way.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/class", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = NewClass,
    responses((status = 200, description = "It is so", body = Recorded), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn change_class(
    State(app): State<App>,
    Address(hunter): Address<String>,
    caller: Caller,
    input: Input<NewClass>,
) -> Result<Json<Recorded>, Problem> {
    let stream = stream_of(&hunter)?;
    caller.acts_as(&stream, &hunter)?;
    let key = input.key(&caller);
    let command = QuestCommand::ChangeClass { class: input.value.class };
    recorded(&app.clerk.hear(petition(&app, &caller, stream, command, key)).await?)
}

/// Counts a hunter's days elsewhere.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/zone", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = NewZone,
    responses((status = 200, description = "It is so", body = Recorded), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn change_zone(
    State(app): State<App>,
    Address(hunter): Address<String>,
    caller: Caller,
    input: Input<NewZone>,
) -> Result<Json<Recorded>, Problem> {
    let stream = stream_of(&hunter)?;
    caller.acts_as(&stream, &hunter)?;
    today(&app, &input.value.zone)?;
    let key = input.key(&caller);
    let command = QuestCommand::ChangeZone { zone: input.value.zone.into() };
    recorded(&app.clerk.hear(petition(&app, &caller, stream, command, key)).await?)
}

/// Adds an exercise that only this hunter has.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/exercises", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), IdempotencyKey),
    request_body = shapes::OwnExercise,
    responses((status = 201, description = "It is known", body = Recorded), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn add_exercise(
    State(app): State<App>,
    Address(hunter): Address<String>,
    caller: Caller,
    input: Input<Exercise>,
) -> Result<(StatusCode, Json<Recorded>), Problem> {
    let stream = stream_of(&hunter)?;
    caller.may(Act::GuideHunter, &stream)?;
    let key = input.key(&caller);
    let command = QuestCommand::AddExercise { exercise: input.value };
    let answer = app.clerk.hear(petition(&app, &caller, stream, command, key)).await?;
    Ok((StatusCode::CREATED, recorded(&answer)?))
}

fn token_of(secret: &Secret, stream: &StreamId, hunter: &str) -> NewToken {
    let owner = Actor::new(Role::Participant, hunter);
    NewToken { scope: Scope::Stream(stream.clone()), ..NewToken::of(secret, owner) }
}

impl Parameters for Among {
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
