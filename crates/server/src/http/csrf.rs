//! CSRF protection: rejects changes that another site makes a browser send with the user's session.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use super::problem::Problem;
use super::settings::HttpSettings;
use assize_engine::Secret;

/// The request header with the CSRF token.
const TOKEN: &str = "x-csrf-token";

/// The CSRF token of a session: derived from the session secret, so it need not be stored.
pub(crate) fn token(session: &Secret) -> Secret {
    session.derived("assize csrf token")
}

/// Checks that a change made with a session carries the CSRF token and comes from an allowed site.
pub(crate) fn check(parts: &Parts, settings: &HttpSettings, session: &Secret) -> Result<(), Problem> {
    if matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    check_site(&parts.headers, settings)?;
    let shown = parts.headers.get(TOKEN).and_then(|value| value.to_str().ok());
    if shown.is_some_and(|shown| token(session).is(shown)) {
        return Ok(());
    }
    Err(forged("send `csrf` of `GET /api/v1/session` as `X-CSRF-Token` with every change"))
}

/// The same check for a form, which sends the token as a field.
pub(crate) fn check_form(
    headers: &HeaderMap,
    settings: &HttpSettings,
    session: &Secret,
    shown: &str,
) -> Result<(), Problem> {
    check_site(headers, settings)?;
    if token(session).is(shown) { Ok(()) } else { Err(forged("this form is not of this login; try again")) }
}

/// Checks the site that the browser names: it must be this server or a configured origin.
pub(crate) fn check_site(headers: &HeaderMap, settings: &HttpSettings) -> Result<(), Problem> {
    let named =
        |origin: &HeaderValue| settings.cors_origins.iter().any(|known| known.0 == *origin && known.0 != "*");
    if headers.get(header::ORIGIN).is_some_and(named) {
        return Ok(());
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let elsewhere = text("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"));
    let host = text(header::HOST.as_str()).unwrap_or_default();
    let of_host =
        |origin: &str| origin.split_once("://").is_some_and(|(_, its)| its.eq_ignore_ascii_case(host));
    if elsewhere || text(header::ORIGIN.as_str()).is_some_and(|origin| !of_host(origin)) {
        return Err(forged("this was sent from another site"));
    }
    Ok(())
}

fn forged(detail: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "access.csrf", detail)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    #[test]
    fn what_another_site_has_sent_is_told_apart() {
        let check = |pairs: &[(&'static str, &'static str)]| {
            let pairs = pairs
                .iter()
                .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
            let cors_origins = vec!["https://named".parse().unwrap(), "*".parse().unwrap()];
            let settings = HttpSettings { cors_origins, ..HttpSettings::default() };
            check_site(&pairs.collect(), &settings).is_ok()
        };
        assert!(check(&[("host", "own")]));
        assert!(check(&[("host", "own:8080"), ("origin", "http://own:8080")]));
        assert!(check(&[("host", "own"), ("sec-fetch-site", "same-origin")]));
        assert!(check(&[("host", "own"), ("origin", "https://named"), ("sec-fetch-site", "cross-site")]));
        assert!(!check(&[("host", "own"), ("origin", "https://other")]));
        assert!(!check(&[("host", "own"), ("origin", "null")]));
        assert!(!check(&[("host", "own"), ("sec-fetch-site", "cross-site")]));
        assert!(!check(&[("host", "own"), ("sec-fetch-site", "same-site")]));
    }
}
