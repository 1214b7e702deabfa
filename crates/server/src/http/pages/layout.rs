//! The frame around every page: head, masthead, what has just been said, and what keeps it live.

use assize_kernel::Moment;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::assets::{ICON, SCRIPT, STYLE};
use super::guest::Guest;
use super::parts::hidden_csrf;
use super::theme::Theme;
use crate::http::access::Act;
use crate::http::problem::Problem;

/// Nothing but what this server itself serves; no style and no script inside a page.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; \
                      media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A page that is being put together.
pub(in crate::http) struct Page<'a> {
    guest: &'a Guest,
    title: String,
    /// Where it is, also when it is shown as the answer to a form that was sent elsewhere.
    place: String,
    status: StatusCode,
    /// How much room its content takes: `narrow`, `normal`, `wide`.
    width: &'static str,
    /// What it follows, as topics of `/api/v1/events`.
    topics: Vec<String>,
    /// The server's time, for clocks.
    now: Option<Moment>,
    said: Option<Markup>,
}

impl<'a> Page<'a> {
    pub(super) fn new(guest: &'a Guest, title: impl Into<String>) -> Self {
        let (title, place, status, topics) = (title.into(), guest.place.clone(), StatusCode::OK, Vec::new());
        Self { guest, title, place, status, width: "normal", topics, now: None, said: None }
    }

    /// At this address, wherever the form was sent whose answer it is.
    pub(super) fn at(self, place: impl Into<String>) -> Self {
        Self { place: place.into(), ..self }
    }

    /// For a form and little else.
    pub(super) fn narrow(self) -> Self {
        Self { width: "narrow", ..self }
    }

    /// For what is looked at from afar.
    pub(super) fn wide(self) -> Self {
        Self { width: "wide", ..self }
    }

    /// Drawn anew whenever something happens in one of these.
    pub(super) fn follows(self, topics: impl IntoIterator<Item = String>, now: Moment) -> Self {
        Self { topics: topics.into_iter().collect(), now: Some(now), ..self }
    }

    /// With what has come of a form, before everything else.
    pub(super) fn saying(self, said: &Said) -> Self {
        let status = if let Said::Problem(problem) = said { problem.status() } else { self.status };
        Self { status, said: said.shown(), ..self }
    }

    pub(super) fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// The whole of it.
    pub(super) fn show(self, content: &Markup) -> Response {
        let html = self.html(content);
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            // The address of a page may hold a code, which is nobody else's business. Without any referrer a browser
            // would send forms from nowhere (`Origin: null`), which are not obeyed.
            (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        ];
        (self.status, headers, html.into_string()).into_response()
    }

    fn html(&self, content: &Markup) -> Markup {
        let theme = Some(self.guest.theme).filter(|theme| *theme != Theme::System).map(Theme::name);
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
                    (masthead(self.guest, &self.place))
                    main id="main" class=(self.width) tabindex="-1" data-page=(self.place) data-topics=[topics]
                        data-now=[self.now.map(Moment::as_millis)] {
                        div class="said" role="status" { @if let Some(said) = &self.said { (said) } }
                        (content)
                    }
                    (footer(self.guest, &self.place))
                }
            }
        }
    }
}

/// What has come of a form that was sent.
#[derive(Default)]
pub(in crate::http) enum Said {
    /// Nothing was sent.
    #[default]
    Nothing,
    /// It was done; this is to be seen now, because it is shown only once.
    Done(Markup),
    /// It was not done.
    Problem(Problem),
}

impl Said {
    fn shown(&self) -> Option<Markup> {
        match self {
            Self::Nothing => None,
            Self::Done(what) => Some(html! { div class="note good" { (what) } }),
            Self::Problem(problem) => Some(problem_note(problem)),
        }
    }
}

/// A problem in a box: what went wrong, and the code by which others know it.
pub(super) fn problem_note(problem: &Problem) -> Markup {
    html! {
        div class="note wrong" role="alert" {
            p { (sentence(problem.detail())) }
            p class="soft small" { "Code " code { (problem.code()) } }
        }
    }
}

/// A message as a sentence: messages are lower case without a full stop, pages are not; what stands in backticks is code.
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

fn masthead(guest: &Guest, place: &str) -> Markup {
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
                @if guest.may_everywhere(Act::Moderate) { (link("/moderation", "Moderation")) }
                @if guest.may_everywhere(Act::ReadAudit) {
                    (link("/ledger", "Ledger")) (link("/people", "People")) (link("/tokens", "Tokens"))
                }
            }
            @match &guest.caller {
                Some(caller) => {
                    div class="who" {
                        a href="/account" { strong { (caller.name()) } " (" (caller.actor.role.as_str()) ")" }
                        @if caller.session.is_some() {
                            form method="post" action="/logout" {
                                (hidden_csrf(guest)) button class="plain" { "Log out" }
                            }
                        }
                    }
                }
                None if guest.looked_up => { div class="who" { a href="/login" { "Log in" } } }
                None => {}
            }
        }
    }
}

fn footer(guest: &Guest, place: &str) -> Markup {
    html! {
        footer class="footer" {
            p { "Programs use " a href="/api/docs/" { "the API" } "." }
            form method="post" action="/theme" class="themes" {
                (hidden_csrf(guest))
                input type="hidden" name="to" value=(place);
                span { "Theme" }
                @for theme in Theme::ALL {
                    button class="plain" name="theme" value=(theme.name())
                        aria-pressed=(theme == guest.theme) { (theme.name()) }
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
