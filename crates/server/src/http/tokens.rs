//! Tokens over HTTP: creating, listing and revoking them.

use assize_kernel::{Actor, Millis, Moment, Role};
use assize_ledger::AccessToken;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::access::Act;
use super::caller::Caller;
use super::input::{IdempotencyKey, Input};
use super::openapi::{Conflict, Forbidden, Unknown};
use super::path::PathParams;
use super::problem::Problem;
use super::query::{Named, position};
use super::records::{Receipt, raw};
use super::schemas::{AnyObject, Id};
use super::submit::last;
use super::{App, blocking};
use assize_engine::{AccessCommand, Answer, NewToken, Petition, RequestKey, Scope, Secret};

/// Maximum number of tokens in one response.
const PAGE: u64 = 1_000;

/// A token to issue.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TokenWish {
    /// The name of the owner, which is the actor's name in the records.
    #[schema(value_type = Id)]
    name: String,
    /// The role of the owner.
    role: Role,
    /// The scope: a court, a stream, or a participant of a stream; defaults to everything that the role
    /// permits. A participant's scope must be its stream, or itself in the stream (`contest/spring/ants`).
    scope: Option<String>,
    /// A description of the token, for admins.
    #[schema(max_length = 200)]
    label: Option<String>,
    /// The lifetime in seconds; without it and without `expires`, the token is valid until it is revoked.
    #[schema(minimum = 1, maximum = 3_153_600_000_u64)]
    expires_in_seconds: Option<u32>,
    /// When the token expires, instead of a lifetime.
    expires: Option<Moment>,
}

/// An issued token.
#[derive(Serialize, ToSchema)]
pub(crate) struct TokenGiven {
    pub(crate) receipt: Receipt,
    #[schema(value_type = AnyObject)]
    pub(crate) event: Box<RawValue>,
    /// Whether this repeats the response to an earlier request.
    pub(crate) repeated: bool,
    /// The secret of the token, returned once and not stored; null in a repeated response.
    #[schema(required = true)]
    pub(crate) token: Option<String>,
}

/// A recorded change of access.
#[derive(Serialize, ToSchema)]
pub(crate) struct AccessChanged {
    receipt: Receipt,
    #[schema(value_type = AnyObject)]
    event: Box<RawValue>,
}

/// A token, without its secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct TokenView {
    /// The id: the first 12 hexadecimal digits of the SHA-256 of the secret.
    #[schema(pattern = "^[0-9a-f]{12}$")]
    pub(crate) id: String,
    /// The owner, as `role:name`.
    pub(crate) actor: String,
    /// The scope; empty for everything that the role permits.
    pub(crate) scope: String,
    pub(crate) label: String,
    pub(crate) issued: Moment,
    /// The actor that issued the token, as `role:name`; empty if unknown.
    pub(crate) issued_by: String,
    #[schema(required = true)]
    pub(crate) expires: Option<Moment>,
    #[schema(required = true)]
    pub(crate) revoked: Option<Moment>,
}

/// A page of tokens, by id.
#[derive(Serialize, ToSchema)]
pub(crate) struct TokenPage {
    pub(crate) tokens: Vec<TokenView>,
    /// The value of `after` for the next page; null on the last page.
    #[schema(required = true)]
    pub(crate) next: Option<String>,
}

/// Query parameters of the token list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "described here, read below")]
pub(crate) struct TokenQuery {
    /// Only tokens whose ids come after this one.
    #[param(nullable = false)]
    after: Option<String>,
    /// The maximum number of tokens; 100 by default, at most 1000.
    #[param(nullable = false)]
    limit: Option<u64>,
}

/// Issues a token.
#[utoipa::path(
    post, path = "/api/v1/tokens", tag = "access",
    params(IdempotencyKey),
    request_body = TokenWish,
    responses((status = 201, description = "The token was issued", body = TokenGiven), Forbidden),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn issue_token(
    State(app): State<App>,
    caller: Caller,
    input: Input<TokenWish>,
) -> Result<(StatusCode, Json<TokenGiven>), Problem> {
    caller.may_everywhere(Act::IssueTokens)?;
    let key = input.key(&caller);
    let TokenWish { name, role, scope, label, expires_in_seconds, expires } = input.value;
    let scope: Scope = scope.unwrap_or_default().parse().map_err(|error| Problem::from_scope(&error))?;
    let expires = end(app.clerk.now(), expires_in_seconds, expires)?;
    let secret = new_secret()?;
    let label = label.unwrap_or_default();
    let token = NewToken { scope, label, expires, ..NewToken::of(&secret, Actor::new(role, name)) };
    let answer = change(&app, &caller, AccessCommand::IssueToken(token), key).await?;
    Ok((StatusCode::CREATED, Json(given(&answer, &secret)?)))
}

