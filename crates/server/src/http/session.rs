//! Login and logout over HTTP.

use assize_kernel::{Moment, Role};
use assize_ledger::{UserAccount, UserSession};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::caller::Caller;
use super::client_address::ClientAddress;
use super::input::Input;
use super::openapi::{Forbidden, Unauthorized};
use super::password_queue::with_password;
use super::problem::Problem;
use super::schemas::Id;
use super::throttle::TooManyAttempts;
use super::tokens::{AccessChanged, change, new_secret};
use super::{App, blocking, cookie, csrf};
use assize_engine::{AccessCommand, Secret, hash_password, is_password};

/// The credentials of a user.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Login)]
pub(crate) struct LoginRequest {
    #[schema(value_type = Id)]
    name: String,
    #[schema(max_length = 1024, format = Password)]
    password: String,
}

/// A change of the caller's password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = OtherPassword)]
pub(crate) struct PasswordChange {
    #[schema(max_length = 1024, format = Password)]
    old: String,
    #[schema(min_length = 10, max_length = 1024, format = Password)]
    new: String,
}

/// The caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct WhoAmI {
    #[schema(value_type = Id)]
    name: String,
    role: Role,
    /// The scope; empty for everything that the role permits.
    scope: String,
    /// The CSRF token, to be sent as `X-CSRF-Token` with every change that uses the cookie; null for a caller
    /// with a bearer token, which needs none.
    #[schema(required = true)]
    csrf: Option<String>,
    /// When the session or token expires; using a session extends it. Null if it does not expire.
    #[schema(required = true)]
    expires: Option<Moment>,
}

/// A user with a new session.
pub(crate) struct LoggedIn {
    pub(crate) user: UserAccount,
    pub(crate) secret: Secret,
    expires: Moment,
}

/// Logs a user in.
#[utoipa::path(
    post, path = "/api/v1/session", tag = "access",
    request_body = LoginRequest,
    responses((status = 201, description = "Logged in; the session cookie is set", body = WhoAmI), Unauthorized, Forbidden)
)]
pub(crate) async fn log_in(
    State(app): State<App>,
    address: ClientAddress,
    headers: HeaderMap,
    input: Input<LoginRequest>,
) -> Result<Response, Problem> {
    csrf::check_site(&headers, &app.front.settings)?;
    let LoginRequest { name, password } = input.value;
    let found = enter(&app, address, name, password).await?;
    let set = cookie::set(&found.secret, app.front.settings.secure)?;
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, set)], Json(found.view()?)).into_response())
}

/// Reads the caller, authenticated by cookie or by token.
#[utoipa::path(
    get, path = "/api/v1/session", tag = "access",
    responses((status = 200, description = "The caller", body = WhoAmI)),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn read_session(caller: Caller) -> Json<WhoAmI> {
    let csrf = caller.session.as_ref().map(|secret| csrf::token(secret).reveal().to_owned());
    let scope = caller.scope.to_string();
    let expires = caller.expires;
    Json(WhoAmI { name: caller.name().to_owned(), role: caller.actor.role, scope, csrf, expires })
}

/// Changes the caller's password, given the old one, and ends all of the caller's sessions.
#[utoipa::path(
    post, path = "/api/v1/session/password", tag = "access",
    request_body = PasswordChange,
    responses((status = 200, description = "The password was changed; log in again", body = AccessChanged), Forbidden),
    security(("session" = []))
)]
pub(crate) async fn change_password(
    State(app): State<App>,
    address: ClientAddress,
    caller: Caller,
    input: Input<PasswordChange>,
) -> Result<Response, Problem> {
    let Some(name) = caller.login.clone() else {
        return Err(Problem::forbidden("this is a token and no login; a token has no password"));
    };
    let PasswordChange { old, new } = input.value;
    recognise(&app, address, name.clone(), old).await?;
    let password = with_password(&app, move |_| Ok(hash_password(&new)?)).await?;
    let command = AccessCommand::ChangePassword { name, password };
    let changed = AccessChanged::of(&change(&app, &caller, command, None).await?)?;
    app.clerk.live().disconnect_token(&caller.token);
    let removed = cookie::remove(app.front.settings.secure)?;
    Ok(([(header::SET_COOKIE, removed)], Json(changed)).into_response())
}

