//! Names in the address of a request, read so that a mistake in one is a problem like any other.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// The names in the address.
pub(super) struct Address<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Address<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::from_request_parts(parts, state).await;
        let unreadable = |_| Problem::malformed(format!("the address `{}` cannot be read", parts.uri.path()));
        path.map(|Path(names)| Self(names)).map_err(unreadable)
    }
}
