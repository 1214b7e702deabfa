//! What stands behind the question mark of an address, read so that a mistake in it is named.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use utoipa::IntoParams;

use super::problem::Problem;

/// The most entries of a list that one answer has.
const MOST: u32 = 1_000;

/// Parameters that may stand there.
pub(super) trait Parameters: Default {
    /// What there is, for whoever wrote something else.
    const KNOWN: &'static str;

    /// Takes one; false when it is not known.
    fn take(&mut self, name: &str, value: &str) -> Result<bool, Problem>;
}

/// The parameters of a request.
pub(super) struct Asked<T>(pub(super) T);

/// The same where a few names are all there is to it: each is taken once, and what it means is the handler's to say.
pub(super) struct Named(Vec<(String, String)>);

/// Which entries of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Window {
    /// How many entries to leave out at the beginning.
    #[param(required = false, default = 0, maximum = 4_294_967_295_u32)]
    offset: u32,
    /// How many entries at most; never more than 1000.
    #[param(required = false, default = 100, maximum = 4_294_967_295_u32)]
    limit: u32,
}

impl Window {
    pub(super) fn offset(self) -> usize {
        self.offset as usize
    }

    pub(super) fn limit(self) -> usize {
        self.limit.min(MOST) as usize
    }

    /// For whoever shows fewer at a time than may be asked for.
    pub(super) fn at_most(&mut self, most: u32) {
        self.limit = self.limit.min(most);
    }

    /// The offset, for a store.
    pub(super) fn skipped(self) -> u64 {
        self.offset.into()
    }

    /// The limit, for a store.
    pub(super) fn most(self) -> u64 {
        self.limit.min(MOST).into()
    }
}

impl Default for Window {
    fn default() -> Self {
        Self { offset: 0, limit: 100 }
    }
}

impl Parameters for Window {
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

impl<T: Parameters, S: Send + Sync> FromRequestParts<S> for Asked<T> {
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
    /// These, as if they stood in the address.
    pub(super) const fn of(pairs: Vec<(String, String)>) -> Self {
        Self(pairs)
    }

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

/// Names with their values, in their order.
pub(super) fn pairs(parts: &Parts) -> Result<Vec<(String, String)>, Problem> {
    if parts.uri.query().is_none_or(str::is_empty) {
        return Ok(Vec::new());
    }
    let pairs = Query::try_from_uri(&parts.uri);
    pairs.map(|Query(pairs)| pairs).map_err(|_| unreadable("it is no list of `name=value`"))
}

/// A place in the ledger or a number of entries, where there is one.
pub(super) fn position(name: &str, value: Option<String>) -> Result<Option<u64>, Problem> {
    let read = |value: String| {
        let number = value.parse().ok().filter(|number| i64::try_from(*number).is_ok());
        number.ok_or_else(|| unreadable(&format!("`{name}` must be a whole number, is `{value}`")))
    };
    value.map(read).transpose()
}

/// `true` or `false`.
pub(super) fn truth(name: &str, value: &str) -> Result<bool, Problem> {
    value.parse().map_err(|_| unreadable(&format!("`{name}` must be `true` or `false`, is `{value}`")))
}

fn whole(name: &str, value: &str) -> Result<u32, Problem> {
    value.parse().map_err(|_| unreadable(&format!("`{name}` must be a whole number, is `{value}`")))
}

pub(super) fn unreadable(problem: &str) -> Problem {
    Problem::malformed(format!("the query cannot be read: {problem}"))
}
