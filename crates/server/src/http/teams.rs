//! The teams of a contest over HTTP: registering them, and how to reach them.

use assize_courts::contest::{ContestCommand, ContestState};
use assize_kernel::{Actor, Digest, Personal, Role, StreamId};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::Act;
use super::address::Address;
use super::caller::Caller;
use super::contests::{Nothing, Recorded, recorded, stream_of, unknown_contest};
use super::document::{Conflict, Forbidden, Unknown};
use super::hearing::petition;
use super::input::{IdempotencyKey, Input};
use super::problem::Problem;
use super::query::{Asked, Window};
use super::shapes::Id;
use super::tokens::{TokenGiven, change, given, new_secret, shown};
use super::{App, blocking};
use crate::{AccessCommand, NewToken, Petition, Scope, Secret};

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
    pub(super) recorded: Recorded,
    /// Shown once: only its digest is kept. Null when this was answered before.
    #[schema(required = true)]
    pub(super) token: Option<String>,
}

/// A page of the teams, by id.
#[derive(Serialize, ToSchema)]
pub(super) struct TeamList {
    /// How many there are.
    pub(super) total: usize,
    pub(super) teams: Vec<TeamListed>,
}

/// A team as organisers see it.
#[derive(Serialize, ToSchema)]
pub(super) struct TeamListed {
    #[schema(value_type = Id)]
    pub(super) id: String,
    #[schema(required = true)]
    pub(super) name: Option<String>,
    #[schema(required = true)]
    pub(super) contact: Option<String>,
    /// Whether there was a contact that has been erased.
    pub(super) contact_erased: bool,
}

/// Registers a team and gives it its token.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/teams", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), IdempotencyKey),
    request_body = NewTeam,
    responses((status = 201, description = "It takes part", body = Registered), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn register_team(
    State(app): State<App>,
    Address(contest): Address<String>,
    caller: Caller,
    input: Input<NewTeam>,
) -> Result<(StatusCode, Json<Registered>), Problem> {
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
    let answer = app.clerk.hear(petition).await?;
    let Json(recorded) = recorded(&answer)?;
    Ok((StatusCode::CREATED, Json(Registered { recorded, token: shown(&answer, &secret) })))
}

/// Gives a team one more token, for when the first one is lost.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/teams/{team}/tokens", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), ("team" = Id, Path, description = "The team"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 201, description = "One more token", body = TokenGiven), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn issue_team_token(
    State(app): State<App>,
    Address((contest, team)): Address<(String, String)>,
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

/// The teams with how to reach them: for organisers.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}/teams", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), Window),
    responses((status = 200, description = "A page of the teams", body = TeamList), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_teams(
    State(app): State<App>,
    Address(contest): Address<String>,
    Asked(window): Asked<Window>,
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

fn token_of(secret: &Secret, stream: &StreamId, team: &str) -> NewToken {
    let owner = Actor::new(Role::Participant, team);
    NewToken { scope: Scope::Stream(stream.clone()), ..NewToken::of(secret, owner) }
}

/// A personal text, salted so that it cannot be guessed from its digest.
pub(super) fn seal(subject: String, text: String) -> Result<Personal, Problem> {
    let mut salt = [0_u8; 16];
    getrandom::fill(&mut salt).map_err(|error| Problem::internal(&format!("no random bytes: {error}")))?;
    Ok(Personal { subject, salt, text })
}
