//! Request context of a page: the caller if logged in, the theme and the CSRF token.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::theme::PageTheme;
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::problem::Problem;
use crate::http::{App, cookie, csrf};
use assize_engine::Secret;

/// Context in which a page is rendered, extracted from the request.
pub(crate) struct PageContext {
    /// None without a login.
    pub(super) caller: Option<Caller>,
    /// Whether the caller was looked up at all.
    pub(super) looked_up: bool,
    pub(super) theme: PageTheme,
    /// CSRF token that forms must send back; none without a session.
    pub(super) csrf: Option<Secret>,
    /// Path and query of the request.
    pub(super) place: String,
}

impl PageContext {
    pub(super) fn new(caller: Option<Caller>, headers: &HeaderMap, place: String) -> Self {
        let csrf = caller.as_ref().and_then(|caller| caller.session.as_ref()).map(csrf::token);
        Self { caller, looked_up: true, theme: PageTheme::of(headers), csrf, place }
    }

    /// The logged-in caller; 401 without a login.
    pub(super) fn require_caller(&self) -> Result<&Caller, Problem> {
        self.caller.as_ref().ok_or_else(|| {
            let detail = "log in first: this is not for everybody";
            Problem::new(axum::http::StatusCode::UNAUTHORIZED, "access.unknown_session", detail)
        })
    }

    /// Whether the caller has a server-wide permission. Pages hide what the caller may not do.
    pub(super) fn may_everywhere(&self, act: Act) -> bool {
        self.caller.as_ref().is_some_and(|caller| caller.may_everywhere(act).is_ok())
    }

    /// Whether the caller has a permission in one stream.
    pub(super) fn may(&self, act: Act, stream: &assize_kernel::StreamId) -> bool {
        self.caller.as_ref().is_some_and(|caller| caller.may(act, stream).is_ok())
    }
}

impl FromRequestParts<App> for PageContext {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let shows = cookie::of(&parts.headers).is_some() || parts.headers.contains_key(header::AUTHORIZATION);
        let caller = if shows { known(Caller::from_request_parts(parts, app).await)? } else { None };
        let place = parts.uri.path_and_query().map_or("/", |place| place.as_str()).to_owned();
        Ok(Self::new(caller, &parts.headers, place))
    }
}

/// Maps an expired login to no caller; other problems are passed on.
pub(super) fn known<T>(found: Result<T, Problem>) -> Result<Option<T>, Problem> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(problem) if problem.status() == axum::http::StatusCode::UNAUTHORIZED => Ok(None),
        Err(problem) => Err(problem),
    }
}
