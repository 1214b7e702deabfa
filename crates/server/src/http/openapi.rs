//! The OpenAPI document: generated from the routes and completed with the responses that all of them share.

use std::collections::BTreeMap;

use axum::Router;
use utoipa::openapi::path::Operation;
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder, Schema};
use utoipa::{IntoResponses, Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;

use super::problem::Problem;
use super::{App, dres};

/// The URL path of the document.
pub(crate) const PLACE: &str = "/api/v1/openapi.json";

/// The part of the document that does not come from routes: title, tags, shared schemas.
#[derive(OpenApi)]
#[openapi(
    info(title = "Assize", description = "A judging engine: it turns submissions into verdicts that can be \
         defended. All routes under `/api/v1` use JSON; errors are returned as \
         `application/problem+json` with a stable `code`."),
    components(schemas(Problem, dres::ErrorStatus)),
    modifiers(&SecuritySchemes),
    tags(
        (name = "contests", description = "Contests with their teams, tasks and submissions"),
        (name = "hunters", description = "Hunters with their quests, logs, reports and exams"),
        (name = "moderation", description = "The moderation queue, and the decisions of judges"),
        (name = "radio", description = "Radio classes, their sessions and turns"),
        (name = "summaries", description = "Runs of stored summaries"),
        (name = "boards", description = "Boards: ranked standings"),
        (name = "courts", description = "Courts and rulebooks, and judging without storing anything"),
        (name = "open door", description = "One contest without tokens, for tools written for the AIC scoring server"),
        (name = "events", description = "Live events"),
        (name = "judging", description = "Answers that wait for a judge, and the decisions of judges"),
        (name = "assessments", description = "Models and people as assessors, and the submissions that wait for them"),
        (name = "records", description = "Single records with their verdicts"),
        (name = "revisions", description = "Judging a stream again under another rulebook or with corrections"),
        (name = "webhooks", description = "URLs that receive notices"),
        (name = "access", description = "Tokens, users, sessions and the audit log"),
        (name = "dres", description = "The client API of DRES, for tools written for it"),
        (name = "operations", description = "Health checks and metrics"),
    )
)]
pub(crate) struct ApiDescription;

/// The security schemes.
struct SecuritySchemes;

impl Modify for SecuritySchemes {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        let session = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
            "assize_session",
            "For people who have logged in. Changes need the header `X-CSRF-Token` too, with `csrf` of the session.",
        )));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("bearer", token);
        components.add_security_scheme("session", session);
        let session =
            ApiKeyValue::with_description("session", "`sessionId` of the login, or the cookie `SESSIONID`.");
        components.add_security_scheme("dres_session", SecurityScheme::ApiKey(ApiKey::Query(session)));
    }
}

/// A problem response of an operation, by status code.
pub(crate) struct ProblemResponse<const STATUS: u16>;

/// Missing or invalid credentials.
pub(crate) type Unauthorized = ProblemResponse<401>;
/// The credentials lack the permission.
pub(crate) type Forbidden = ProblemResponse<403>;
/// The resource in the path does not exist.
pub(crate) type Unknown = ProblemResponse<404>;
/// The current state forbids the operation.
pub(crate) type Conflict = ProblemResponse<409>;

/// The requested range lies outside of the file.
pub(crate) type OutOfRange = ProblemResponse<416>;
/// Rate limit exceeded.
pub(crate) type Throttled = ProblemResponse<429>;
/// Temporarily unavailable.
pub(crate) type Unavailable = ProblemResponse<503>;

impl<const STATUS: u16> IntoResponses for ProblemResponse<STATUS> {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        BTreeMap::from([(STATUS.to_string(), problem(STATUS).into())])
    }
}

/// The whole document as JSON; deterministic for the same routes.
#[must_use]
pub fn openapi_document() -> String {
    with_document(super::routes()).1
}

/// The router and its document.
pub(crate) fn with_document(routes: OpenApiRouter<App>) -> (Router<App>, String) {
    let (router, mut document) = routes.split_for_parts();
    for (path, item) in &mut document.paths.paths {
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
        let told = if path.starts_with(dres::PLACE) { told_dres } else { problem };
        if path.starts_with("/api/") {
            operations.into_iter().flatten().for_each(|operation| complete(operation, told));
        }
    }
    (router, assize_kernel::to_json(&document))
}

/// Adds the responses that follow from the inputs of an operation.
fn complete(operation: &mut Operation, told: fn(u16) -> Response) {
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        without_null(body);
    }
    let parameters = operation.parameters.as_deref().unwrap_or_default();
    let keyed = parameters.iter().any(|parameter| match parameter {
        RefOr::T(parameter) => parameter.name == "Idempotency-Key",
        RefOr::Ref(_) => false,
    });
    let asked = operation.request_body.is_some();
    let rules = [
        (400, asked || !parameters.is_empty()),
        (401, operation.security.is_some()),
        (408, asked),
        (413, asked),
        (422, keyed),
        (429, true),
        (500, true),
        (503, true),
    ];
    for (status, _) in rules.into_iter().filter(|(_, holds)| *holds) {
        let said = operation.responses.responses.entry(status.to_string());
        said.or_insert_with(|| told(status).into());
    }
}

/// An optional body may be left out, but may not be `null`.
fn without_null(body: &mut RequestBody) {
    for content in body.content.values_mut() {
        if let RefOr::T(content) = content
            && let Some(RefOr::T(Schema::OneOf(either))) = &content.schema
            && let [wanted, _] = either.items.as_slice()
        {
            content.schema = Some(wanted.clone());
        }
    }
}

fn problem(status: u16) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let answer = ResponseBuilder::new().description(said_by(status));
    answer.content("application/problem+json", content).build()
}

/// A problem response in the format of DRES.
fn told_dres(status: u16) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("DresError"))).build();
    ResponseBuilder::new().description(said_by(status)).content("application/json", content).build()
}

fn said_by(status: u16) -> &'static str {
    match status {
        400 => "It cannot be read, or says what cannot be",
        401 => "No token or session, or one that is not known or has expired",
        403 => "This token may not do that",
        404 => "No such thing",
        408 => "The body did not arrive in time",
        409 => "The state of things speaks against it",
        413 => "The body is too long",
        416 => "There is no such part of it",
        422 => "The idempotency key came with another body",
        429 => "Too many requests; try again after `Retry-After`",
        500 => "Our fault; nothing was recorded",
        _ => "It could not be done, or nobody knows whether it was; try again after `Retry-After`",
    }
}
