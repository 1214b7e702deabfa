//! Error responses: `application/problem+json` with a stable code.

use std::borrow::Cow;

use assize_kernel::{Refusal, RefusalKind};
use assize_ledger::LedgerError;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::dres::error_status;
use super::request_context::RequestContext;
use assize_engine::ClerkError;

/// An error response.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    #[serde(serialize_with = "as_number")]
    #[schema(value_type = u16, minimum = 400, maximum = 599)]
    status: StatusCode,
    title: &'static str,
    /// The error code, for programs; its meaning never changes.
    #[schema(value_type = String, pattern = "^[a-z_]+([.][a-z_]+)+$")]
    code: Cow<'static, str>,
    /// The error message, for people.
    detail: String,
    /// Additional facts, depending on the code.
    #[serde(flatten)]
    #[schema(value_type = HashMap<String, serde_json::Value>)]
    facts: serde_json::Map<String, serde_json::Value>,
    /// Seconds for the `Retry-After` header.
    #[serde(skip)]
    retry_after: Option<u16>,
}

/// Response extension with the problem's code, for the metrics.
#[derive(Debug, Clone)]
pub(crate) struct ProblemCode(pub(crate) Cow<'static, str>);

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        let title = status.canonical_reason().unwrap_or("Problem");
        let retry_after = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(1);
        let code = code.into();
        let detail = detail.into();
        Self { status, title, code, detail, facts: serde_json::Map::new(), retry_after }
    }

    /// Adds `Retry-After`.
    pub(crate) fn retry_after(self, seconds: u16) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// Replaces the status, where a compatible API has fixed another one.
    pub(crate) fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// An additional member of the problem.
    pub(crate) fn fact(&self, name: &str) -> Option<&serde_json::Value> {
        self.facts.get(name)
    }

    pub(crate) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "request.malformed", detail)
    }

    pub(crate) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "access.forbidden", detail)
    }

    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "resource.unknown", detail)
    }
}

impl IntoResponse for Problem {
    fn into_response(mut self) -> Response {
        if let Some(id) = RequestContext::current_id() {
            self.facts.insert("request_id".into(), id.into());
        }
        if self.status.is_server_error() {
            tracing::error!(code = %self.code, detail = self.detail, "a request failed");
        }
        let mut response = match RequestContext::reader() {
            Some(reader) => crate::pages::problem_page(&self, reader.theme.as_deref(), &reader.place),
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
        let (body, content_type) = if RequestContext::is_of_dres() {
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
    /// Logs the details of an internal error; the response does not contain them.
    pub(crate) fn internal(inside: &str) -> Self {
        tracing::error!(error = inside, "internal error");
        let outside = "something went wrong on our side; nothing was recorded and nobody is charged for it";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "server.internal", outside)
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn as_number<S: serde::Serializer>(status: &StatusCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u16(status.as_u16())
}
