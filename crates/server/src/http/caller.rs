//! Authentication: the caller of a request, by bearer token or by session cookie.

use std::net::IpAddr;
use std::sync::Arc;

use assize_kernel::{Actor, Digest, Moment, Role};
use assize_ledger::UserSession;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};

use super::client_address::ClientAddress;
use super::problem::Problem;
use super::request_context::RequestContext;
use super::{App, blocking, cookie, csrf};
use assize_engine::access::NOBODY;
use assize_engine::live::login_key;
use assize_engine::{Scope, Secret};

/// An authenticated caller.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) actor: Actor,
    /// The streams that the caller may access.
    pub(crate) scope: Scope,
    /// When the token or session expires, if it does.
    pub(crate) expires: Option<Moment>,
    /// Digest of the token, or of the login name; event streams end when it is revoked.
    pub(crate) token: Digest,
    /// The login name, for callers with a session.
    pub(crate) login: Option<String>,
    /// The secret of the session, for callers with one.
    pub(crate) session: Option<Secret>,
    address: IpAddr,
}

/// The identity and permissions of a valid token or session.
#[derive(Debug, Clone)]
pub(crate) struct AccessGrant {
    pub(crate) actor: Actor,
    pub(crate) scope: Scope,
    pub(crate) expires: Option<Moment>,
    /// The login name; none for a token.
    pub(crate) login: Option<String>,
}

impl Caller {
    /// The caller of a session.
    pub(crate) fn logged_in(admitted: AccessGrant, session: Secret, address: IpAddr) -> Self {
        let name = admitted.login.as_deref().unwrap_or(&admitted.actor.name);
        let token = login_key(name);
        Self::of(admitted, token, Some(session), address)
    }

    fn of(admitted: AccessGrant, token: Digest, session: Option<Secret>, address: IpAddr) -> Self {
        let AccessGrant { actor, scope, expires, login } = admitted;
        RequestContext::note_role(actor.role);
        Self { actor, scope, expires, token, login, session, address }
    }

    /// The login name, or the actor's name where there is none.
    pub(crate) fn name(&self) -> &str {
        self.login.as_deref().unwrap_or(&self.actor.name)
    }

    /// A caller without credentials.
    pub(crate) fn unseen(admitted: AccessGrant, address: IpAddr) -> Self {
        Self::of(admitted, NOBODY, None, address)
    }

    /// The origin of the request, stored with the records that follow from it.
    pub(crate) fn origin(&self) -> Option<Arc<str>> {
        Some(origin(self.address))
    }
}

/// The origin of a request: client address and request id.
pub(crate) fn origin(address: IpAddr) -> Arc<str> {
    let address = match address {
        // Nearly every address is IPv4 and every record has an origin: `Display` takes several times as long.
        IpAddr::V4(address) => address.octets().map(|octet| octet.to_string()).join("."),
        IpAddr::V6(address) => address.to_string(),
    };
    let with_id = RequestContext::current(|visit| [&*address, " ", visit.id()].concat());
    with_id.unwrap_or(address).into()
}

impl FromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let Ok(ClientAddress(address)) = ClientAddress::from_request_parts(parts, app).await;
        let cookie =
            cookie::of(&parts.headers).filter(|_| !parts.headers.contains_key(header::AUTHORIZATION));
        match cookie {
            Some(secret) => {
                // Boxed because sessions are rare: token requests should not carry the size of this future.
                let admitted = Box::pin(by_session(app, &secret)).await?;
                csrf::check(parts, &app.front.settings, &secret)?;
                Ok(Self::logged_in(admitted, secret, address))
            }
            None => {
                let token = Digest::of(bearer(&parts.headers)?.as_bytes());
                let admitted = by_hash(app, token).await?;
                let unknown = || unknown("this token is not known here, has expired or was taken back");
                Ok(Self::of(admitted.ok_or_else(unknown)?, token, None, address))
            }
        }
    }
}

fn unknown(detail: &str) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "access.unknown_token", detail)
}

/// The bearer token of a request.
fn bearer(headers: &HeaderMap) -> Result<&str, Problem> {
    let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let parts = value.and_then(|value| value.split_once(' '));
    let secret = parts.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let secret = secret.map(|(_, secret)| secret.trim());
    secret.ok_or_else(|| unknown("send a token as `Authorization: Bearer …`, or log in"))
}

/// The identity of the token with this digest, if it is valid now.
pub(crate) async fn by_hash(app: &App, hash: Digest) -> Result<Option<AccessGrant>, Problem> {
    // Read before the token is looked up, so that a token revoked in between is not cached.
    let revocations = app.clerk.revocations();
    let found = match app.tokens.get(&hash, revocations) {
        Some(known) => Some(known),
        None => {
            let found = Box::pin(blocking(app, move |app| Ok(app.ledger.token(&hash)?))).await?;
            let good = found.filter(|token| token.revoked.is_none());
            let admitted = good.map(|token| admit(&token.actor, &token.scope, token.expires)).transpose()?;
            admitted.inspect(|admitted| app.tokens.remember(hash, admitted, revocations))
        }
    };
    let now = app.clerk.now();
    Ok(found.filter(|known| known.expires.is_none_or(|expires| now < expires)))
}

/// The identity of a session that has not expired; each use extends it.
pub(crate) async fn by_session(app: &App, secret: &Secret) -> Result<AccessGrant, Problem> {
    let hash = secret.hash();
    let now = app.clerk.now();
    let found = blocking(app, move |app| {
        let session = app.ledger.session(&hash)?.filter(|session| now < session.expires);
        let Some(session) = session else { return Ok(None) };
        let user = app.ledger.user(&session.name)?.filter(|user| user.disabled.is_none());
        let Some(user) = user else { return Ok(None) };
        let session = keep_going(app, session, now)?;
        let actor = format!("{}:{}", user.role, user.name);
        let mut admitted = admit(&actor, &user.scope, Some(session.expires))?;
        if let Some(participant) = admitted.scope.participant() {
            admitted.actor.name = participant.to_owned();
        }
        Ok(Some(AccessGrant { login: Some(user.name), ..admitted }))
    });
    found.await?.ok_or_else(|| {
        let detail = "nobody is logged in here any more; log in again";
        Problem::new(StatusCode::UNAUTHORIZED, "access.unknown_session", detail)
    })
}

/// Extends a session that is in use. The store is updated every few minutes, not on every request.
fn keep_going(app: &App, session: UserSession, now: Moment) -> Result<UserSession, Problem> {
    if now - session.seen < cookie::SEEN_EVERY {
        return Ok(session);
    }
    let session = UserSession { seen: now, expires: now + cookie::LASTS, ..session };
    app.ledger.keep_session(&session, false)?;
    Ok(session)
}

fn admit(actor: &str, scope: &str, expires: Option<Moment>) -> Result<AccessGrant, Problem> {
    let actor: Actor = actor.parse().map_err(|error| Problem::internal(&format!("{error}")))?;
    let scope = scope.parse().map_err(|error| Problem::internal(&format!("{error}")))?;
    if actor.role == Role::System {
        return Err(Problem::internal("somebody comes in as the engine"));
    }
    Ok(AccessGrant { actor, scope, expires, login: None })
}