/// Lists the issued tokens, by id.
#[utoipa::path(
    get, path = "/api/v1/tokens", tag = "access",
    params(TokenQuery),
    responses((status = 200, description = "A page of the tokens, by id", body = TokenPage), Forbidden),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_tokens(
    State(app): State<App>,
    caller: Caller,
    parameters: Named,
) -> Result<Json<TokenPage>, Problem> {
    caller.may_everywhere(Act::IssueTokens)?;
    let [after, limit] = parameters.take(["after", "limit"])?;
    let limit = position("limit", limit)?.unwrap_or(100).min(PAGE);
    let after = after.unwrap_or_default();
    let found = blocking(&app, move |app| Ok(app.ledger.tokens(&after, limit)?)).await?;
    let next =
        (limit > 0 && found.len() as u64 == limit).then(|| found.last().map(AccessToken::id)).flatten();
    Ok(Json(TokenPage { tokens: found.into_iter().map(TokenView::of).collect(), next }))
}

/// Revokes a token.
#[utoipa::path(
    delete, path = "/api/v1/tokens/{id}", tag = "access",
    params(("id" = String, Path, description = "The id of the token")),
    responses((status = 200, description = "The token was revoked", body = AccessChanged), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn revoke_token(
    State(app): State<App>,
    PathParams(id): PathParams<String>,
    caller: Caller,
) -> Result<Json<AccessChanged>, Problem> {
    caller.may_everywhere(Act::IssueTokens)?;
    let answer = change(&app, &caller, AccessCommand::RevokeToken { id: id.clone() }, None).await?;
    if let Some(token) = blocking(&app, move |app| Ok(app.ledger.token_called(&id)?)).await? {
        app.clerk.live().disconnect_token(&token.hash);
    }
    AccessChanged::of(&answer).map(Json)
}

/// Submits an access command to the clerk.
pub(crate) async fn change(
    app: &App,
    caller: &Caller,
    command: AccessCommand,
    key: Option<RequestKey>,
) -> Result<Answer, Problem> {
    let petition = Petition::for_access(command, caller.actor.clone(), app.clerk.now());
    Ok(app.clerk.submit(Petition { key, origin: caller.origin(), ..petition }).await?)
}

/// The response with the secret, which is shown only once.
pub(crate) fn given(answer: &Answer, secret: &Secret) -> Result<TokenGiven, Problem> {
    let record = last(answer)?;
    Ok(TokenGiven {
        receipt: Receipt::of(record),
        event: raw(&record.draft.body)?,
        repeated: answer.repeated,
        token: shown(answer, secret),
    })
}

/// The secret, if it is the one recorded: a repeated request has generated another, which is void.
pub(crate) fn shown(answer: &Answer, secret: &Secret) -> Option<String> {
    (!answer.repeated).then(|| secret.reveal().to_owned())
}

pub(crate) fn new_secret() -> Result<Secret, Problem> {
    Secret::new().map_err(|error| Problem::internal(&error.to_string()))
}

fn end(now: Moment, seconds: Option<u32>, until: Option<Moment>) -> Result<Option<Moment>, Problem> {
    let end = match (seconds, until) {
        (Some(_), Some(_)) => {
            return Err(Problem::malformed("give `expires_in_seconds` or `expires`, not both"));
        }
        (Some(seconds), None) => Some(now + Millis(i64::from(seconds) * 1_000)),
        (None, until) => until,
    };
    match end {
        Some(end) if end <= now => {
            Err(Problem::malformed("a token cannot have expired before it is given out"))
        }
        end => Ok(end),
    }
}

impl AccessChanged {
    pub(crate) fn of(answer: &Answer) -> Result<Self, Problem> {
        let record = last(answer)?;
        Ok(Self { receipt: Receipt::of(record), event: raw(&record.draft.body)? })
    }
}

impl TokenView {
    fn of(token: AccessToken) -> Self {
        let id = token.id();
        let AccessToken { actor, scope, label, issued, issued_by, expires, revoked, .. } = token;
        Self { id, actor, scope, label, issued, issued_by, expires, revoked }
    }
}

impl Problem {
    pub(crate) fn from_scope(error: &assize_engine::BadScope) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "access.scope.invalid", error.to_string())
    }
}
