//! Webhooks over HTTP: admins subscribe URLs to topics.

use assize_kernel::{Moment, StreamId};
use assize_ledger::{Webhook, WebhookChange, WebhookProgress};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::Act;
use super::caller::Caller;
use super::contest::contests::Nothing;
use super::input::{IdempotencyKey, Input};
use super::openapi::{Conflict, Forbidden, Unknown};
use super::path::PathParams;
use super::problem::Problem;
use super::query::{Pagination, QueryParams};
use super::{App, blocking};
use assize_engine::webhooks::{Asker, Outcome, UrlError, new_identity, random, read_url, trial};

/// Maximum number of topics per webhook.
const MOST_TOPICS: usize = 100;
/// Maximum length of a label, in characters.
const LONGEST_LABEL: usize = 200;

/// A webhook to add.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewWebhook {
    /// The URL to send to: `https://…` or `http://…`, without user name and password.
    #[schema(min_length = 1, max_length = 2048)]
    url: String,
    /// The topics: streams (`contest/spring`), or courts (`contest`) for all of their streams.
    #[schema(min_items = 1, max_items = 100)]
    topics: Vec<String>,
    /// A label, for people.
    #[schema(max_length = 200)]
    label: Option<String>,
}

/// An added webhook, with its secret.
#[derive(Serialize, ToSchema)]
#[schema(as = Added)]
pub(crate) struct WebhookAdded {
    webhook: WebhookView,
    /// The key that deliveries are signed with; only returned here.
    secret: String,
    /// Whether this repeats the response to an earlier request.
    repeated: bool,
}

/// A page of the webhooks.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookPage {
    webhooks: Vec<WebhookView>,
}

/// The state of a webhook: whether deliveries are sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum WebhookState {
    Active,
    Paused,
}

/// A webhook, without its secret.
#[derive(Serialize, ToSchema)]
#[schema(as = Webhook)]
pub(crate) struct WebhookView {
    id: String,
    url: String,
    topics: Vec<String>,
    #[schema(required = true)]
    label: Option<String>,
    added: Moment,
    state: WebhookState,
    /// The ledger position up to which every notice was delivered, given up, or not subscribed to.
    position: u64,
    /// The number of failed attempts of the next delivery.
    attempts: u32,
    /// The time of the next retry; null if no delivery is being retried, and while the webhook is paused.
    #[schema(required = true)]
    next_attempt: Option<Moment>,
    #[schema(required = true)]
    last_success: Option<Moment>,
    #[schema(required = true)]
    last_error: Option<DeliveryFailure>,
    /// The number of dead letters.
    dead_letters: u64,
}

/// The time and the error of a failed attempt.
#[derive(Serialize, ToSchema)]
#[schema(as = Trouble)]
pub(crate) struct DeliveryFailure {
    at: Moment,
    error: String,
}

/// The result of an attempt that was made at once.
#[derive(Serialize, ToSchema)]
#[schema(as = Attempt)]
pub(crate) struct DeliveryAttempt {
    /// The id of the delivery.
    delivery: String,
    delivered: bool,
    /// Why the attempt failed; null if it was delivered.
    #[schema(required = true)]
    error: Option<String>,
}

