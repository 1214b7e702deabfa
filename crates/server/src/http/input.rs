//! Request bodies, read so that a mistake in one is named.

use assize_kernel::{ByName, Digest};
use assize_ledger::Key;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use super::App;
use super::body::whole_body;
use super::caller::Caller;
use super::problem::Problem;
use crate::RequestKey;

/// So that a repeated request gets the first answer.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code, reason = "described here, read below")]
pub(super) struct IdempotencyKey {
    /// The same request again under the same key gets the first answer, and does nothing.
    #[param(rename = "Idempotency-Key", nullable = false, min_length = 1, max_length = 255)]
    key: Option<String>,
}

/// A body that could be read, with what is needed to recognise the same request again.
pub(super) struct Input<T> {
    pub(super) value: T,
    keyed: Option<Keyed>,
}

/// A request that came with a key.
struct Keyed {
    key: String,
    /// Method and path.
    route: String,
    /// Those and the body.
    request: Digest,
}

impl<T> Input<T> {
    /// What a form says in the place of a body, with the key that its page has given it.
    pub(super) fn of_form(value: T, key: Option<&str>, route: &str, form: &[u8]) -> Self {
        let request = Digest::of_parts(&[route.as_bytes(), b"\n", form]);
        let keyed = key.map(|key| Keyed { key: key.to_owned(), route: route.to_owned(), request });
        Self { value, keyed }
    }

    /// The idempotency key, when the client sent one.
    pub(super) fn key(&self, caller: &Caller) -> Option<RequestKey> {
        self.keyed.as_ref()?;
        self.key_of(&caller.actor.to_string())
    }

    /// The same, for whoever is told apart by something else than by whom their request comes.
    pub(super) fn key_of(&self, whose: &str) -> Option<RequestKey> {
        let Keyed { key, route, request } = self.keyed.as_ref()?;
        let key = Key { scope: format!("{whose} {route}"), key: key.clone() };
        Some(RequestKey { key, request: *request })
    }
}

impl<T: DeserializeOwned> FromRequest<App> for Input<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        read_keyed(request, app, |body| read(&body)).await
    }
}

/// A text that is no JSON, with what is needed to recognise the same request again.
pub(super) struct TextInput(pub(super) Input<String>);

impl FromRequest<App> for TextInput {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        read_keyed(request, app, text).await.map(Self)
    }
}

async fn read_keyed<T>(
    request: Request,
    app: &App,
    read: impl FnOnce(Bytes) -> Result<T, Problem>,
) -> Result<Input<T>, Problem> {
    let key = match request.headers().get("idempotency-key").map(|value| value.to_str()) {
        None => None,
        Some(Ok(key)) if (1..=255).contains(&key.len()) => Some(key.to_owned()),
        Some(_) => return Err(Problem::malformed("`Idempotency-Key` must be 1 to 255 plain characters")),
    };
    let key = key.map(|key| (key, format!("{} {}", request.method(), request.uri().path())));
    let body = whole_body(request, &app.front.settings).await?;
    let keyed = key.map(|(key, route)| {
        let request = Digest::of_parts(&[route.as_bytes(), b"\n", &body]);
        Keyed { key, route, request }
    });
    Ok(Input { value: read(body)?, keyed })
}

/// A body as it came, for whoever reads it on their own.
pub(super) struct Document(pub(super) String);

impl FromRequest<App> for Document {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        text(whole_body(request, &app.front.settings).await?).map(Self)
    }
}

fn text(body: Bytes) -> Result<String, Problem> {
    let text = String::from_utf8(body.into());
    text.map_err(|_| Problem::malformed("the body cannot be read: it is not UTF-8"))
}

/// An empty body is an empty object, so that commands without parameters need none. What is meant to be an object
/// is one.
fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Problem> {
    let body: &[u8] = if body.is_empty() { b"{}" } else { body };
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = T::deserialize(ByName(&mut reader)).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| Problem::malformed(format!("the body cannot be read: {error}")))
}
