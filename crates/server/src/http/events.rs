//! Live events over HTTP: server-sent events for several topics on one connection, with catch-up after a
//! reconnect.

use std::ops::ControlFlow;

use assize_kernel::{Audience, BoardName, StreamId};
use assize_ledger::{Depth, Scan};
use axum::Extension;
use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::caller::Caller;
use super::openapi::{Unauthorized, Unknown};
use super::problem::Problem;
use super::query::{pairs, unreadable};
use super::{App, blocking};
use crate::detached_stream::Endless;
use assize_engine::live::{
    Disconnect, EventId, NotAnEventId, SseStream, SubscribeError, SubscribeRequest, Topic, Visibility,
};

/// Maximum number of topics per connection.
const TOPICS: usize = 16;
const LAST_EVENT_ID: &str = "last-event-id";

/// The query parameters of a subscription.
#[derive(Default)]
struct EventQuery {
    topics: Vec<Topic>,
    /// The id of the last event the client received.
    last: Option<EventId>,
}

/// Streams live events until the client disconnects.
#[utoipa::path(
    get, path = "/api/v1/events", tag = "events",
    params(
        ("topic" = Vec<String>, Query, description = "The topics, at most 16: a stream such as \
         `contest/spring`, or a board such as `board/contest/spring`"),
        ("last_event_id" = Option<String>, Query, description = "The id of the last event received, if the header \
         cannot be set"),
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event received"),
    ),
    responses(
        (status = 200, description = "Server-sent events, until the client disconnects", body = String,
         content_type = "text/event-stream"),
        Unauthorized,
        Unknown,
    ),
    security((), ("bearer" = []))
)]
pub(crate) async fn follow_events(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let (mut parts, _) = request.into_parts();
    let EventQuery { topics, last } = EventQuery::read(pairs(&parts)?)?.or_header(&parts)?;
    let caller = who_listens(&app, &mut parts).await?;
    for topic in &topics {
        if !is_for(&app, caller.as_ref(), topic) {
            return Err(nothing_there(topic));
        }
        must_exist(&app, topic).await?;
    }
    let ear = |topic: &Topic| {
        let heard = caller.as_ref().zip(topic.stream()).map(|(caller, stream)| caller.ear(stream));
        heard.unwrap_or(Visibility::Public)
    };
    let topics = topics.into_iter().map(|topic| (topic.clone(), ear(&topic))).collect();
    let token = caller.as_ref().map(|caller| caller.token);
    let disconnect = parts.extensions.get::<Disconnect>().cloned();
    let most = app.front.settings.event_streams;
    let guest = app.clerk.live().subscribe(SubscribeRequest { token, disconnect, topics }, most)?;
    let expires = caller.and_then(|caller| caller.expires);
    let listener = SseStream::begin(guest, last, expires).await?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // Proxies must not buffer the response.
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    let stream = Body::from_stream(listener.into_stream());
    // A HEAD request opens no stream.
    let told = (parts.method == Method::GET).then_some(Extension(Endless));
    Ok((headers, told, stream).into_response())
}

/// The caller, if the request has credentials; without them only public events are sent.
async fn who_listens(app: &App, parts: &mut Parts) -> Result<Option<Caller>, Problem> {
    if parts.headers.contains_key(header::AUTHORIZATION) {
        Caller::from_request_parts(parts, app).await.map(Some)
    } else {
        // An expired session falls back to public events.
        Ok(Caller::from_request_parts(parts, app).await.ok())
    }
}

/// Checks that a topic can have events. The board may not exist yet, but its stream must.
async fn must_exist(app: &App, topic: &Topic) -> Result<(), Problem> {
    if app.clerk.live().has_subscribers(topic)
        || matches!(topic, Topic::Board(name, _) if has_board(app, name))
    {
        return Ok(());
    }
    let known = match topic.stream() {
        Some(stream) if app.courts.get(stream.court()).is_some() => has_records(app, stream.clone()).await?,
        _ => false,
    };
    if known { Ok(()) } else { Err(nothing_there(topic)) }
}

/// Whether a caller may subscribe to a topic. A board is for the audience that its court names.
fn is_for(app: &App, caller: Option<&Caller>, topic: &Topic) -> bool {
    let Topic::Board(_, stream) = topic else { return true };
    let audience = app.courts.get(topic.court()).map(|court| court.board_audience());
    let judges = |caller: &Caller| match stream {
        Some(stream) => caller.judges(stream),
        None => caller.judges_court(topic.court()),
    };
    audience == Some(Audience::Everyone) || caller.is_some_and(judges)
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

impl EventQuery {
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
                "last_event_id" => wanted.last = read_id("last_event_id", &value)?,
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

    /// A reconnecting browser sends `Last-Event-ID`, which is newer than the value in the query.
    fn or_header(self, parts: &Parts) -> Result<Self, Problem> {
        let Some(value) = parts.headers.get(LAST_EVENT_ID) else { return Ok(self) };
        let value =
            value.to_str().map_err(|_| Problem::malformed("the header `Last-Event-ID` is no plain text"))?;
        Ok(Self { last: read_id("Last-Event-ID", value)?.or(self.last), ..self })
    }
}

fn read_id(name: &str, value: &str) -> Result<Option<EventId>, Problem> {
    if value.is_empty() {
        return Ok(None);
    }
    let read = value.parse().map(Some);
    read.map_err(|NotAnEventId| {
        Problem::malformed(format!("`{name}` must be the id of an event, such as `1742`, is `{value}`"))
    })
}

fn no_topic(value: &str) -> Problem {
    let shown: String = value.chars().take(100).collect();
    let forms = "`contest/spring`, `board/contest/spring` or `board/contest/spring/task`";
    unreadable(&format!("`{shown}` is no topic; expected something like {forms}"))
}

impl From<SubscribeError> for Problem {
    fn from(why: SubscribeError) -> Self {
        let (code, detail) = match why {
            SubscribeError::TooMany => ("live.too_many", "too many are listening; try again in a moment"),
            SubscribeError::Closing => ("server.closing", "the server is stopping; try again in a moment"),
        };
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail)
    }
}
