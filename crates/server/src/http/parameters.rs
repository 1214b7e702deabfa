//! What stands after the question mark, read so that a mistake in it is named.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;

use super::problem::Problem;

/// Names with their values, each taken once.
pub(super) struct Parameters(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Parameters {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let pairs = Query::from_request_parts(parts, state).await;
        pairs.map(|Query(pairs)| Self(pairs)).map_err(|_| unreadable("it is no list of `name=value`"))
    }
}

impl Parameters {
    /// The values of these, in their order; any other name is a mistake.
    pub(super) fn take<const N: usize>(self, names: [&str; N]) -> Result<[Option<String>; N], Problem> {
        let mut values = [const { None }; N];
        for (name, value) in self.0 {
            let place = names.iter().zip(&mut values).find(|(known, _)| **known == name);
            let Some((_, place)) = place else {
                let known: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
                return Err(unreadable(&format!("`{name}` is not known; there are {}", known.join(", "))));
            };
            *place = Some(value);
        }
        Ok(values)
    }
}

/// A whole number, where there is one, as large as a place in the ledger can be.
pub(super) fn whole(name: &str, value: Option<String>) -> Result<Option<u64>, Problem> {
    let read = |value: String| {
        let number = value.parse().ok().filter(|number| i64::try_from(*number).is_ok());
        number.ok_or_else(|| unreadable(&format!("`{name}` must be a whole number, is `{value}`")))
    };
    value.map(read).transpose()
}

fn unreadable(problem: &str) -> Problem {
    Problem::malformed(format!("the query cannot be read: {problem}"))
}