/// Adds a webhook, which receives notices from now on.
#[utoipa::path(
    post, path = "/api/v1/webhooks", tag = "webhooks",
    params(IdempotencyKey),
    request_body = NewWebhook,
    responses((status = 201, description = "The webhook was added", body = WebhookAdded), Forbidden, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn add_webhook(
    State(app): State<App>,
    caller: Caller,
    input: Input<NewWebhook>,
) -> Result<(StatusCode, Json<WebhookAdded>), Problem> {
    caller.may_everywhere(Act::ManageWebhooks)?;
    let key = input.key(&caller);
    let webhook = read(&app, input.value)?;
    let change = WebhookChange::Add(Box::new(webhook));
    let asker = Asker { key, ..asker(caller) };
    let entered = app.hooks.change(change, asker).await?;
    let webhook = known(&app, entered.webhook).await?;
    let secret = webhook.secret.0.clone();
    let repeated = entered.repeated;
    Ok((StatusCode::CREATED, Json(WebhookAdded { webhook: webhook.into(), secret, repeated })))
}

/// Lists the webhooks, without their secrets.
#[utoipa::path(
    get, path = "/api/v1/webhooks", tag = "webhooks",
    params(Pagination),
    responses((status = 200, description = "A page of the webhooks, the oldest first", body = WebhookPage), Forbidden),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_webhooks(
    State(app): State<App>,
    caller: Caller,
    QueryParams(window): QueryParams<Pagination>,
) -> Result<Json<WebhookPage>, Problem> {
    caller.may_everywhere(Act::ManageWebhooks)?;
    let found = blocking(&app, move |app| Ok(app.ledger.webhooks(window.skipped(), window.most())?)).await?;
    Ok(Json(WebhookPage { webhooks: found.into_iter().map(WebhookView::from).collect() }))
}

/// Removes a webhook, with its secret and its dead letters.
#[utoipa::path(
    delete, path = "/api/v1/webhooks/{webhook}", tag = "webhooks",
    params(("webhook" = String, Path, description = "The webhook")),
    responses((status = 204, description = "The webhook was removed"), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn remove_webhook(
    State(app): State<App>,
    PathParams(id): PathParams<String>,
    caller: Caller,
) -> Result<StatusCode, Problem> {
    caller.may_everywhere(Act::ManageWebhooks)?;
    app.hooks.change(WebhookChange::Remove(id), asker(caller)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pauses a webhook: deliveries wait until it is resumed.
#[utoipa::path(
    post, path = "/api/v1/webhooks/{webhook}/pause", tag = "webhooks",
    params(IdempotencyKey, ("webhook" = String, Path, description = "The webhook")),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The webhook is paused", body = WebhookView), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn pause_webhook(
    State(app): State<App>,
    PathParams(id): PathParams<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<WebhookView>, Problem> {
    caller.may_everywhere(Act::ManageWebhooks)?;
    let asker = Asker { key: input.key(&caller), ..asker(caller) };
    let webhook = known(&app, id).await?;
    if !webhook.paused {
        app.hooks.change(WebhookChange::Pause(webhook.id.clone()), asker).await?;
    }
    Ok(Json(known(&app, webhook.id).await?.into()))
}

/// Resumes a paused webhook where it stopped, or retries a failed delivery at once.
#[utoipa::path(
    post, path = "/api/v1/webhooks/{webhook}/resume", tag = "webhooks",
    params(IdempotencyKey, ("webhook" = String, Path, description = "The webhook")),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The webhook is active", body = WebhookView), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn resume_webhook(
    State(app): State<App>,
    PathParams(id): PathParams<String>,
    caller: Caller,
    input: Input<Nothing>,
) -> Result<Json<WebhookView>, Problem> {
    caller.may_everywhere(Act::ManageWebhooks)?;
    let asker = Asker { key: input.key(&caller), ..asker(caller) };
    let entered = app.hooks.change(WebhookChange::Resume(id), asker).await?;
    Ok(Json(known(&app, entered.webhook).await?.into()))
}

/// Sends a test delivery at once, even while the webhook is paused.
#[utoipa::path(
    post, path = "/api/v1/webhooks/{webhook}/test", tag = "webhooks",
    params(("webhook" = String, Path, description = "The webhook")),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The result of the attempt", body = DeliveryAttempt), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn test_webhook(
    State(app): State<App>,
    PathParams(id): PathParams<String>,
    caller: Caller,
    _: Input<Nothing>,
) -> Result<Json<DeliveryAttempt>, Problem> {
    caller.may_everywhere(Act::ManageWebhooks)?;
    let webhook = known(&app, id).await?;
    let unlike = random().map_err(|error| Problem::internal(&error.to_string()))?;
    let delivery = trial(&webhook, app.clerk.now(), u64::from_le_bytes(unlike));
    let outcome = app.hooks.context.client.send(&webhook, &delivery, app.clerk.now()).await;
    Ok(Json(DeliveryAttempt::of(delivery.id, &outcome)))
}

fn asker(caller: Caller) -> Asker {
    Asker { origin: caller.origin(), actor: caller.actor, key: None }
}

/// A webhook by id; 404 when there is none.
pub(crate) async fn known(app: &App, id: String) -> Result<Webhook, Problem> {
    let unknown = Problem::not_found(format!("there is no webhook `{id}`"));
    blocking(app, move |app| Ok(app.ledger.webhook(&id)?)).await?.ok_or(unknown)
}

fn read(app: &App, NewWebhook { url, topics, label }: NewWebhook) -> Result<Webhook, Problem> {
    let url = read_url(&url, app.hooks.context.client.allows_private())?;
    if topics.is_empty() || topics.len() > MOST_TOPICS {
        return Err(Problem::malformed(format!("`topics` must name 1 to {MOST_TOPICS} streams or courts")));
    }
    topics.iter().try_for_each(|topic| check_topic(app, topic))?;
    if label.as_ref().is_some_and(|label| label.chars().count() > LONGEST_LABEL) {
        return Err(Problem::malformed(format!("`label` is longer than {LONGEST_LABEL} characters")));
    }
    let (id, secret) = new_identity().map_err(|error| Problem::internal(&error.to_string()))?;
    let added = app.clerk.now();
    let progress = WebhookProgress::default();
    Ok(Webhook { id, url: url.into(), topics, label, secret, added, paused: false, progress, dead: 0 })
}

/// Checks a topic: its stream need not exist yet, but its name must be valid.
fn check_topic(app: &App, topic: &str) -> Result<(), Problem> {
    let court = topic.split_once('/').map_or(topic, |(court, _)| court);
    if app.courts.get(court).is_none() {
        let known: Vec<_> = app.courts.names().collect();
        let detail = format!("topic `{topic}`: there is no court `{court}`; there is {}", known.join(", "));
        return Err(Problem::malformed(detail));
    }
    if court == topic {
        return Ok(());
    }
    let stream: Result<StreamId, _> = topic.parse();
    stream.map(drop).map_err(|error| Problem::malformed(format!("topic `{topic}`: {error}")))
}

impl DeliveryAttempt {
    pub(crate) fn of(delivery: String, outcome: &Outcome) -> Self {
        let error = match outcome {
            Outcome::Delivered(_) => None,
            Outcome::Gone => Some("the receiver answered 410".to_owned()),
            Outcome::Failed { error, .. } => Some(error.clone()),
        };
        Self { delivery, delivered: error.is_none(), error }
    }
}

impl From<Webhook> for WebhookView {
    fn from(webhook: Webhook) -> Self {
        let Webhook { id, url, topics, label, added, paused, progress, dead, secret: _ } = webhook;
        let WebhookProgress { position, attempts, due, last_success, last_error } = progress;
        let state = if paused { WebhookState::Paused } else { WebhookState::Active };
        let next_attempt = (attempts > 0 && !paused).then_some(due);
        let last_error = last_error.map(|(at, error)| DeliveryFailure { at, error });
        let dead_letters = dead;
        Self {
            id,
            url,
            topics,
            label,
            added,
            state,
            position,
            attempts,
            next_attempt,
            last_success,
            last_error,
            dead_letters,
        }
    }
}

impl From<UrlError> for Problem {
    fn from(error: UrlError) -> Self {
        let code = match error {
            UrlError::Invalid(_) => "webhook.url.invalid",
            UrlError::Private => "webhook.url.private",
        };
        Self::new(StatusCode::BAD_REQUEST, code, error.to_string())
    }
}