/// Logs the caller out.
#[utoipa::path(
    delete, path = "/api/v1/session", tag = "access",
    responses((status = 204, description = "Logged out"), Forbidden),
    security(("session" = []))
)]
pub(crate) async fn log_out(State(app): State<App>, caller: Caller) -> Result<Response, Problem> {
    let Some(secret) = &caller.session else {
        return Err(Problem::forbidden("this is a token and no login; a token can be taken back"));
    };
    leave(&app, secret).await?;
    app.clerk.live().disconnect_token(&caller.token);
    tracing::info!(actor = %caller.actor, "logged out");
    let removed = cookie::remove(app.front.settings.secure)?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, removed)]).into_response())
}

/// Logs a user in with their password.
pub(crate) async fn enter(
    app: &App,
    address: ClientAddress,
    name: String,
    password: String,
) -> Result<LoggedIn, Problem> {
    let user = recognise(app, address, name, password).await?;
    let ClientAddress(address) = address;
    tracing::info!(actor = format_args!("{}:{}", user.role, user.name), %address, "logged in");
    begin(app, user).await
}

/// Verifies a password. After many failures, attempts are delayed, and refused when the delay would be long.
async fn recognise(
    app: &App,
    ClientAddress(address): ClientAddress,
    name: String,
    password: String,
) -> Result<UserAccount, Problem> {
    let admitted = app.throttle.admit(&name, address, || app.clerk.now()).await;
    let attempt = admitted.map_err(|TooManyAttempts(wait)| {
        tracing::warn!(%address, "too many failed attempts to log in");
        let seconds = u16::try_from((wait.0 + 999) / 1_000).unwrap_or(u16::MAX);
        let detail = format!("too many failed attempts to log in; try again in {seconds} s");
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "access.too_many_attempts", detail).retry_after(seconds)
    })?;
    let found = with_password(app, move |app| {
        let user = app.ledger.user(&name)?.filter(|user| user.disabled.is_none());
        let right = is_password(&password, user.as_ref().map(|user| user.password.as_str()));
        // Recorded here, where it also happens when the client has gone.
        attempt.finish(right, app.clerk.now());
        Ok(user.filter(|_| right))
    });
    found.await?.ok_or_else(|| {
        tracing::warn!(%address, "an attempt to log in failed");
        let detail = "the name or the password is wrong";
        Problem::new(StatusCode::UNAUTHORIZED, "access.wrong_password", detail)
    })
}

/// Creates a session for a user.
pub(crate) async fn begin(app: &App, user: UserAccount) -> Result<LoggedIn, Problem> {
    let secret = new_secret()?;
    let now = app.clerk.now();
    let name = user.name.clone();
    let expires = now + cookie::LASTS;
    let session = UserSession { hash: secret.hash(), name, created: now, seen: now, expires };
    blocking(app, move |app| {
        app.ledger.forget_sessions(now)?;
        Ok(app.ledger.keep_session(&session, true)?)
    })
    .await?;
    Ok(LoggedIn { user, secret, expires })
}

/// Deletes a session.
pub(crate) async fn leave(app: &App, secret: &Secret) -> Result<(), Problem> {
    let hash = secret.hash();
    blocking(app, move |app| Ok(app.ledger.end_session(&hash)?)).await
}

impl LoggedIn {
    fn view(&self) -> Result<WhoAmI, Problem> {
        let UserAccount { name, role, scope, .. } = &self.user;
        let role = Role::named(role).ok_or_else(|| Problem::internal("somebody has no role"))?;
        let csrf = Some(csrf::token(&self.secret).reveal().to_owned());
        Ok(WhoAmI { name: name.clone(), role, scope: scope.clone(), csrf, expires: Some(self.expires) })
    }
}
