//! Form submissions: an extractor that checks the CSRF token, and the conversion to an API handler's input.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::guest::{PageContext, known};
use crate::http::body::whole_body;
use crate::http::caller::{Caller, by_session};
use crate::http::client_address::ClientAddress;
use crate::http::input::Input;
use crate::http::problem::Problem;
use crate::http::{App, cookie, csrf};

/// A submitted form that has passed the CSRF check.
pub(crate) struct SubmittedForm {
    pub(super) context: PageContext,
    /// Method and path.
    route: String,
    body: Bytes,
    fields: Vec<(String, String)>,
}

impl FromRequest<App> for SubmittedForm {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let route = format!("{} {}", parts.method, parts.uri.path());
        let place = parts.uri.path().to_owned();
        let body = whole_body(Request::from_parts(parts.clone(), body), &app.front.settings).await?;
        let fields = decode(&body)?;
        let of = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
        let caller = if parts.headers.contains_key(header::AUTHORIZATION) {
            known(Caller::from_request_parts(&mut parts, app).await)?
        } else {
            csrf::check_site(&parts.headers, &app.front.settings)?;
            let Ok(ClientAddress(address)) = ClientAddress::from_request_parts(&mut parts, app).await;
            match cookie::of(&parts.headers) {
                Some(secret) => known(by_session(app, &secret).await)?.map(|admitted| (admitted, secret)),
                None => None,
            }
            .map(|(admitted, secret)| {
                let shown = of("csrf").unwrap_or_default();
                csrf::check_form(&parts.headers, &app.front.settings, &secret, shown)?;
                Ok::<_, Problem>(Caller::logged_in(admitted, secret, address))
            })
            .transpose()?
        };
        Ok(Self { context: PageContext::new(caller, &parts.headers, place), route, body, fields })
    }
}

impl SubmittedForm {
    /// The logged-in caller who submitted the form.
    pub(super) fn caller(&self) -> Result<Caller, Problem> {
        self.context.require_caller().cloned()
    }

    /// A field's value; empty when the field is missing.
    pub(super) fn text(&self, name: &str) -> &str {
        let found = self.fields.iter().find(|(field, _)| field == name);
        found.map_or("", |(_, value)| value.as_str())
    }

    /// A field as JSON; null when it is empty.
    pub(super) fn optional(&self, name: &str) -> Value {
        match self.text(name).trim() {
            "" => Value::Null,
            text => text.into(),
        }
    }

    /// A numeric field as JSON; null when it is empty.
    pub(super) fn number(&self, name: &str) -> Result<Value, Problem> {
        match self.text(name).trim() {
            "" => Ok(Value::Null),
            text => {
                let number = text.parse::<f64>().ok().and_then(serde_json::Number::from_f64);
                let wrong = || Problem::malformed(format!("`{name}` must be a number, is `{text}`"));
                number.map(Value::Number).ok_or_else(wrong)
            }
        }
    }

    /// Whether a checkbox was ticked.
    pub(super) fn ticked(&self, name: &str) -> bool {
        !self.text(name).is_empty()
    }

    /// The request body of an API operation. The form's idempotency key makes resubmission harmless.
    pub(super) fn input<T: DeserializeOwned>(&self, body: Value) -> Result<Input<T>, Problem> {
        let Value::Object(mut body) = body else {
            return Err(Problem::internal("the body of a form is not a JSON object"));
        };
        // Empty fields are left out of the body.
        body.retain(|_, value| !value.is_null());
        let read = serde_json::from_value(Value::Object(body));
        let value = read.map_err(|error| Problem::malformed(format!("the form cannot be read: {error}")))?;
        Ok(self.keyed(value))
    }

    /// Wraps a value as an API input with the form's idempotency key.
    pub(super) fn keyed<T>(&self, value: T) -> Input<T> {
        let key = Some(self.text("once")).filter(|key| (1..=255).contains(&key.len()));
        Input::of_form(value, key, &self.route, &self.body)
    }
}

/// Parses `application/x-www-form-urlencoded` data.
fn decode(body: &[u8]) -> Result<Vec<(String, String)>, Problem> {
    let unreadable = || Problem::malformed("the form cannot be read: it is not UTF-8");
    let text = |bytes: &[u8]| String::from_utf8(unescaped(bytes)).map_err(|_| unreadable());
    let pairs = body.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty());
    let read = |pair: &[u8]| {
        let (name, value) = match pair.iter().position(|byte| *byte == b'=') {
            Some(place) => (pair.get(..place), pair.get(place + 1..)),
            None => (Some(pair), None),
        };
        Ok((text(name.unwrap_or_default())?, text(value.unwrap_or_default())?))
    };
    pairs.map(read).collect()
}

/// Decodes `+` and percent escapes; an invalid escape stays as it is.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match (first, digit(after.first()).zip(digit(after.get(1)))) {
            (b'%', Some((high, low))) => {
                plain.push(u8::try_from(high * 16 + low).unwrap_or_default());
                rest = after.get(2..).unwrap_or_default();
            }
            (b'+', _) => plain.push(b' '),
            (other, _) => plain.push(*other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_read_as_browsers_write_them() {
        let check = |body: &str, expected: &[(&str, &str)]| {
            let read = decode(body.as_bytes()).unwrap();
            let read: Vec<_> = read.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            assert_eq!(read, expected, "{body}");
        };
        check("", &[]);
        check("a=1&b=two+words&a=%C3%A9", &[("a", "1"), ("b", "two words"), ("a", "é")]);
        check("a&b=&c=x=y", &[("a", ""), ("b", ""), ("c", "x=y")]);
        check("a=100%&b=%zz%2", &[("a", "100%"), ("b", "%zz%2")]);
        assert!(decode(b"a=%FF").is_err());
    }
}
