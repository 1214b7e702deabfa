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

/// A token that is to be given out.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TokenWish {
    /// What its owner is called in the records.
    #[schema(value_type = Id)]
    name: String,
    /// What its owner may do.
    role: Role,
    /// A court, or a stream, that it is good for; otherwise for everything the role may. A participant's must be
    /// its stream.
    scope: Option<String>,
    /// What it is for.
    #[schema(max_length = 200)]
    label: Option<String>,
    /// Good for so long; otherwise until it is taken back.
    #[schema(minimum = 1, maximum = 3_153_600_000_u64)]
    expires_in_seconds: Option<u32>,
    /// Or until then.
    expires: Option<Moment>,
}

/// A token has been given out.
#[derive(Serialize, ToSchema)]
pub(crate) struct TokenGiven {
    pub(crate) receipt: Receipt,
    #[schema(value_type = AnyObject)]
    pub(crate) event: Box<RawValue>,
    /// Whether this is the answer to an earlier request, given again.
    pub(crate) repeated: bool,
    /// The secret, shown here and kept nowhere; null when this was answered before.
    #[schema(required = true)]
    pub(crate) token: Option<String>,
}

/// Something about who may come in is on record.
#[derive(Serialize, ToSchema)]
pub(crate) struct AccessChanged {
    receipt: Receipt,
    #[schema(value_type = AnyObject)]
    event: Box<RawValue>,
}

/// What is known of a token; never the token itself.
#[derive(Serialize, ToSchema)]
pub(crate) struct TokenView {
    /// What it is called.
    #[schema(pattern = "^[0-9a-f]{12}$")]
    pub(crate) id: String,
    /// Whom it lets in: a role and a name.
    pub(crate) actor: String,
    /// Empty for everything the role may.
    pub(crate) scope: String,
    pub(crate) label: String,
    pub(crate) issued: Moment,
    /// By whom; empty when that was not noted.
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
    /// To be sent as `after` for the next page; null when this was the last.
    #[schema(required = true)]
    pub(crate) next: Option<String>,
}

/// Query parameters of the token list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "described here, read below")]
pub(crate) struct TokenQuery {
    /// Those whose ids come after this one.
    #[param(nullable = false)]
    after: Option<String>,
    /// How many at most; 100 otherwise, and never more than 1000.
    #[param(nullable = false)]
    limit: Option<u64>,
}

/// Gives somebody a token.
#[utoipa::path(
    post, path = "/api/v1/tokens", tag = "access",
    params(IdempotencyKey),
    request_body = TokenWish,
    responses((status = 201, description = "The token", body = TokenGiven), Forbidden),
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

/// The tokens that have been given out.
#[utoipa::path(
    get, path = "/api/v1/tokens", tag = "access",
    params(TokenQuery),
    responses((status = 200, description = "A page of them, by id", body = TokenPage), Forbidden),
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

/// Takes a token back: it is not good any more from now on.
#[utoipa::path(
    delete, path = "/api/v1/tokens/{id}", tag = "access",
    params(("id" = String, Path, description = "What the token is called")),
    responses((status = 200, description = "It is not good any more", body = AccessChanged), Forbidden, Unknown, Conflict),
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
