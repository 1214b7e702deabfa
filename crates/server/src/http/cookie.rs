//! The session cookie.

use assize_kernel::Millis;
use axum::http::{HeaderMap, HeaderValue, header};

use super::problem::Problem;
use assize_engine::Secret;

/// How long a session lasts after its last use.
pub(crate) const LASTS: Millis = Millis(12 * 60 * 60 * 1000);
/// How often the last use of a session is written to the store.
pub(crate) const SEEN_EVERY: Millis = Millis(5 * 60 * 1000);

/// A cookie's name and path.
pub(crate) struct Cookie {
    name: &'static str,
    path: &'static str,
}

const OWN: Cookie = Cookie { name: "assize_session", path: "/" };

/// The session cookie under the name that DRES clients expect.
pub(crate) const DRES: Cookie = Cookie { name: "SESSIONID", path: "/api/v2" };

/// The session secret in the cookies of a request.
pub(crate) fn of(headers: &HeaderMap) -> Option<Secret> {
    OWN.of(headers)
}

/// Sets the cookie with `HttpOnly` and `SameSite=Lax`.
pub(crate) fn set(secret: &Secret, secure: bool) -> Result<HeaderValue, Problem> {
    OWN.set(secret, secure)
}

/// Removes the cookie.
pub(crate) fn remove(secure: bool) -> Result<HeaderValue, Problem> {
    OWN.remove(secure)
}

impl Cookie {
    pub(crate) fn of(&self, headers: &HeaderMap) -> Option<Secret> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(name, _)| *name == self.name).map(|(_, secret)| Secret::shown(secret))
    }

    pub(crate) fn set(&self, secret: &Secret, secure: bool) -> Result<HeaderValue, Problem> {
        self.written(secret.reveal(), LASTS.0 / 1000, secure)
    }

    pub(crate) fn remove(&self, secure: bool) -> Result<HeaderValue, Problem> {
        self.written("", 0, secure)
    }

    fn written(&self, value: &str, seconds: i64, secure: bool) -> Result<HeaderValue, Problem> {
        let Self { name, path } = self;
        let secure = if secure { "; Secure" } else { "" };
        let text = format!("{name}={value}; HttpOnly; SameSite=Lax; Path={path}; Max-Age={seconds}{secure}");
        HeaderValue::try_from(text).map_err(|error| Problem::internal(&format!("a cookie: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_among_others() {
        let headers =
            |text: &'static str| HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_static(text))]);
        let found = |text| of(&headers(text)).map(|secret| secret.reveal().to_owned());
        assert_eq!(found("a=b; assize_session=s3cret;c=d").as_deref(), Some("s3cret"));
        assert_eq!(found("assize_session2=s3cret; a"), None);
    }

    #[test]
    fn a_cookie_is_marked_as_secure_when_it_travels_so() {
        let set = |secure| set(&Secret::shown("x"), secure).unwrap().to_str().unwrap().to_owned();
        assert_eq!(set(false), "assize_session=x; HttpOnly; SameSite=Lax; Path=/; Max-Age=43200");
        assert!(set(true).ends_with("; Secure"));
    }
}
