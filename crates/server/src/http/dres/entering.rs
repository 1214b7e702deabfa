//! Login and logout for DRES clients.

use assize_kernel::Role;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::ToSchema;

use super::guest::DresCaller;
use super::said::{DresUser, ErrorStatus, SuccessStatus};
use crate::http::client_address::ClientAddress;
use crate::http::input::Input;
use crate::http::object::Object;
use crate::http::problem::Problem;
use crate::http::{App, cookie, session};
use assize_engine::Secret;

/// The credentials of a user.
#[derive(Deserialize, ToSchema)]
#[schema(as = DresLogin)]
pub(super) struct DresLogin {
    username: String,
    #[schema(format = Password)]
    password: String,
}

/// Logs a user in.
#[utoipa::path(
    post, path = "/api/v2/login", tag = "dres",
    request_body = DresLogin,
    responses(
        (status = 200, description = "Logged in; the cookie `SESSIONID` is set as well", body = DresUser),
        (status = 401, description = "The name or the password is wrong", body = ErrorStatus),
    )
)]
pub(crate) async fn enter_dres(
    State(app): State<App>,
    address: ClientAddress,
    input: Input<Object<DresLogin>>,
) -> Result<Response, Problem> {
    let Object(DresLogin { username, password }) = input.value;
    let found = session::enter(&app, address, username, password).await?;
    let set = cookie::DRES.set(&found.secret, app.front.settings.secure)?;
    let role = Role::named(&found.user.role).ok_or_else(|| Problem::internal("somebody has no role"))?;
    let user = DresUser::new(&found.user.name, role, &found.secret);
    Ok(([(header::SET_COOKIE, set)], Json(user)).into_response())
}

/// Logs the caller out.
#[utoipa::path(
    get, path = "/api/v2/logout", tag = "dres",
    responses(
        (status = 200, description = "Logged out", body = SuccessStatus),
        (status = 400, description = "The caller is not logged in", body = ErrorStatus),
    ),
    security(("dres_session" = []))
)]
pub(crate) async fn leave_dres(
    State(app): State<App>,
    guest: Result<DresCaller, Problem>,
) -> Result<Response, Problem> {
    let guest = guest.map_err(|problem| match problem.status() {
        StatusCode::UNAUTHORIZED => Problem::malformed(problem.detail()),
        _ => problem,
    })?;
    session::leave(&app, &guest.session).await?;
    app.clerk.live().disconnect_token(&guest.caller.token);
    tracing::info!(actor = %guest.caller.actor, "logged out");
    let removed = cookie::DRES.remove(app.front.settings.secure)?;
    let said = SuccessStatus::new(format!("`{}` is logged out", guest.caller.name()));
    Ok(([(header::SET_COOKIE, removed)], Json(said)).into_response())
}

/// Reads the user of the session.
#[utoipa::path(
    get, path = "/api/v2/user", tag = "dres",
    responses((status = 200, description = "The user of the session", body = DresUser)),
    security(("dres_session" = []))
)]
pub(crate) async fn read_dres_user(guest: DresCaller) -> Json<DresUser> {
    Json(DresUser::new(guest.caller.name(), guest.caller.actor.role, &guest.session))
}

impl DresUser {
    fn new(name: &str, role: Role, session: &Secret) -> Self {
        let id = name.to_owned();
        let username = name.to_owned();
        Self { id, username, role: role.into(), session_id: session.reveal().to_owned() }
    }
}
