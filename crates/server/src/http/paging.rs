//! Which part of a list is wanted, read so that a mistake in the query is named.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use utoipa::IntoParams;

use super::problem::Problem;

/// The most entries one answer has, and how many it has unless told otherwise.
const MOST: u64 = 1_000;
const USUAL: u64 = 100;

/// A part of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slice {
    pub(super) offset: u64,
    pub(super) limit: u64,
}

/// The query that names it.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "described here, read below")]
pub(super) struct SliceQuery {
    /// How many entries to leave out.
    #[param(value_type = Option<u64>)]
    offset: u64,
    /// How many entries at most; 100 otherwise, and never more than 1000.
    #[param(value_type = Option<u64>)]
    limit: u64,
}

impl<S: Send + Sync> FromRequestParts<S> for Slice {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        let Query(parameters) = query.map_err(|_| unreadable("it is no list of `name=value`"))?;
        let mut slice = Self { offset: 0, limit: USUAL };
        for (name, value) in parameters {
            let number = value.parse();
            let wrong = || unreadable(&format!("`{name}` must be a whole number, is `{value}`"));
            match name.as_str() {
                "offset" => slice.offset = number.map_err(|_| wrong())?,
                "limit" => slice.limit = number.map(|limit: u64| limit.min(MOST)).map_err(|_| wrong())?,
                _ => {
                    return Err(unreadable(&format!(
                        "`{name}` is not known; there are `offset` and `limit`"
                    )));
                }
            }
        }
        Ok(slice)
    }
}

fn unreadable(problem: &str) -> Problem {
    Problem::malformed(format!("the query cannot be read: {problem}"))
}
