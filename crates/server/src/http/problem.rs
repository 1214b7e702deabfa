//! What a client is told when something was not done: `application/problem+json` with a stable code.

use std::borrow::Cow;

use assize_kernel::{Refusal, RefusalKind};
use assize_ledger::LedgerError;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::dres::error_status;
use super::pages;
use super::visit::Visit;
use crate::ClerkError;

/// An answer that is no success.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Problem {
    #[serde(serialize_with = "as_number")]
    #[schema(value_type = u16, minimum = 400, maximum = 599)]
    status: StatusCode,
    title: &'static str,
    /// For programs; never changes its meaning.
    #[schema(value_type = String, pattern = "^[a-z_]+([.][a-z_]+)+$")]
    code: Cow<'static, str>,
    /// For people.
    detail: String,
    /// Facts beside the message.
    #[serde(flatten)]
    #[schema(value_type = HashMap<String, serde_json::Value>)]
    facts: serde_json::Map<String, serde_json::Value>,
    /// After how many seconds it is worth trying again.
    #[serde(skip)]
    retry_after: Option<u16>,
}

/// Goes with the answer, for whoever counts them.
#[derive(Debug, Clone)]
pub(super) struct ProblemCode(pub(super) Cow<'static, str>);

impl Problem {
    pub(super) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        let title = status.canonical_reason().unwrap_or("Problem");
        let retry_after = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(1);
        let (code, detail) = (code.into(), detail.into());
        Self { status, title, code, detail, facts: serde_json::Map::new(), retry_after }
    }

    /// Worth trying again after so many seconds.
    pub(super) fn retry_after(self, seconds: u16) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// The same with another status, where others have given it one.
    pub(super) fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    pub(super) fn status(&self) -> StatusCode {
        self.status
    }

    pub(super) fn detail(&self) -> &str {
        &self.detail
    }

    pub(super) fn code(&self) -> &str {
        &self.code
    }

    /// A fact beside the message.
    pub(super) fn fact(&self, name: &str) -> Option<&serde_json::Value> {
        self.facts.get(name)
    }

    pub(super) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "request.malformed", detail)
    }

    pub(super) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "access.forbidden", detail)
    }

    pub(super) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "resource.unknown", detail)
    }
}

impl IntoResponse for Problem {
    fn into_response(mut self) -> Response {
        if let Some(id) = Visit::current_id() {
            self.facts.insert("request_id".into(), id.into());
        }
        if self.status.is_server_error() {
            tracing::error!(code = %self.code, detail = self.detail, "a request failed");
        }
        let mut response = match Visit::reader() {
            Some(reader) => pages::problem_page(&self, reader.theme.as_deref(), &reader.place),
            None => self.for_programs(),
        };
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(ProblemCode(self.code));
        response
    }
}

impl Problem {
    fn for_programs(&self) -> Response {
        let (body, content_type) = if Visit::is_of_dres() {
            (error_status(&self.detail), "application/json")
        } else {
            (assize_kernel::to_json(self), "application/problem+json")
        };
        (self.status, [(header::CONTENT_TYPE, HeaderValue::from_static(content_type))], body).into_response()
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal.kind {
            RefusalKind::Malformed | RefusalKind::Late => StatusCode::BAD_REQUEST,
            RefusalKind::Forbidden => StatusCode::FORBIDDEN,
            RefusalKind::Unknown => StatusCode::NOT_FOUND,
            RefusalKind::Conflict => StatusCode::CONFLICT,
        };
        let title = status.canonical_reason().unwrap_or("Refused");
        Self {
            status,
            title,
            code: refusal.code,
            detail: refusal.message,
            facts: refusal.detail,
            retry_after: None,
        }
    }
}

impl From<ClerkError> for Problem {
    fn from(error: ClerkError) -> Self {
        let detail = error.to_string();
        match error {
            ClerkError::Refused(refusal) => refusal.into(),
            ClerkError::KeyReused => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency.key_reused", detail)
            }
            ClerkError::QueueFull => Self::new(StatusCode::SERVICE_UNAVAILABLE, "clerk.queue_full", detail),
            ClerkError::Unavailable(_) => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "ledger.unavailable", detail)
            }
            ClerkError::Unknown(_) => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "ledger.commit_unknown", detail)
            }
            ClerkError::Closing => Self::new(StatusCode::SERVICE_UNAVAILABLE, "server.closing", detail),
            ClerkError::Damaged(_) | ClerkError::Broken(_) => Self::internal(&detail),
        }
    }
}

impl From<LedgerError> for Problem {
    fn from(error: LedgerError) -> Self {
        ClerkError::from(error).into()
    }
}

impl Problem {
    /// What went wrong inside is for the log; outside, it is enough that it was our fault and cost nobody anything.
    pub(super) fn internal(inside: &str) -> Self {
        tracing::error!(error = inside, "internal error");
        let outside = "something went wrong on our side; nothing was recorded and nobody is charged for it";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "server.internal", outside)
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn as_number<S: serde::Serializer>(status: &StatusCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u16(status.as_u16())
}
