//! Authentication of DRES clients: a session secret in the query or in a cookie.

use std::convert::Infallible;
use std::net::IpAddr;

use assize_courts::contest::ContestState;
use assize_kernel::{Role, StreamId};
use axum::extract::{FromRequestParts, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;

use crate::http::caller::{Caller, by_session};
use crate::http::client_address::ClientAddress;
use crate::http::problem::Problem;
use crate::http::{App, cookie, csrf};
use assize_engine::Secret;

/// A caller with a session, whether begun here or on a page.
pub(super) struct DresCaller {
    pub(super) caller: Caller,
    pub(super) session: Secret,
}

/// The session secret of a request, not yet looked up.
pub(super) struct DresCredentials {
    session: Result<Secret, Problem>,
    address: IpAddr,
}

impl DresCredentials {
    /// Looks up the session.
    pub(super) async fn guest(self, app: &App) -> Result<DresCaller, Problem> {
        let session = self.session?;
        let admitted = by_session(app, &session).await?;
        Ok(DresCaller { caller: Caller::logged_in(admitted, session.clone(), self.address), session })
    }
}

impl FromRequestParts<App> for DresCredentials {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let ClientAddress(address) = ClientAddress::from_request_parts(parts, app).await?;
        let session = in_address(parts).map_or_else(|| in_cookie(parts, app), Ok);
        Ok(Self { session, address })
    }
}

impl FromRequestParts<App> for DresCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let Ok(shown) = DresCredentials::from_request_parts(parts, app).await;
        shown.guest(app).await
    }
}

/// The secret in the query: sent by tools, never added by a browser on its own.
fn in_address(parts: &Parts) -> Option<Secret> {
    let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri).ok()?;
    let mut sessions = pairs.into_iter().filter(|(name, value)| name == "session" && !value.is_empty());
    sessions.next().map(|(_, session)| Secret::shown(session))
}

/// The secret in a cookie, which browsers add to every request: the site of the request is checked.
fn in_cookie(parts: &Parts, app: &App) -> Result<Secret, Problem> {
    let session = cookie::DRES.of(&parts.headers).ok_or_else(|| out("log in first"))?;
    csrf::check_site(&parts.headers, &app.front.settings).map_err(|problem| out(problem.detail()))?;
    Ok(session)
}

fn out(detail: &str) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "access.unknown_session", detail)
}

impl DresCaller {
    /// The contest of which the caller's scope names a team, if any.
    pub(super) fn contest(&self) -> Option<&StreamId> {
        use assize_engine::Scope::{Participant, Stream};
        match &self.caller.scope {
            Stream(stream) | Participant(stream, _) if self.caller.actor.role == Role::Participant => {
                (stream.court() == "contest").then_some(stream)
            }
            _ => None,
        }
    }

    /// The contest, and the caller's team in it.
    pub(super) fn team_in(&self, evaluation: &str) -> Result<(StreamId, String), Problem> {
        if self.caller.actor.role != Role::Participant {
            return Err(out("only who takes part can do that"));
        }
        let own = self.contest().filter(|stream| stream.name() == evaluation);
        own.map(|stream| (stream.clone(), self.caller.actor.name.clone())).ok_or_else(|| unknown(evaluation))
    }

    /// Reads a contest that the caller may see: participants their own, others those within their scope.
    pub(super) async fn look<T: Send + 'static>(
        &self,
        app: &App,
        evaluation: &str,
        look: impl Fn(&ContestState) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let stream = StreamId::new("contest", evaluation).map_err(|_| unknown(evaluation))?;
        if !self.caller.scope.covers(stream.as_str()) {
            return Err(unknown(evaluation));
        }
        let seen = move |state: &ContestState| state.rulebook().is_some().then(|| look(state));
        app.clerk.inspect(stream, seen).await?.ok_or_else(|| unknown(evaluation))
    }
}

fn unknown(evaluation: &str) -> Problem {
    Problem::not_found(format!("there is no evaluation `{evaluation}` for you"))
}
