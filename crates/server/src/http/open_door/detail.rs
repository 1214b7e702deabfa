//! What is not done, as tools at the root know it: `{"detail": …}`, a text or an object, and a status.

use std::collections::BTreeMap;

use assize_kernel::{Refusal, to_json};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use utoipa::openapi::{Content, ContentBuilder, Ref, RefOr, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use crate::ClerkError;
use crate::http::problem::Problem;

/// An answer that is no success.
#[derive(Debug)]
pub(super) struct Refused {
    /// What it would be anywhere else: its status, its code for whoever counts them, what goes into the log.
    problem: Box<Problem>,
    detail: Value,
}

impl Refused {
    /// The same with an object that programs can read, made from what is said to people; a 400.
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

    /// What cannot be read, with the form that was expected.
    pub(super) fn unreadable(problem: Problem, expected: &str) -> Self {
        if problem.status() != StatusCode::BAD_REQUEST {
            return problem.into();
        }
        let detail = json!(format!("{}; expected {expected}", problem.detail()));
        Self { problem: Box::new(problem), detail }
    }
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        let detail = json!(problem.detail());
        Self { problem: Box::new(problem), detail }
    }
}

impl From<ClerkError> for Refused {
    /// In the words of the tools: a question and its `time_limit`, where others have a task.
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

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let body = to_json(&json!({ "detail": self.detail }));
        let mut response = self.problem.into_response().map(|_| Body::from(body));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }
}

/// What was not done, and why.
#[derive(ToSchema)]
#[schema(as = DoorDetail)]
#[allow(dead_code, reason = "described here, written above")]
pub(super) struct Detail {
    /// For people; an object with an `error` where a tool is to tell.
    #[schema(value_type = Reason)]
    detail: Value,
}

/// For people, or with an `error` for tools.
#[derive(ToSchema)]
#[serde(untagged)]
#[schema(as = DoorReason)]
#[allow(dead_code, reason = "described here, written above")]
pub(super) enum Reason {
    Text(String),
    Late(Late),
}

/// The question takes no answers.
#[derive(ToSchema)]
#[schema(as = DoorLate)]
#[allow(dead_code, reason = "described here, written as JSON")]
pub(super) struct Late {
    /// `time_limit_exceeded`
    error: String,
    elapsed_time: f64,
    time_limit: f64,
    buffer_time: f64,
    message: String,
}

/// What every route at the root may answer with beside its success.
pub(super) struct Otherwise;

impl IntoResponses for Otherwise {
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

/// What the routes of an organiser may answer with, too.
pub(super) struct OrganisersOnly;

impl IntoResponses for OrganisersOnly {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        let said = [(401, "Neither an admin's token nor from this machine"), (403, "Not with this token")];
        said.into_iter().map(|(status, said)| (status.to_string(), response(said).into())).collect()
    }
}

/// As ours, or, before any route is reached, as everywhere else.
fn response(said: &str) -> utoipa::openapi::Response {
    let content =
        |name: &str| -> Content { ContentBuilder::new().schema(Some(Ref::from_schema_name(name))).build() };
    ResponseBuilder::new()
        .description(said)
        .content("application/json", content("DoorDetail"))
        .content("application/problem+json", content("Problem"))
        .build()
}
