//! Colour theme: follows the system unless the user has chosen one, which is stored in a cookie.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::form::SubmittedForm;
use crate::http::App;
use crate::http::problem::Problem;

const COOKIE: &str = "assize_theme";

/// Colour theme of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageTheme {
    System,
    Light,
    Dark,
}

impl PageTheme {
    pub(super) const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The theme in the request's cookie.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        Self::read(Self::said(headers))
    }

    /// The theme with this name; `System` for any other.
    pub(super) fn read(name: Option<&str>) -> Self {
        name.and_then(Self::named).unwrap_or(Self::System)
    }

    /// The theme name in the request's cookie, unchecked.
    pub(crate) fn said(headers: &HeaderMap) -> Option<&str> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(name, _)| *name == COOKIE).map(|(_, theme)| theme)
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }
}

/// Stores the chosen theme in the cookie and redirects back.
pub(crate) async fn post_theme(State(app): State<App>, form: SubmittedForm) -> Result<Response, Problem> {
    let name = form.text("theme");
    let theme = PageTheme::named(name);
    let theme = theme.ok_or_else(|| Problem::malformed(format!("there is no theme `{name}`")))?;
    let secure = if app.front.settings.secure { "; Secure" } else { "" };
    let text = format!("{COOKIE}={}; SameSite=Lax; Path=/; Max-Age=31536000{secure}", theme.name());
    let cookie = HeaderValue::try_from(text).map_err(|error| Problem::internal(&error.to_string()))?;
    let to = HeaderValue::try_from(within(form.text("to")));
    let to = to.unwrap_or_else(|_| HeaderValue::from_static("/"));
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, to), (header::SET_COOKIE, cookie)]).into_response())
}

/// Restricts a redirect target to this server; the front page for anything else.
pub(super) fn within(place: &str) -> &str {
    let plain = |char: char| char.is_ascii_graphic() && char != '\\';
    let ours = place.starts_with('/') && !place.starts_with("//") && place.chars().all(plain);
    if ours { place } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_elsewhere() {
        assert_eq!(within("/contests/spring?all=true"), "/contests/spring?all=true");
        for place in ["", "//elsewhere.example", "https://elsewhere.example", "/\\elsewhere", "/a\nb", "x"] {
            assert_eq!(within(place), "/", "{place}");
        }
    }

    #[test]
    fn the_theme_is_found_among_other_cookies() {
        let theme = |text: &'static str| {
            PageTheme::of(&HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_static(text))]))
        };
        assert_eq!(theme("assize_session=x; assize_theme=dark"), PageTheme::Dark);
        assert_eq!(theme("assize_theme=pink"), PageTheme::System);
    }
}
