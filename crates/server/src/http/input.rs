//! JSON request bodies: extractors with precise errors and idempotency keys.

use assize_kernel::{Digest, StrictObjects};
use assize_ledger::ScopedKey;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use super::App;
use super::body::whole_body;
use super::caller::Caller;
use super::problem::Problem;
use assize_engine::RequestKey;

/// The `Idempotency-Key` header.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code, reason = "described here, read below")]
pub(crate) struct IdempotencyKey {
    /// A key that makes retries safe: the same request with the same key gets the first response and has no
    /// further effect.
    #[param(rename = "Idempotency-Key", nullable = false, min_length = 1, max_length = 255)]
    key: Option<String>,
}

/// A parsed body, with what identifies a repeated request.
pub(crate) struct Input<T> {
    pub(crate) value: T,
    keyed: Option<KeyedRequest>,
}

/// An idempotency key and the request it belongs to.
struct KeyedRequest {
    key: String,
    /// Method and path.
    route: String,
    /// Digest of method, path and body.
    request: Digest,
}

impl<T> Input<T> {
    /// Form fields in place of a JSON body, with the idempotency key of the form's page.
    pub(crate) fn of_form(value: T, key: Option<&str>, route: &str, form: &[u8]) -> Self {
        let request = Digest::of_parts(&[route.as_bytes(), b"\n", form]);
        let keyed = key.map(|key| KeyedRequest { key: key.to_owned(), route: route.to_owned(), request });
        Self { value, keyed }
    }

    /// The idempotency key, if the client sent one; keys are separate per caller.
    pub(crate) fn key(&self, caller: &Caller) -> Option<RequestKey> {
        self.keyed.as_ref()?;
        self.key_of(&caller.actor.to_string())
    }

    /// Like `key`, for clients that are not identified by their caller.
    pub(crate) fn key_of(&self, whose: &str) -> Option<RequestKey> {
        let KeyedRequest { key, route, request } = self.keyed.as_ref()?;
        let key = ScopedKey { scope: format!("{whose} {route}"), key: key.clone() };
        Some(RequestKey { key, request: *request })
    }
}

impl<T: DeserializeOwned> FromRequest<App> for Input<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        read_keyed(request, app, |body| read(&body)).await
    }
}

/// A plain-text body, with what identifies a repeated request.
pub(crate) struct TextInput(pub(crate) Input<String>);

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
        KeyedRequest { key, route, request }
    });
    Ok(Input { value: read(body)?, keyed })
}

/// A body as text, for handlers that parse it themselves.
pub(crate) struct TextBody(pub(crate) String);

impl FromRequest<App> for TextBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        text(whole_body(request, &app.front.settings).await?).map(Self)
    }
}

fn text(body: Bytes) -> Result<String, Problem> {
    let text = String::from_utf8(body.into());
    text.map_err(|_| Problem::malformed("the body cannot be read: it is not UTF-8"))
}

/// An empty body is read as an empty object, so commands without parameters need none. An array is never read
/// as an object.
fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Problem> {
    let body: &[u8] = if body.is_empty() { b"{}" } else { body };
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = T::deserialize(StrictObjects(&mut reader)).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| Problem::malformed(format!("the body cannot be read: {error}")))
}
