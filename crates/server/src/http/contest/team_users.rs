//! Users of a team over HTTP: the names and passwords with which its tools log in.

use assize_courts::contest::ContestState;
use assize_kernel::{Role, StreamId};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::contests::{Nothing, stream_of};
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::input::{IdempotencyKey, Input};
use crate::http::openapi::{Conflict, Forbidden, Unknown};
use crate::http::path::PathParams;
use crate::http::people::{NewPassword, PasswordGiven, UserPage, add, change_password, disable, listed};
use crate::http::problem::Problem;
use crate::http::query::{Pagination, QueryParams};
use crate::http::schemas::Id;
use crate::http::tokens::AccessChanged;
use crate::http::{App, blocking};
use assize_engine::Scope;

/// A user to add to a team.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTeamUser {
    /// The login name; unique on this server.
    #[schema(value_type = Id)]
    name: String,
    /// The password; generated if it is absent.
    #[schema(min_length = 10, max_length = 1024, format = Password)]
    password: Option<String>,
}

/// Lists the users of a team, by name, including disabled users.
#[utoipa::path(
    get, path = "/api/v1/contests/{contest}/teams/{team}/users", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), ("team" = Id, Path, description = "The team"), Pagination),
    responses((status = 200, description = "A page of the users, by name", body = UserPage), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_team_users(
    State(app): State<App>,
    PathParams((contest, team)): PathParams<(String, String)>,
    caller: Caller,
    QueryParams(window): QueryParams<Pagination>,
) -> Result<Json<UserPage>, Problem> {
    let scope = scope_of(&app, &caller, &contest, team).await?.to_string();
    listed(&app, window, move |user| user.scope == scope).await
}

/// Adds a user to a team.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/teams/{team}/users", tag = "contests",
    params(("contest" = Id, Path, description = "The contest"), ("team" = Id, Path, description = "The team"), IdempotencyKey),
    request_body = NewTeamUser,
    responses((status = 201, description = "The user was added", body = PasswordGiven), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn add_team_user(
    State(app): State<App>,
    PathParams((contest, team)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<NewTeamUser>,
) -> Result<(StatusCode, Json<PasswordGiven>), Problem> {
    let scope = scope_of(&app, &caller, &contest, team).await?;
    let key = input.key(&caller);
    let NewTeamUser { name, password } = input.value;
    let given = add(&app, &caller, name, Role::Participant, scope, password, key).await?;
    Ok((StatusCode::CREATED, Json(given)))
}

/// Changes the password of a team's user, and ends all of the user's sessions.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/teams/{team}/users/{user}/password", tag = "contests",
    params(
        ("contest" = Id, Path, description = "The contest"), ("team" = Id, Path, description = "The team"),
        ("user" = Id, Path, description = "The user"), IdempotencyKey
    ),
    request_body = Option<NewPassword>,
    responses((status = 200, description = "The password was changed", body = PasswordGiven), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn set_team_user_password(
    State(app): State<App>,
    PathParams((contest, team, user)): PathParams<(String, String, String)>,
    caller: Caller,
    input: Input<NewPassword>,
) -> Result<Json<PasswordGiven>, Problem> {
    let scope = scope_of(&app, &caller, &contest, team).await?;
    let user = user_of(&app, user, scope).await?;
    let key = input.key(&caller);
    change_password(&app, &caller, user, input.value.password, key).await.map(Json)
}

/// Disables a user of a team, and ends all of the user's sessions.
#[utoipa::path(
    post, path = "/api/v1/contests/{contest}/teams/{team}/users/{user}/disable", tag = "contests",
    params(
        ("contest" = Id, Path, description = "The contest"), ("team" = Id, Path, description = "The team"),
        ("user" = Id, Path, description = "The user"), IdempotencyKey
    ),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The user was disabled", body = AccessChanged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn disable_team_user(
    State(app): State<App>,
    PathParams((contest, team, user)): PathParams<(String, String, String)>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<AccessChanged>, Problem> {
    let scope = scope_of(&app, &caller, &contest, team).await?;
    let user = user_of(&app, user, scope).await?;
    disable(&app, &caller, user, input.key(&caller)).await.map(Json)
}

/// The scope of a team's users, if the caller may manage them.
async fn scope_of(app: &App, caller: &Caller, contest: &str, team: String) -> Result<Scope, Problem> {
    let stream: StreamId = stream_of(contest)?;
    caller.may(Act::ManageTeamUsers, &stream)?;
    let name = team.clone();
    let known = move |state: &ContestState| state.team(&name).is_some();
    if !app.clerk.inspect(stream.clone(), known).await? {
        return Err(Problem::not_found(format!("there is no team `{team}` in `{contest}`")));
    }
    Ok(Scope::Participant(stream, team))
}

/// The user of a team by name; 404 for users of other scopes.
async fn user_of(app: &App, name: String, scope: Scope) -> Result<String, Problem> {
    let asked = name.clone();
    let user = blocking(app, move |app| Ok(app.ledger.user(&asked)?)).await?;
    match user {
        Some(user) if user.scope == scope.to_string() => Ok(name),
        _ => Err(Problem::not_found(format!("nobody called `{name}` logs in for {scope}"))),
    }
}
