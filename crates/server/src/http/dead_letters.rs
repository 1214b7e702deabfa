//! Dead letters over HTTP: webhook deliveries that were given up, and retrying one.

use assize_kernel::Moment;
use assize_ledger::DeadLetter;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::access::Act;
use super::caller::Caller;
use super::contest::contests::Nothing;
use super::input::Input;
use super::openapi::{Forbidden, Unknown};
use super::path::PathParams;
use super::problem::Problem;
use super::query::{Pagination, QueryParams};
use super::webhooks::{DeliveryAttempt, known};
use super::{App, blocking};
use assize_engine::webhooks::{Outcome, delivery_at, delivery_id};

/// A page of dead letters.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeadLetterPage {
    dead_letters: Vec<DeadLetterView>,
}

/// A delivery that was given up.
#[derive(Serialize, ToSchema)]
#[schema(as = DeadLetter)]
pub(crate) struct DeadLetterView {
    /// The id of the delivery.
    delivery: String,
    /// The position of the record to be delivered.
    #[schema(minimum = 1)]
    position: u64,
    /// The number of attempts.
    attempts: u32,
    /// The time of the last attempt.
    at: Moment,
    error: String,
}

/// Lists the dead letters of a webhook, in order of position.
#[utoipa::path(
    get, path = "/api/v1/webhooks/{webhook}/dead", tag = "webhooks",
    params(("webhook" = String, Path, description = "The webhook"), Pagination),
    responses((status = 200, description = "A page of the dead letters", body = DeadLetterPage), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_dead_letters(
    State(app): State<App>,
    PathParams(id): PathParams<String>,
    caller: Caller,
    QueryParams(window): QueryParams<Pagination>,
) -> Result<Json<DeadLetterPage>, Problem> {
    caller.may_everywhere(Act::ManageWebhooks)?;
    let webhook = known(&app, id).await?;
    let list = move |app: &App| Ok(app.ledger.dead_letters(&webhook.id, window.skipped(), window.most())?);
    let found = blocking(&app, list).await?;
    Ok(Json(DeadLetterPage { dead_letters: found.into_iter().map(DeadLetterView::from).collect() }))
}

/// Retries a dead letter at once, and removes it from the list if it is delivered.
#[utoipa::path(
    post, path = "/api/v1/webhooks/{webhook}/dead/{delivery}/retry", tag = "webhooks",
    params(
        ("webhook" = String, Path, description = "The webhook"),
        ("delivery" = String, Path, description = "The delivery's id")
    ),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The result of the attempt", body = DeliveryAttempt), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn retry_dead_letter(
    State(app): State<App>,
    PathParams((id, delivery)): PathParams<(String, String)>,
    caller: Caller,
    _: Input<Nothing>,
) -> Result<Json<DeliveryAttempt>, Problem> {
    caller.may_everywhere(Act::ManageWebhooks)?;
    let webhook = known(&app, id).await?;
    let unknown = || Problem::not_found(format!("there is no dead letter `{delivery}`"));
    let position = position_in(&webhook.id, &delivery).ok_or_else(unknown)?;
    let sought = webhook.clone();
    let found = blocking(&app, move |app| {
        let Some(dead) = app.ledger.dead_letter(&sought.id, position)? else { return Ok(None) };
        let told = delivery_at(&*app.ledger, &app.courts, &sought, position)?;
        Ok(told.map(|told| (dead, told)))
    });
    let (dead, told) = found.await?.ok_or_else(unknown)?;
    let outcome = app.hooks.context.client.send(&webhook, &told, app.clerk.now()).await;
    let attempt = DeliveryAttempt::of(told.id, &outcome);
    let tried = DeadLetter { attempts: dead.attempts.saturating_add(1), at: app.clerk.now(), ..dead };
    settle(&app, tried, outcome).await?;
    Ok(Json(attempt))
}

async fn settle(app: &App, dead: DeadLetter, outcome: Outcome) -> Result<(), Problem> {
    let error = match outcome {
        Outcome::Delivered(_) => None,
        Outcome::Gone => Some("the receiver answered 410".to_owned()),
        Outcome::Failed { error, .. } => Some(error),
    };
    let settle = move |app: &App| match error {
        None => Ok(app.ledger.raise_letter(&dead.webhook, dead.position)?),
        Some(error) => Ok(app.ledger.bury_letter(&DeadLetter { error, ..dead })?),
    };
    blocking(app, settle).await
}

/// The ledger position in the id of a delivery, if the delivery belongs to this webhook.
fn position_in(webhook: &str, delivery: &str) -> Option<u64> {
    let position = delivery.strip_prefix(webhook)?.strip_prefix('-')?.parse().ok()?;
    (delivery_id(webhook, position) == delivery).then_some(position)
}

impl From<DeadLetter> for DeadLetterView {
    fn from(DeadLetter { webhook, position, attempts, at, error }: DeadLetter) -> Self {
        Self { delivery: delivery_id(&webhook, position), position, attempts, at, error }
    }
}
