//! Live events over HTTP: one connection, as many topics as fit, and nothing missed by who comes back.

use std::ops::ControlFlow;

use assize_kernel::{BoardName, StreamId};
use assize_ledger::{Depth, Scan};
use axum::Extension;
use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::caller::Caller;
use super::document::{Unauthorized, Unknown};
use super::problem::Problem;
use super::query::{pairs, unreadable};
use super::{App, blocking};
use crate::endless::Endless;
use crate::live::{Admission, Ear, Listener, NotAdmitted, Topic};
use crate::serve::Line;

/// How many topics one connection may have.
const TOPICS: usize = 16;
const LAST_EVENT_ID: &str = "last-event-id";

/// What somebody wants to hear.
#[derive(Default)]
struct Wanted {
    topics: Vec<Topic>,
    /// What they heard last.
    last: Option<u64>,
}

/// Tells what happens, as it happens, until the client goes.
#[utoipa::path(
    get, path = "/api/v1/events", tag = "events",
    params(
        ("topic" = Vec<String>, Query, description = "What to listen to, up to 16: a stream such as \
         `contest/spring`, or a board such as `board/contest/spring`"),
        ("last_event_id" = Option<u64>, Query, description = "The id of the event heard last, where the header \
         cannot be set"),
        ("Last-Event-ID" = Option<u64>, Header, description = "The id of the event heard last"),
    ),
    responses(
        (status = 200, description = "Server-sent events, for as long as the client stays", body = String,
         content_type = "text/event-stream"),
        Unauthorized,
        Unknown,
    ),
    security((), ("bearer" = []))
)]
pub(super) async fn follow_events(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (mut parts, _) = request.into_parts();
    let Wanted { topics, last } = Wanted::read(pairs(&parts)?)?.or_header(&parts)?;
    let caller = who_listens(&app, &mut parts).await?;
    for topic in &topics {
        if !is_for(caller.as_ref(), topic) {
            return Err(nothing_there(topic));
        }
        must_exist(&app, topic).await?;
    }
    let ear = |topic: &Topic| {
        let heard = caller.as_ref().zip(topic.stream()).map(|(caller, stream)| caller.ear(stream));
        heard.unwrap_or(Ear::Public)
    };
    let topics = topics.into_iter().map(|topic| (topic.clone(), ear(&topic))).collect();
    let token = caller.as_ref().map(|caller| caller.token);
    let line = parts.extensions.get::<Line>().cloned();
    let most = app.front.settings.event_streams;
    let guest = app.clerk.live().admit(Admission { token, line, topics }, most)?;
    let expires = caller.and_then(|caller| caller.expires);
    let listener = Listener::begin(guest, last, expires).await?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // Proxies that collect answers before they pass them on must not.
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    let stream = Body::from_stream(listener.into_stream());
    // Whoever asks for the head alone is not kept.
    let told = (parts.method == Method::GET).then_some(Extension(Endless));
    Ok((headers, told, stream).into_response())
}

/// Whoever has a token says so; whoever has none hears what is for everyone.
async fn who_listens(app: &App, parts: &mut Parts) -> Result<Option<Caller>, Problem> {
    if parts.headers.contains_key(header::AUTHORIZATION) {
        Caller::from_request_parts(parts, app).await.map(Some)
    } else {
        // A login that has ended is no reason to hear nothing at all.
        Ok(Caller::from_request_parts(parts, app).await.ok())
    }
}

/// There must be something that can be told of a topic. A board may be waited for when its stream is there.
async fn must_exist(app: &App, topic: &Topic) -> Result<(), Problem> {
    if app.clerk.live().is_heard(topic) || matches!(topic, Topic::Board(name, _) if has_board(app, name)) {
        return Ok(());
    }
    let known = match topic.stream() {
        Some(stream) if app.courts.get(stream.court()).is_some() => has_records(app, stream.clone()).await?,
        _ => false,
    };
    if known { Ok(()) } else { Err(nothing_there(topic)) }
}

/// Boards are for everybody, but that of a radio class, which names students: it is for their instructors.
fn is_for(caller: Option<&Caller>, topic: &Topic) -> bool {
    match (topic, topic.stream()) {
        (Topic::Board(..), Some(stream)) if stream.court() == "radio" => {
            caller.is_some_and(|caller| caller.judges(stream))
        }
        _ => true,
    }
}

fn nothing_there(topic: &Topic) -> Problem {
    Problem::not_found(format!("there is no `{topic}` to listen to"))
}

fn has_board(app: &App, name: &BoardName) -> bool {
    app.clerk.views().board_named(name).is_some()
}

async fn has_records(app: &App, stream: StreamId) -> Result<bool, Problem> {
    let look = move |app: &App| {
        let mut found = false;
        let first = Scan { stream: Some(stream.as_str()), after: 0, limit: 1, depth: Depth::Facts };
        app.ledger.scan(first, &mut |_| {
            found = true;
            ControlFlow::Break(())
        })?;
        Ok(found)
    };
    blocking(app, look).await
}

impl Wanted {
    fn read(parameters: Vec<(String, String)>) -> Result<Self, Problem> {
        let mut wanted = Self::default();
        for (name, value) in parameters {
            match name.as_str() {
                "topic" => {
                    let topic = Topic::read(&value).map_err(|_| no_topic(&value))?;
                    if !wanted.topics.contains(&topic) {
                        wanted.topics.push(topic);
                    }
                }
                "last_event_id" => wanted.last = read_position("last_event_id", &value)?,
                _ => {
                    return Err(unreadable(&format!(
                        "`{name}` is not known; there are `topic` and `last_event_id`"
                    )));
                }
            }
        }
        match wanted.topics.len() {
            0 => Err(unreadable("`topic` is missing; name a stream, such as `topic=contest/spring`")),
            1..=TOPICS => Ok(wanted),
            more => Err(unreadable(&format!("there are {more} topics; one connection has at most {TOPICS}"))),
        }
    }

    /// A browser that comes back says in a header what it heard last: that is newer than what stands in the address.
    fn or_header(self, parts: &Parts) -> Result<Self, Problem> {
        let Some(value) = parts.headers.get(LAST_EVENT_ID) else { return Ok(self) };
        let value =
            value.to_str().map_err(|_| Problem::malformed("the header `Last-Event-ID` is no plain text"))?;
        Ok(Self { last: read_position("Last-Event-ID", value)?.or(self.last), ..self })
    }
}

fn read_position(name: &str, value: &str) -> Result<Option<u64>, Problem> {
    if value.is_empty() {
        return Ok(None);
    }
    let read = value.parse().map(Some);
    read.map_err(|_| {
        Problem::malformed(format!("`{name}` must be the id of an event, a whole number, is `{value}`"))
    })
}

fn no_topic(value: &str) -> Problem {
    let shown: String = value.chars().take(100).collect();
    let forms = "`contest/spring`, `board/contest/spring` or `board/contest/spring/task`";
    unreadable(&format!("`{shown}` is no topic; expected something like {forms}"))
}

impl From<NotAdmitted> for Problem {
    fn from(why: NotAdmitted) -> Self {
        let (code, detail) = match why {
            NotAdmitted::TooMany => ("live.too_many", "too many are listening; try again in a moment"),
            NotAdmitted::Closing => ("server.closing", "the server is stopping; try again in a moment"),
        };
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail)
    }
}
