//! Deliveries of a webhook that were given up, over HTTP: what they are, and trying one once more.

use assize_kernel::Moment;
use assize_ledger::DeadLetter;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::access::Act;
use super::address::Address;
use super::caller::Caller;
use super::contests::Nothing;
use super::document::{Forbidden, Unknown};
use super::input::Input;
use super::problem::Problem;
use super::query::{Asked, Window};
use super::shapes;
use super::webhooks::{Attempt, known};
use super::{App, blocking};
use crate::hooks::{Outcome, delivery_at, delivery_id};

/// A page of what was given up.
#[derive(Serialize, ToSchema)]
pub(super) struct DeadLetterPage {
    dead_letters: Vec<Listed>,
}

/// A delivery that was given up.
#[derive(Serialize, ToSchema)]
#[schema(as = DeadLetter)]
pub(super) struct Listed {
    /// Its id.
    delivery: String,
    /// The record it told of.
    #[schema(minimum = 1)]
    position: u64,
    /// How often it was tried.
    attempts: u32,
    /// When it was last tried.
    #[schema(value_type = shapes::Moment)]
    at: Moment,
    error: String,
}

/// What a webhook could not deliver, in order.
#[utoipa::path(
    get, path = "/api/v1/webhooks/{webhook}/dead", tag = "webhooks",
    params(("webhook" = String, Path, description = "The webhook"), Window),
    responses((status = 200, description = "A page of them", body = DeadLetterPage), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_dead_letters(
    State(app): State<App>,
    Address(id): Address<String>,
    caller: Caller,
    Asked(window): Asked<Window>,
) -> Result<Json<DeadLetterPage>, Problem> {
    caller.may_everywhere(Act::ManageWebhooks)?;
    let webhook = known(&app, id).await?;
    let list = move |app: &App| Ok(app.ledger.dead_letters(&webhook.id, window.skipped(), window.most())?);
    let found = blocking(&app, list).await?;
    Ok(Json(DeadLetterPage { dead_letters: found.into_iter().map(Listed::from).collect() }))
}

/// Tries a delivery once more, at once; when it arrives, it is off the list.
#[utoipa::path(
    post, path = "/api/v1/webhooks/{webhook}/dead/{delivery}/retry", tag = "webhooks",
    params(
        ("webhook" = String, Path, description = "The webhook"),
        ("delivery" = String, Path, description = "The delivery's id")
    ),
    request_body = Option<Nothing>,
    responses((status = 200, description = "It was tried", body = Attempt), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn retry_dead_letter(
    State(app): State<App>,
    Address((id, delivery)): Address<(String, String)>,
    caller: Caller,
    _: Input<Nothing>,
) -> Result<Json<Attempt>, Problem> {
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
    let outcome = app.hooks.office.courier.send(&webhook, &told, app.clerk.now()).await;
    let attempt = Attempt::of(told.id, &outcome);
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

/// The position that a delivery's id names, if it is one of this webhook.
fn position_in(webhook: &str, delivery: &str) -> Option<u64> {
    let position = delivery.strip_prefix(webhook)?.strip_prefix('-')?.parse().ok()?;
    (delivery_id(webhook, position) == delivery).then_some(position)
}

impl From<DeadLetter> for Listed {
    fn from(DeadLetter { webhook, position, attempts, at, error }: DeadLetter) -> Self {
        Self { delivery: delivery_id(&webhook, position), position, attempts, at, error }
    }
}
