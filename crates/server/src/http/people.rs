//! Users over HTTP: listing and adding them, changing passwords, disabling and enabling logins.

use assize_kernel::{Moment, Role};
use assize_ledger::UserAccount;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::access::Act;
use super::caller::Caller;
use super::contest::contests::Nothing;
use super::input::{IdempotencyKey, Input};
use super::openapi::{Conflict, Forbidden, Unknown};
use super::password_queue::with_password;
use super::path::PathParams;
use super::problem::Problem;
use super::query::{Pagination, QueryParams};
use super::records::{Receipt, raw};
use super::schemas::{AnyObject, Id};
use super::submit::last;
use super::tokens::{AccessChanged, change, shown};
use super::{App, blocking};
use assize_engine::live::login_key;
use assize_engine::{
    AccessCommand, Answer, NewUser, RequestKey, Scope, Secret, hash_password, make_password,
};

/// A user to add.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPerson {
    /// The login name.
    #[schema(value_type = Id)]
    name: String,
    role: Role,
    /// The scope: a court, a stream, or a participant of a stream; defaults to everything that the role
    /// permits.
    scope: Option<String>,
    /// The password; generated if it is absent.
    #[schema(min_length = 10, max_length = 1024, format = Password)]
    password: Option<String>,
}

/// A new password for a user.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// The password; generated if it is absent.
    #[schema(min_length = 10, max_length = 1024, format = Password)]
    pub(crate) password: Option<String>,
}

/// The record of a user's new password.
#[derive(Serialize, ToSchema)]
pub(crate) struct PasswordGiven {
    pub(crate) receipt: Receipt,
    #[schema(value_type = AnyObject)]
    pub(crate) event: Box<RawValue>,
    /// Whether this repeats the response to an earlier request.
    pub(crate) repeated: bool,
    /// The generated password, returned once and not stored; null if the request contained a password, and in
    /// a repeated response.
    #[schema(required = true)]
    pub(crate) password: Option<String>,
}

/// A user, without the password.
#[derive(Serialize, ToSchema)]
#[schema(as = Person)]
pub(crate) struct UserView {
    #[schema(value_type = Id)]
    pub(crate) name: String,
    #[schema(value_type = assize_kernel::Role)]
    pub(crate) role: String,
    /// The scope; empty for everything that the role permits.
    pub(crate) scope: String,
    pub(crate) created: Moment,
    /// When the account was disabled; null if it is not.
    #[schema(required = true)]
    pub(crate) disabled: Option<Moment>,
}

/// A page of the users, by name.
#[derive(Serialize, ToSchema)]
#[schema(as = People)]
pub(crate) struct UserPage {
    /// The total number of users.
    pub(crate) total: usize,
    pub(crate) users: Vec<UserView>,
}

/// Lists the users, by name, including disabled users.
#[utoipa::path(
    get, path = "/api/v1/users", tag = "access",
    params(Pagination),
    responses((status = 200, description = "A page of the users, by name", body = UserPage), Forbidden),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_users(
    State(app): State<App>,
    caller: Caller,
    QueryParams(window): QueryParams<Pagination>,
) -> Result<Json<UserPage>, Problem> {
    caller.may_everywhere(Act::ManagePeople)?;
    listed(&app, window, |_| true).await
}

