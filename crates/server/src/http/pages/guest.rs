//! Who looks at a page: somebody who has logged in, or anybody.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::theme::Theme;
use crate::Secret;
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::problem::Problem;
use crate::http::{App, cookie, forgery};

/// Whoever looks at a page, and how they like it.
pub(in crate::http) struct Guest {
    /// None for whoever has not logged in.
    pub(super) caller: Option<Caller>,
    /// Whether that was looked up at all.
    pub(super) looked_up: bool,
    pub(super) theme: Theme,
    /// What forms must send back; none without a login.
    pub(super) csrf: Option<Secret>,
    /// Where they are: path and query.
    pub(super) place: String,
}

impl Guest {
    pub(super) fn new(caller: Option<Caller>, headers: &HeaderMap, place: String) -> Self {
        let csrf = caller.as_ref().and_then(|caller| caller.session.as_ref()).map(forgery::token);
        Self { caller, looked_up: true, theme: Theme::of(headers), csrf, place }
    }

    /// Whoever has logged in; a page that is for such people only says so to others.
    pub(super) fn must_be_known(&self) -> Result<&Caller, Problem> {
        self.caller.as_ref().ok_or_else(|| {
            let detail = "log in first: this is not for everybody";
            Problem::new(axum::http::StatusCode::UNAUTHORIZED, "access.unknown_session", detail)
        })
    }

    /// Whether they may do something that concerns the whole server: for leaving out what they may not anyway.
    pub(super) fn may_everywhere(&self, act: Act) -> bool {
        self.caller.as_ref().is_some_and(|caller| caller.may_everywhere(act).is_ok())
    }

    /// The same in one stream.
    pub(super) fn may(&self, act: Act, stream: &assize_kernel::StreamId) -> bool {
        self.caller.as_ref().is_some_and(|caller| caller.may(act, stream).is_ok())
    }
}

impl FromRequestParts<App> for Guest {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let shows = cookie::of(&parts.headers).is_some() || parts.headers.contains_key(header::AUTHORIZATION);
        let caller = if shows { known(Caller::from_request_parts(parts, app).await)? } else { None };
        let place = parts.uri.path_and_query().map_or("/", |place| place.as_str()).to_owned();
        Ok(Self::new(caller, &parts.headers, place))
    }
}

/// A login that has ended makes a guest; a server that cannot look makes a problem.
pub(super) fn known<T>(found: Result<T, Problem>) -> Result<Option<T>, Problem> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(problem) if problem.status() == axum::http::StatusCode::UNAUTHORIZED => Ok(None),
        Err(problem) => Err(problem),
    }
}
