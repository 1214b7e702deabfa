//! Path parameters of a request: an extractor whose rejection is a [`Problem`].

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// The path parameters.
pub(crate) struct PathParams<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::from_request_parts(parts, state).await;
        let unreadable = |_| Problem::malformed(format!("the address `{}` cannot be read", parts.uri.path()));
        path.map(|Path(names)| Self(names)).map_err(unreadable)
    }
}
