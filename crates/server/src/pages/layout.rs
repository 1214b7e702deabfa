//! Page layout: HTML head, masthead, result of the last form, content and footer, with the response headers.

use assize_kernel::Moment;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::assets::{ICON, SCRIPT, STYLE};
use super::guest::PageContext;
use super::parts::hidden_csrf;
use super::theme::PageTheme;
use crate::http::access::Act;
use crate::http::problem::Problem;

/// Content security policy: only resources of this server; no inline styles or scripts.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; \
                      media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Builder of a page response.
pub(crate) struct HtmlPage<'a> {
    context: &'a PageContext,
    title: String,
    /// The page's own path, also when it is the response to a form posted to another path.
    place: String,
    status: StatusCode,
    /// Width of the content: `narrow`, `normal`, `wide`.
    width: &'static str,
    /// Topics of `/api/v1/events` that the page subscribes to.
    topics: Vec<String>,
    /// The server's time, for clocks.
    now: Option<Moment>,
    said: Option<Markup>,
}

impl<'a> HtmlPage<'a> {
    pub(super) fn new(context: &'a PageContext, title: impl Into<String>) -> Self {
        Self {
            context,
            title: title.into(),
            place: context.place.clone(),
            status: StatusCode::OK,
            width: "normal",
            topics: Vec::new(),
            now: None,
            said: None,
        }
    }

    /// Sets the page's own path, for the response to a form posted to another path.
    pub(super) fn at(self, place: impl Into<String>) -> Self {
        Self { place: place.into(), ..self }
    }

    /// Narrow layout, for a single form.
    pub(super) fn narrow(self) -> Self {
        Self { width: "narrow", ..self }
    }

    /// Wide layout, for boards on a projector.
    pub(super) fn wide(self) -> Self {
        Self { width: "wide", ..self }
    }

    /// Subscribes the page to topics: the script refreshes it on their events.
    pub(super) fn follows(self, topics: impl IntoIterator<Item = String>, now: Moment) -> Self {
        Self { topics: topics.into_iter().collect(), now: Some(now), ..self }
    }

    /// Shows the result of a form above the content; a problem also sets the response status.
    pub(super) fn saying(self, said: &FormOutcome) -> Self {
        let status = if let FormOutcome::Problem(problem) = said { problem.status() } else { self.status };
        Self { status, said: said.shown(), ..self }
    }

    pub(super) fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// Renders the page as a response.
    pub(super) fn show(self, content: &Markup) -> Response {
        let html = self.html(content);
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            // The URL of a page may contain a one-time code, so other sites get no referrer. `no-referrer`
            // would make browsers send forms with `Origin: null`, which the CSRF check rejects.
            (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        ];
        (self.status, headers, html.into_string()).into_response()
    }

    fn html(&self, content: &Markup) -> Markup {
        let theme = Some(self.context.theme).filter(|theme| *theme != PageTheme::System).map(PageTheme::name);
        let topics = Some(self.topics.join(" ")).filter(|topics| !topics.is_empty());
        html! {
            (DOCTYPE)
            html lang="en" data-theme=[theme] {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · Assize" }
                    link rel="icon" href=(ICON.place()) type="image/svg+xml";
                    link rel="stylesheet" href=(STYLE.place());
                    script type="module" src=(SCRIPT.place()) {}
                }
                body {
                    a class="skip" href="#main" { "Skip to the content" }
                    (masthead(self.context, &self.place))
                    main id="main" class=(self.width) tabindex="-1" data-page=(self.place) data-topics=[topics]
                        data-now=[self.now.map(Moment::as_millis)] {
                        div class="said" role="status" { @if let Some(said) = &self.said { (said) } }
                        (content)
                    }
                    (footer(self.context, &self.place))
                }
            }
        }
    }
}

/// Result of a submitted form.
#[derive(Default)]
pub(crate) enum FormOutcome {
    /// No form was submitted.
    #[default]
    Nothing,
    /// It succeeded; the markup is shown only in this response.
    Done(Markup),
    /// It failed.
    Problem(Problem),
}

impl FormOutcome {
    fn shown(&self) -> Option<Markup> {
        match self {
            Self::Nothing => None,
            Self::Done(what) => Some(html! { div class="note good" { (what) } }),
            Self::Problem(problem) => Some(problem_note(problem)),
        }
    }
}

/// A problem as an alert box, with its message and code.
pub(super) fn problem_note(problem: &Problem) -> Markup {
    html! {
        div class="note wrong" role="alert" {
            p { (sentence(problem.detail())) }
            p class="soft small" { "Code " code { (problem.code()) } }
        }
    }
}

/// Formats a message as a sentence: capitalised, with a full stop, and with backticks as `code` elements.
pub(super) fn sentence(message: &str) -> Markup {
    let mut parts = message.split('`');
    let mut first = true;
    let mut html = String::new();
    while let Some(plain) = parts.next() {
        let plain = if first { capitalised(plain) } else { plain.to_owned() };
        html.push_str(&html! { (plain) }.into_string());
        if let Some(code) = parts.next() {
            html.push_str(&html! { code { (code) } }.into_string());
        }
        first = false;
    }
    let end = if message.ends_with(['.', '…', '!', '?']) { "" } else { "." };
    html! { (PreEscaped(html)) (end) }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn masthead(context: &PageContext, place: &str) -> Markup {
    let here = place.split('?').next().unwrap_or_default();
    let link = |to: &str, name: &str| {
        let current = here == to || here.starts_with(&format!("{to}/"));
        html! { a href=(to) aria-current=[current.then_some("page")] { (name) } }
    };
    html! {
        header class="masthead" {
            a class="mark" href="/" { "Assize" }
            nav aria-label="Main" {
                (link("/contests", "Contests")) (link("/hunters", "Hunters")) (link("/radio", "Radio"))
                (link("/summaries", "Summaries"))
                @if context.may_everywhere(Act::Moderate) { (link("/moderation", "Moderation")) }
                @if context.may_everywhere(Act::ReadAudit) {
                    (link("/ledger", "Ledger")) (link("/people", "People")) (link("/tokens", "Tokens"))
                }
            }
            @match &context.caller {
                Some(caller) => {
                    div class="who" {
                        a href="/account" { strong { (caller.name()) } " (" (caller.actor.role.as_str()) ")" }
                        @if caller.session.is_some() {
                            form method="post" action="/logout" {
                                (hidden_csrf(context)) button class="plain" { "Log out" }
                            }
                        }
                    }
                }
                None if context.looked_up => { div class="who" { a href="/login" { "Log in" } } }
                None => {}
            }
        }
    }
}

fn footer(context: &PageContext, place: &str) -> Markup {
    html! {
        footer class="footer" {
            p { "Programs use " a href="/api/docs/" { "the API" } "." }
            form method="post" action="/theme" class="themes" {
                (hidden_csrf(context))
                input type="hidden" name="to" value=(place);
                span { "Theme" }
                @for theme in PageTheme::ALL {
                    button class="plain" name="theme" value=(theme.name())
                        aria-pressed=(theme == context.theme) { (theme.name()) }
                }
            }
        }
    }
}

#[test]
fn messages_become_sentences() {
    let check = |message: &str, expected: &str| assert_eq!(sentence(message).into_string(), expected);
    check("there is no task `t<1`; add it", "There is no task <code>t&lt;1</code>; add it.");
    check("`x` is unknown", "<code>x</code> is unknown.");
}
