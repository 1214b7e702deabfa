//! Teams of a contest over HTTP: registration and contact data.

use assize_courts::contest::{ContestCommand, ContestState};
use assize_kernel::{Actor, Digest, Personal, Role, StreamId};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::contests::{ContestRecorded, Nothing, recorded, stream_of, unknown_contest};
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::input::{IdempotencyKey, Input};
use crate::http::openapi::{Conflict, Forbidden, Unknown};
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::query::{Pagination, QueryParams};
use crate::http::schemas::Id;
use crate::http::submit::petition;
use crate::http::tokens::{TokenGiven, change, given, new_secret, shown};
use crate::http::{App, blocking};
use assize_engine::{AccessCommand, NewToken, Petition, Scope, Secret};

/// A team to register.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTeam {
    #[schema(value_type = Id)]
    id: String,
    /// The display name.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// Contact details: stored as personal text, which can be erased.
    contact: Option<String>,
}

/// A registered team with its token.
#[derive(Serialize, ToSchema)]
#[schema(as = Registered)]
pub(crate) struct TeamRegistered {
    #[serde(flatten)]
    pub(crate) recorded: ContestRecorded,
    /// The secret of the token, returned once: only its digest is stored. Null in a repeated response.
    #[schema(required = true)]
    pub(crate) token: Option<String>,
}

/// A page of the teams, by id.
#[derive(Serialize, ToSchema)]
pub(crate) struct TeamList {
    /// The total number of teams.
    pub(crate) total: usize,
    pub(crate) teams: Vec<TeamListed>,
}

/// A team as organisers see it.
#[derive(Serialize, ToSchema)]
pub(crate) struct TeamListed {
    #[schema(value_type = Id)]
    pub(crate) id: String,
    #[schema(required = true)]
    pub(crate) name: Option<String>,
    #[schema(required = true)]
    pub(crate) contact: Option<String>,
    /// Whether the contact details have been erased.
    pub(crate) contact_erased: bool,
}

/// Registers a team and issues its token.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/teams", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = NewTeam,
    responses((status = 201, description = "The team was registered", body = TeamRegistered), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn register_team(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    caller: Caller,
    input: Input<NewTeam>,
) -> Result<(StatusCode, Json<TeamRegistered>), Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::RegisterTeam, &stream)?;
    let key = input.key(&caller);
    let NewTeam { id, name, contact } = input.value;
    let secret = new_secret()?;
    let token = Some(token_of(&secret, &stream, &id));
    let personal = contact.map(|text| seal(format!("{stream}/{id}"), text)).transpose()?;
    let contact = personal.as_ref().map(Personal::digest);
    let command = ContestCommand::RegisterTeam { team: id.as_str().into(), name, contact };
    let personal = personal.into_iter().collect();
    let petition = Petition { personal, token, ..petition(&app, &caller, stream, command, key) };
    let answer = app.clerk.submit(petition).await?;
    let Json(recorded) = recorded(&answer)?;
    Ok((StatusCode::CREATED, Json(TeamRegistered { recorded, token: shown(&answer, &secret) })))
}

/// Issues a further token for a team, for example because the first one was lost.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/teams/{team}/tokens", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), ("team" = Id, Path, description = "The team"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 201, description = "The token was issued", body = TokenGiven), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn issue_team_token(
    State(app): State<App>,
    PathParams((contest, team)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<(StatusCode, Json<TokenGiven>), Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::IssueTeamToken, &stream)?;
    let name = team.clone();
    let known =
        app.clerk.inspect(stream.clone(), move |state: &ContestState| state.team(&name).is_some()).await?;
    if !known {
        return Err(Problem::not_found(format!("there is no team `{team}` in `{contest}`")));
    }
    let secret = new_secret()?;
    let command = AccessCommand::IssueToken(token_of(&secret, &stream, &team));
    let answer = change(&app, &caller, command, input.key(&caller)).await?;
    Ok((StatusCode::CREATED, Json(given(&answer, &secret)?)))
}

/// Lists the teams with their contact details, by id; for organisers.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}/teams", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), Pagination),
    responses((status = 200, description = "A page of the teams", body = TeamList), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_teams(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    QueryParams(window): QueryParams<Pagination>,
    caller: Caller,
) -> Result<Json<TeamList>, Problem> {
    let stream = stream_of(&contest)?;
    caller.may(Act::ListTeams, &stream)?;
    let look = move |state: &ContestState| {
        state.rulebook()?;
        let teams = state.teams().map(|(id, team)| (id.to_owned(), team.name.clone(), team.contact));
        let page = teams.skip(window.offset()).take(window.limit()).collect::<Vec<_>>();
        Some((state.teams().count(), page))
    };
    let teams = app.clerk.inspect(stream, look).await?;
    let (total, page) = teams.ok_or_else(|| unknown_contest(&contest))?;
    let list =
        move |app: &App| page.into_iter().map(|(id, name, contact)| listed(app, id, name, contact)).collect();
    Ok(Json(TeamList { total, teams: blocking(&app, list).await? }))
}

fn listed(
    app: &App,
    id: String,
    name: Option<String>,
    contact: Option<Digest>,
) -> Result<TeamListed, Problem> {
    let found = contact.map(|digest| app.ledger.personal(&digest)).transpose()?.flatten();
    let contact_erased = contact.is_some() && found.is_none();
    Ok(TeamListed { id, name, contact: found.map(|personal| personal.text), contact_erased })
}

fn token_of(secret: &Secret, stream: &StreamId, team: &str) -> NewToken {
    let owner = Actor::new(Role::Participant, team);
    NewToken { scope: Scope::Stream(stream.clone()), ..NewToken::of(secret, owner) }
}

/// Personal text with a salt, so that it cannot be guessed from its digest.
pub(crate) fn seal(subject: String, text: String) -> Result<Personal, Problem> {
    let mut salt = [0_u8; 16];
    getrandom::fill(&mut salt).map_err(|error| Problem::internal(&format!("no random bytes: {error}")))?;
    Ok(Personal { subject, salt, text })
}
