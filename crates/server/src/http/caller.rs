//! Who is asking: somebody with a bearer token, or somebody who has logged in.

use std::net::IpAddr;
use std::sync::Arc;

use assize_kernel::{Actor, Digest, Moment, Role};
use assize_ledger::Session;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};

use super::client_address::ClientAddress;
use super::problem::Problem;
use super::visit::Visit;
use super::{App, blocking, cookie, forgery};
use crate::access::NOBODY;
use crate::live::listener_called;
use crate::{Scope, Secret};

/// Somebody who may come in.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    pub(super) actor: Actor,
    /// What they may touch.
    pub(super) scope: Scope,
    /// Until when, where there is an end.
    pub(super) expires: Option<Moment>,
    /// The digest of their token, or of the name they have logged in as: what they hear ends with it.
    pub(super) token: Digest,
    /// What they log in as, when they have logged in.
    pub(super) login: Option<String>,
    /// The secret of their session, when they have logged in.
    pub(super) session: Option<Secret>,
    address: IpAddr,
}

/// Whom a token or a session lets in.
#[derive(Debug, Clone)]
pub(super) struct Admitted {
    pub(super) actor: Actor,
    pub(super) scope: Scope,
    pub(super) expires: Option<Moment>,
    /// What they log in as; none by a token.
    pub(super) login: Option<String>,
}

impl Caller {
    /// Somebody who has logged in, and whom the secret of their session lets in.
    pub(super) fn logged_in(admitted: Admitted, session: Secret, address: IpAddr) -> Self {
        let name = admitted.login.as_deref().unwrap_or(&admitted.actor.name);
        let token = listener_called(name);
        Self::of(admitted, token, Some(session), address)
    }

    fn of(admitted: Admitted, token: Digest, session: Option<Secret>, address: IpAddr) -> Self {
        let Admitted { actor, scope, expires, login } = admitted;
        Visit::note_role(actor.role);
        Self { actor, scope, expires, token, login, session, address }
    }

    /// What they are called: the name they log in as, or else the one in the records.
    pub(super) fn name(&self) -> &str {
        self.login.as_deref().unwrap_or(&self.actor.name)
    }

    /// Somebody who is let in without showing anything.
    pub(super) fn unseen(admitted: Admitted, address: IpAddr) -> Self {
        Self::of(admitted, NOBODY, None, address)
    }

    /// From where the request came, to be kept with what follows from it.
    pub(super) fn origin(&self) -> Option<Arc<str>> {
        Some(origin(self.address))
    }
}

/// From where a request came: its address and its id.
pub(super) fn origin(address: IpAddr) -> Arc<str> {
    let address = match address {
        // Most are, and every change has one: their own way of writing takes several times as long.
        IpAddr::V4(address) => address.octets().map(|octet| octet.to_string()).join("."),
        IpAddr::V6(address) => address.to_string(),
    };
    let with_id = Visit::current(|visit| [&*address, " ", visit.id()].concat());
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
                // Few come this way: those who do not, do not carry its room about.
                let admitted = Box::pin(by_session(app, &secret)).await?;
                forgery::check(parts, &app.front.settings, &secret)?;
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

/// The token that came with a request.
fn bearer(headers: &HeaderMap) -> Result<&str, Problem> {
    let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let parts = value.and_then(|value| value.split_once(' '));
    let secret = parts.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let secret = secret.map(|(_, secret)| secret.trim());
    secret.ok_or_else(|| unknown("send a token as `Authorization: Bearer …`, or log in"))
}

/// Whom the token of this digest lets in now.
pub(super) async fn by_hash(app: &App, hash: Digest) -> Result<Option<Admitted>, Problem> {
    // Noted before the token is read: one that is taken back in between is not remembered.
    let losses = app.clerk.losses();
    let found = match app.tokens.get(&hash, losses) {
        Some(known) => Some(known),
        None => {
            let found = Box::pin(blocking(app, move |app| Ok(app.ledger.token(&hash)?))).await?;
            let good = found.filter(|token| token.revoked.is_none());
            let admitted = good.map(|token| admit(&token.actor, &token.scope, token.expires)).transpose()?;
            admitted.inspect(|admitted| app.tokens.remember(hash, admitted, losses))
        }
    };
    let now = app.clerk.now();
    Ok(found.filter(|known| known.expires.is_none_or(|expires| now < expires)))
}

/// Whoever has logged in, for some hours since they were last seen.
pub(super) async fn by_session(app: &App, secret: &Secret) -> Result<Admitted, Problem> {
    let (hash, now) = (secret.hash(), app.clerk.now());
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
        Ok(Some(Admitted { login: Some(user.name), ..admitted }))
    });
    found.await?.ok_or_else(|| {
        let detail = "nobody is logged in here any more; log in again";
        Problem::new(StatusCode::UNAUTHORIZED, "access.unknown_session", detail)
    })
}

/// A session goes on as long as it is used. That is noted now and then, not with every request.
fn keep_going(app: &App, session: Session, now: Moment) -> Result<Session, Problem> {
    if now - session.seen < cookie::SEEN_EVERY {
        return Ok(session);
    }
    let session = Session { seen: now, expires: now + cookie::LASTS, ..session };
    app.ledger.keep_session(&session, false)?;
    Ok(session)
}

fn admit(actor: &str, scope: &str, expires: Option<Moment>) -> Result<Admitted, Problem> {
    let actor: Actor = actor.parse().map_err(|error| Problem::internal(&format!("{error}")))?;
    let scope = scope.parse().map_err(|error| Problem::internal(&format!("{error}")))?;
    if actor.role == Role::System {
        return Err(Problem::internal("somebody comes in as the engine"));
    }
    Ok(Admitted { actor, scope, expires, login: None })
}
