//! Errors in the format of the AIC server: `{"detail": …}` with a text or an object.

use std::collections::BTreeMap;

use assize_kernel::{Refusal, to_json};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use utoipa::openapi::{Content, ContentBuilder, Ref, RefOr, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use crate::http::problem::Problem;
use assize_engine::ClerkError;

/// An error response.
#[derive(Debug)]
pub(super) struct ErrorResponse {
    /// The problem behind the error: its status, its code for the metrics, its text for the log.
    problem: Box<Problem>,
    detail: Value,
}

impl ErrorResponse {
    /// Replaces the detail with an object made from the message; a 400.
    pub(super) fn in_full(self, detail: impl FnOnce(&str) -> Value) -> Self {
        let problem = self.problem.with_status(StatusCode::BAD_REQUEST);
        Self { detail: detail(problem.detail()), problem: Box::new(problem) }
    }

    /// A 400 that says what was expected.
    pub(super) fn malformed(said: impl Into<String>) -> Self {
        Problem::malformed(said).into()
    }

    pub(super) fn not_found(said: impl Into<String>) -> Self {
        Problem::not_found(said).into()
    }

    /// A body that cannot be parsed, with the expected format.
    pub(super) fn unreadable(problem: Problem, expected: &str) -> Self {
        if problem.status() != StatusCode::BAD_REQUEST {
            return problem.into();
        }
        let detail = json!(format!("{}; expected {expected}", problem.detail()));
        Self { problem: Box::new(problem), detail }
    }
}

impl From<Problem> for ErrorResponse {
    fn from(problem: Problem) -> Self {
        let detail = json!(problem.detail());
        Self { problem: Box::new(problem), detail }
    }
}

impl From<ClerkError> for ErrorResponse {
    /// In the terms of the AIC server: a question and its `time_limit` instead of a task.
    fn from(error: ClerkError) -> Self {
        let ClerkError::Refused(refusal) = error else { return Problem::from(error).into() };
        let mut message = refusal.message.clone();
        for (ours, theirs) in [
            ("time_limit_seconds", "`time_limit`"),
            ("buffer_seconds", "`buffer_time`"),
            ("say which one is meant", "say which one is meant with `question_id`"),
            ("task", "question"),
        ] {
            message = message.replace(ours, theirs);
        }
        Problem::from(Refusal { message, ..refusal }).into()
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let body = to_json(&json!({ "detail": self.detail }));
        let mut response = self.problem.into_response().map(|_| Body::from(body));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }
}

/// The body of an error response.
#[derive(ToSchema)]
#[schema(as = DoorDetail)]
#[allow(dead_code, reason = "described here, written above")]
pub(super) struct ErrorBody {
    /// A message for people, or an object with an `error` code for tools.
    #[schema(value_type = ErrorDetail)]
    detail: Value,
}

/// A message for people, or an object with an `error` code for tools.
#[derive(ToSchema)]
#[serde(untagged)]
#[schema(as = DoorReason)]
#[allow(dead_code, reason = "described here, written above")]
pub(super) enum ErrorDetail {
    Text(String),
    Late(TimeLimitDetail),
}

/// The details of an answer to a question that accepts none.
#[derive(ToSchema)]
#[schema(as = DoorLate)]
#[allow(dead_code, reason = "described here, written as JSON")]
pub(super) struct TimeLimitDetail {
    /// Always `time_limit_exceeded`.
    error: String,
    elapsed_time: f64,
    time_limit: f64,
    buffer_time: f64,
    message: String,
}

/// The error responses of every route.
pub(super) struct ErrorResponses;

impl IntoResponses for ErrorResponses {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        let said = [
            (400, "It cannot be read, or the question takes no answers"),
            (404, "No contest is open to all, or it has no such question"),
            (408, "The body did not arrive in time"),
            (413, "The body is too long"),
            (422, "The idempotency key came with another body"),
            (429, "Too many requests; try again after `Retry-After`"),
            (500, "Our fault; nothing was recorded"),
            (503, "It could not be done, or nobody knows whether it was; try again after `Retry-After`"),
        ];
        said.into_iter().map(|(status, said)| (status.to_string(), response(said).into())).collect()
    }
}

/// The additional error responses of the organisers' routes.
pub(super) struct OrganiserErrors;

impl IntoResponses for OrganiserErrors {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        let said = [(401, "Neither an admin's token nor from this machine"), (403, "Not with this token")];
        said.into_iter().map(|(status, said)| (status.to_string(), response(said).into())).collect()
    }
}

/// Our format, or the general problem format when the error occurs before a route is reached.
fn response(said: &str) -> utoipa::openapi::Response {
    let content =
        |name: &str| -> Content { ContentBuilder::new().schema(Some(Ref::from_schema_name(name))).build() };
    ResponseBuilder::new()
        .description(said)
        .content("application/json", content("DoorDetail"))
        .content("application/problem+json", content("Problem"))
        .build()
}
