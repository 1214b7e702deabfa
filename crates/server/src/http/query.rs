//! Query parameters and pagination; the error names a wrong parameter.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use utoipa::IntoParams;

use super::problem::Problem;

/// Maximum page size of a list.
const MOST: u32 = 1_000;

/// A set of query parameters.
pub(crate) trait FromQuery: Default {
    /// The known parameters, for the error message.
    const KNOWN: &'static str;

    /// Takes one parameter; false when the name is unknown.
    fn take(&mut self, name: &str, value: &str) -> Result<bool, Problem>;
}

/// The query parameters of a request.
pub(crate) struct QueryParams<T>(pub(crate) T);

/// Query parameters as text, for handlers that parse a few names themselves; each may occur once.
pub(crate) struct Named(Vec<(String, String)>);

/// Pagination of a list by offset and limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Pagination {
    /// The number of entries to skip.
    #[param(required = false, default = 0, maximum = 4_294_967_295_u32)]
    offset: u32,
    /// The maximum number of entries; at most 1000.
    #[param(required = false, default = 100, maximum = 4_294_967_295_u32)]
    limit: u32,
}

impl Pagination {
    pub(crate) fn offset(self) -> usize {
        self.offset as usize
    }

    pub(crate) fn limit(self) -> usize {
        self.limit.min(MOST) as usize
    }

    /// Lowers the page size, for lists with a smaller maximum.
    pub(crate) fn at_most(&mut self, most: u32) {
        self.limit = self.limit.min(most);
    }

    /// The offset, for the store.
    pub(crate) fn skipped(self) -> u64 {
        self.offset.into()
    }

    /// The limit, for the store.
    pub(crate) fn most(self) -> u64 {
        self.limit.min(MOST).into()
    }
}

impl Default for Pagination {
    fn default() -> Self {
        Self { offset: 0, limit: 100 }
    }
}

impl FromQuery for Pagination {
    const KNOWN: &'static str = "there are `offset` and `limit`";

    fn take(&mut self, name: &str, value: &str) -> Result<bool, Problem> {
        match name {
            "offset" => self.offset = whole(name, value)?,
            "limit" => self.limit = whole(name, value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl<T: FromQuery, S: Send + Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let mut asked = T::default();
        for (name, value) in pairs(parts)? {
            if !asked.take(&name, &value)? {
                return Err(unreadable(&format!("`{name}` is not known; {}", T::KNOWN)));
            }
        }
        Ok(Self(asked))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        pairs(parts).map(Self)
    }
}

impl Named {
    /// Parameters from these pairs instead of a request.
    pub(crate) const fn of(pairs: Vec<(String, String)>) -> Self {
        Self(pairs)
    }

    /// The values of these names, in their order; any other name is an error.
    pub(crate) fn take<const N: usize>(self, names: [&str; N]) -> Result<[Option<String>; N], Problem> {
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

/// The decoded names and values, in their order.
pub(crate) fn pairs(parts: &Parts) -> Result<Vec<(String, String)>, Problem> {
    if parts.uri.query().is_none_or(str::is_empty) {
        return Ok(Vec::new());
    }
    let pairs = Query::try_from_uri(&parts.uri);
    pairs.map(|Query(pairs)| pairs).map_err(|_| unreadable("it is no list of `name=value`"))
}

/// Parses an optional ledger position or count.
pub(crate) fn position(name: &str, value: Option<String>) -> Result<Option<u64>, Problem> {
    let read = |value: String| {
        let number = value.parse().ok().filter(|number| i64::try_from(*number).is_ok());
        number.ok_or_else(|| unreadable(&format!("`{name}` must be a whole number, is `{value}`")))
    };
    value.map(read).transpose()
}

/// Parses `true` or `false`.
pub(crate) fn truth(name: &str, value: &str) -> Result<bool, Problem> {
    value.parse().map_err(|_| unreadable(&format!("`{name}` must be `true` or `false`, is `{value}`")))
}

fn whole(name: &str, value: &str) -> Result<u32, Problem> {
    value.parse().map_err(|_| unreadable(&format!("`{name}` must be a whole number, is `{value}`")))
}

pub(crate) fn unreadable(problem: &str) -> Problem {
    Problem::malformed(format!("the query cannot be read: {problem}"))
}
