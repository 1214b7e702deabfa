//! Response headers: security headers, and CORS.

use axum::extract::Request;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::settings::{HttpSettings, Origin};

const ALWAYS: [(HeaderName, HeaderValue); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

const HALF_A_YEAR: HeaderValue = HeaderValue::from_static("max-age=15552000");
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE");
const SENT: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, idempotency-key, if-none-match, last-event-id, x-csrf-token, x-request-id",
);
const SEEN: HeaderValue = HeaderValue::from_static("etag, link, location, retry-after, x-request-id");
const TEN_MINUTES: HeaderValue = HeaderValue::from_static("600");

/// Adds the security headers; a header that the route has set stays.
pub(crate) fn protect(headers: &mut HeaderMap, settings: &HttpSettings) {
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(value);
    }
    if settings.secure {
        headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(HALF_A_YEAR);
    }
}

/// The CORS decision for the `Origin` of a request.
pub(crate) struct CrossOrigin {
    /// Whether responses depend on the origin (`Vary`).
    varies: bool,
    allowed: Option<HeaderValue>,
}

impl CrossOrigin {
    pub(crate) fn of(request: &Request, settings: &HttpSettings) -> Self {
        let asked = request.headers().get(header::ORIGIN).filter(|_| !settings.cors_origins.is_empty());
        let fits = |origin: &&Origin| origin.0 == "*" || Some(&origin.0) == asked;
        let allowed = asked.and_then(|_| settings.cors_origins.iter().find(fits));
        Self { varies: !settings.cors_origins.is_empty(), allowed: allowed.map(|origin| origin.0.clone()) }
    }

    /// The response to a CORS preflight request.
    pub(crate) fn preflight(&self, request: &Request) -> Option<Response> {
        let asks = request.method() == Method::OPTIONS
            && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        let told = [
            (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, SENT),
            (header::ACCESS_CONTROL_MAX_AGE, TEN_MINUTES),
        ];
        (asks && self.allowed.is_some()).then(|| (StatusCode::NO_CONTENT, told).into_response())
    }

    /// Adds the CORS headers. Credentials are allowed for configured origins, never for `*`.
    pub(crate) fn allow(self, headers: &mut HeaderMap) {
        if self.varies {
            headers.append(header::VARY, HeaderValue::from_static("origin"));
        }
        if let Some(origin) = self.allowed {
            if origin != "*" {
                let yes = HeaderValue::from_static("true");
                headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, yes);
            }
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, SEEN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Allowed origin and credentials for a page from `origin` when these origins are configured.
    fn allowed(origins: &[&str], origin: &str) -> (String, bool) {
        let cors_origins = origins.iter().map(|origin| origin.parse().unwrap()).collect();
        let settings = HttpSettings { cors_origins, ..HttpSettings::default() };
        let mut request = Request::default();
        request.headers_mut().insert(header::ORIGIN, origin.parse().unwrap());
        let mut headers = HeaderMap::new();
        CrossOrigin::of(&request, &settings).allow(&mut headers);
        let told = headers.get(header::ACCESS_CONTROL_ALLOW_ORIGIN).map(|value| value.to_str().unwrap());
        (told.unwrap_or_default().to_owned(), headers.contains_key(header::ACCESS_CONTROL_ALLOW_CREDENTIALS))
    }

    #[test]
    fn pages_elsewhere_are_allowed_by_name_only() {
        let [own, other] = ["https://a.example", "https://b.example"];
        assert_eq!(allowed(&[], own), (String::new(), false));
        assert_eq!(allowed(&[own], own), (own.into(), true));
        assert_eq!(allowed(&[own], other), (String::new(), false));
        assert_eq!(allowed(&[own], "https://a.example.evil"), (String::new(), false));
        assert_eq!(allowed(&["*"], other), ("*".into(), false));
    }
}