/// Adds a user.
#[utoipa::path(
    post, path = "/api/v1/users", tag = "access",
    params(IdempotencyKey),
    request_body = NewPerson,
    responses((status = 201, description = "The user was added", body = PasswordGiven), Forbidden, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn add_user(
    State(app): State<App>,
    caller: Caller,
    input: Input<NewPerson>,
) -> Result<(StatusCode, Json<PasswordGiven>), Problem> {
    caller.may_everywhere(Act::ManagePeople)?;
    let key = input.key(&caller);
    let NewPerson { name, role, scope, password } = input.value;
    let scope: Scope = scope.unwrap_or_default().parse().map_err(|error| Problem::from_scope(&error))?;
    let given = add(&app, &caller, name, role, scope, password, key).await?;
    Ok((StatusCode::CREATED, Json(given)))
}

/// Changes the password of a user, and ends all of the user's sessions.
#[utoipa::path(
    post, path = "/api/v1/users/{user}/password", tag = "access",
    params(("user" = Id, Path, description = "The user"), IdempotencyKey),
    request_body = Option<NewPassword>,
    responses((status = 200, description = "The password was changed", body = PasswordGiven), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn set_password(
    State(app): State<App>,
    PathParams(user): PathParams<String>,
    caller: Caller,
    input: Input<NewPassword>,
) -> Result<Json<PasswordGiven>, Problem> {
    caller.may_everywhere(Act::ManagePeople)?;
    let key = input.key(&caller);
    change_password(&app, &caller, user, input.value.password, key).await.map(Json)
}

/// Disables a user, and ends all of the user's sessions.
///
/// Callers cannot disable themselves, and the last admin who can log in cannot be disabled.
#[utoipa::path(
    post, path = "/api/v1/users/{user}/disable", tag = "access",
    params(("user" = Id, Path, description = "The user"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The user was disabled", body = AccessChanged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn disable_user(
    State(app): State<App>,
    PathParams(user): PathParams<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<AccessChanged>, Problem> {
    caller.may_everywhere(Act::ManagePeople)?;
    disable(&app, &caller, user, input.key(&caller)).await.map(Json)
}

/// Enables a disabled user, whose password is the one from before.
#[utoipa::path(
    post, path = "/api/v1/users/{user}/enable", tag = "access",
    params(("user" = Id, Path, description = "The user"), IdempotencyKey),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The user was enabled", body = AccessChanged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn enable_user(
    State(app): State<App>,
    PathParams(user): PathParams<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<AccessChanged>, Problem> {
    caller.may_everywhere(Act::ManagePeople)?;
    let command = AccessCommand::EnableUser { name: user };
    let answer = change(&app, &caller, command, input.key(&caller)).await?;
    AccessChanged::of(&answer).map(Json)
}

/// A page of the users that match.
pub(crate) async fn listed(
    app: &App,
    window: Pagination,
    wanted: impl Fn(&UserAccount) -> bool + Send + 'static,
) -> Result<Json<UserPage>, Problem> {
    let users = blocking(app, move |app| Ok(app.ledger.users()?)).await?;
    let users: Vec<UserAccount> = users.into_iter().filter(|user| wanted(user)).collect();
    let total = users.len();
    let page = users.into_iter().skip(window.offset()).take(window.limit());
    Ok(Json(UserPage { total, users: page.map(UserView::of).collect() }))
}

/// Adds a user with the given password, or a generated one.
pub(crate) async fn add(
    app: &App,
    caller: &Caller,
    name: String,
    role: Role,
    scope: Scope,
    password: Option<String>,
    key: Option<RequestKey>,
) -> Result<PasswordGiven, Problem> {
    let (password, made) = hashed(app, password).await?;
    let new = NewUser { name, role, scope, password };
    PasswordGiven::of(&change(app, caller, AccessCommand::AddUser(new), key).await?, made.as_ref())
}

/// Replaces a user's password and ends their event streams.
pub(crate) async fn change_password(
    app: &App,
    caller: &Caller,
    name: String,
    password: Option<String>,
    key: Option<RequestKey>,
) -> Result<PasswordGiven, Problem> {
    let (password, made) = hashed(app, password).await?;
    let command = AccessCommand::ChangePassword { name: name.clone(), password };
    let answer = change(app, caller, command, key).await?;
    app.clerk.live().disconnect_token(&login_key(&name));
    PasswordGiven::of(&answer, made.as_ref())
}

/// Disables a user and ends their event streams. Callers cannot disable themselves.
pub(crate) async fn disable(
    app: &App,
    caller: &Caller,
    name: String,
    key: Option<RequestKey>,
) -> Result<AccessChanged, Problem> {
    if caller.login.as_deref() == Some(&name) {
        let detail = format!("you are logged in as `{name}`; ask another admin to disable this user");
        return Err(Problem::new(StatusCode::CONFLICT, "access.user.self", detail));
    }
    let command = AccessCommand::DisableUser { name: name.clone() };
    let answer = change(app, caller, command, key).await?;
    app.clerk.live().disconnect_token(&login_key(&name));
    AccessChanged::of(&answer)
}

/// The hash of a password, and the password itself when it was generated here.
async fn hashed(app: &App, sent: Option<String>) -> Result<(String, Option<Secret>), Problem> {
    let made = if sent.is_none() { Some(make_password()?) } else { None };
    let password = sent.or_else(|| made.as_ref().map(|made| made.reveal().to_owned())).unwrap_or_default();
    let digest = with_password(app, move |_| Ok(hash_password(&password)?)).await?;
    Ok((digest, made))
}

impl PasswordGiven {
    fn of(answer: &Answer, made: Option<&Secret>) -> Result<Self, Problem> {
        let record = last(answer)?;
        Ok(Self {
            receipt: Receipt::of(record),
            event: raw(&record.draft.body)?,
            repeated: answer.repeated,
            password: made.and_then(|made| shown(answer, made)),
        })
    }
}

impl UserView {
    fn of(user: UserAccount) -> Self {
        let UserAccount { name, role, scope, created, disabled, .. } = user;
        Self { name, role, scope, created, disabled }
    }
}
