//! The teams of a contest over HTTP: registering them, and how to reach them.

use assize_courts::contest::{ContestCommand, ContestState};
use assize_kernel::{Actor, Digest, Personal, Role, StreamId};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::address::Address;
use super::caller::{Caller, issue_token};
use super::contests::{Recorded, petition, recorded, stream_of, unknown_contest};
use super::document::{Conflict, Forbidden, Unknown};
use super::input::{IdempotencyKey, Input};
use super::problem::Problem;
use super::query::{Asked, Window};
use super::shapes::Id;
use super::{App, blocking};
use crate::Petition;

/// A team that is to take part.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewTeam {
    #[schema(value_type = Id)]
    id: String,
    /// What people call it.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// How to reach them: kept where it can be erased.
    contact: Option<String>,
}

/// A team takes part; this is its token.
#[derive(Serialize, ToSchema)]
pub(super) struct Registered {
    #[serde(flatten)]
    recorded: Recorded,
    /// Shown once: only its digest is kept.
    token: String,
}

/// A new token.
#[derive(Serialize, ToSchema)]
pub(super) struct Issued {
    /// Shown once: only its digest is kept.
    token: String,
}

/// A page of the teams, by id.
#[derive(Serialize, ToSchema)]
pub(super) struct TeamList {
    /// How many there are.
    total: usize,
    teams: Vec<TeamListed>,
}

/// A team as organisers see it.
#[derive(Serialize, ToSchema)]
pub(super) struct TeamListed {
    #[schema(value_type = Id)]
    id: String,
    #[schema(required = true)]
    name: Option<String>,
    #[schema(required = true)]
    contact: Option<String>,
    /// Whether there was a contact that has been erased.
    contact_erased: bool,
}

/// Registers a team and gives it its token.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/teams", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = NewTeam,
    responses((status = 201, description = "It takes part", body = Registered), Forbidden, Unknown, Conflict),
    security(("bearer" = []))
)]
pub(super) async fn register_team(
    State(app): State<App>,
    Address(contest): Address<String>,
    caller: Caller,
    input: Input<NewTeam>,
) -> Result<(StatusCode, Json<Registered>), Problem> {
    caller.must_be_admin()?;
    let key = input.key(&caller);
    let NewTeam { id, name, contact } = input.value;
    let stream = stream_of(&contest)?;
    let personal = contact.map(|text| seal(format!("{stream}/{id}"), text)).transpose()?;
    let contact = personal.as_ref().map(Personal::digest);
    let command = ContestCommand::RegisterTeam { team: id.as_str().into(), name, contact };
    let personal = personal.into_iter().collect();
    let petition = Petition { personal, ..petition(&app, &caller, stream.clone(), command, key) };
    let Json(recorded) = recorded(&app.clerk.hear(petition).await?)?;
    let token = token_of(&app, stream, id).await?;
    Ok((StatusCode::CREATED, Json(Registered { recorded, token })))
}

/// Gives a team one more token, for when the first one is lost.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/teams/{team}/tokens", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), ("team" = Id, Path, description = "The team")),
    responses((status = 201, description = "One more token", body = Issued), Forbidden, Unknown),
    security(("bearer" = []))
)]
pub(super) async fn issue_team_token(
    State(app): State<App>,
    Address((contest, team)): Address<(String, String)>,
    caller: Caller,
) -> Result<(StatusCode, Json<Issued>), Problem> {
    caller.must_be_admin()?;
    let stream = stream_of(&contest)?;
    let name = team.clone();
    let known =
        app.clerk.inspect(stream.clone(), move |state: &ContestState| state.team(&name).is_some()).await?;
    if !known {
        return Err(Problem::not_found(format!("there is no team `{team}` in `{contest}`")));
    }
    Ok((StatusCode::CREATED, Json(Issued { token: token_of(&app, stream, team).await? })))
}

/// The teams with how to reach them: for organisers.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}/teams", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), Window),
    responses((status = 200, description = "A page of the teams", body = TeamList), Forbidden, Unknown),
    security(("bearer" = []))
)]
pub(super) async fn list_teams(
    State(app): State<App>,
    Address(contest): Address<String>,
    Asked(window): Asked<Window>,
    caller: Caller,
) -> Result<Json<TeamList>, Problem> {
    caller.must_be_admin()?;
    let look = move |state: &ContestState| {
        state.rulebook()?;
        let teams = state.teams().map(|(id, team)| (id.to_owned(), team.name.clone(), team.contact));
        let page = teams.skip(window.offset()).take(window.limit()).collect::<Vec<_>>();
        Some((state.teams().count(), page))
    };
    let teams = app.clerk.inspect(stream_of(&contest)?, look).await?;
    let (total, page) = teams.ok_or_else(|| unknown_contest(&contest))?;
    let list = move |app: &App| page.into_iter().map(|team| listed(app, team)).collect();
    Ok(Json(TeamList { total, teams: blocking(&app, list).await? }))
}

fn listed(
    app: &App,
    (id, name, contact): (String, Option<String>, Option<Digest>),
) -> Result<TeamListed, Problem> {
    let found = contact.map(|digest| app.ledger.personal(&digest)).transpose()?.flatten();
    let contact_erased = contact.is_some() && found.is_none();
    Ok(TeamListed { id, name, contact: found.map(|personal| personal.text), contact_erased })
}

async fn token_of(app: &App, stream: StreamId, team: String) -> Result<String, Problem> {
    let team = Actor::new(Role::Participant, team);
    blocking(app, move |app| Ok(issue_token(&*app.ledger, &team, stream.as_str())?)).await
}

fn seal(subject: String, text: String) -> Result<Personal, Problem> {
    let mut salt = [0_u8; 16];
    getrandom::fill(&mut salt).map_err(|error| Problem::internal(&format!("no random bytes: {error}")))?;
    Ok(Personal { subject, salt, text })
}
