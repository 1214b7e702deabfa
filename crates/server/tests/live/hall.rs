//! A server of tallies in this process, with clients of its event stream.

use std::sync::Arc;

use assize_engine::{Clerk, ClerkSettings, ClerkThread, Courts, Petition, Secret};
use assize_kernel::{Actor, CourtAdapter, Role, StreamId};
use assize_ledger::{AccessChange, AccessToken, Batch, Ledger, MemoryLedger};
use assize_server::{App, HttpSettings};
use axum::Router;
use axum::body::{Body, BodyDataStream};
use axum::http::Request;
use futures_util::StreamExt;
use serde_json::Value;
use tower::ServiceExt;

use crate::tally::{Tally, TallyCommand};

pub(crate) struct Hall {
    pub(crate) clerk: Clerk,
    pub(crate) ledger: Arc<dyn Ledger>,
    router: Router,
    _thread: ClerkThread,
}

/// A client of an event stream.
pub(crate) struct EventReader {
    pieces: BodyDataStream,
    rest: String,
}

/// An event: id, name and data.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReceivedEvent {
    pub(crate) id: Option<u64>,
    pub(crate) event: String,
    pub(crate) data: Value,
}

impl Hall {
    pub(crate) fn open() -> Self {
        Self::with(HttpSettings::default())
    }

    pub(crate) fn with(settings: HttpSettings) -> Self {
        let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
        let courts = Arc::new(Courts::new(vec![Arc::new(CourtAdapter::<Tally>::new())]).unwrap());
        let (clerk, thread) = Clerk::start(courts.clone(), ledger.clone(), ClerkSettings::default()).unwrap();
        let router = App::new(courts, ledger.clone(), clerk.clone()).with_settings(settings).router();
        Self { clerk, ledger, router, _thread: thread }
    }

    /// Gives a participant points in a tally; returns the ledger position.
    pub(crate) async fn add(&self, tally: &str, who: &str, points: i64) -> u64 {
        let command = Box::new(TallyCommand::Add { who: who.into(), points });
        let (actor, at) = (Actor::new(Role::Admin, "tester"), self.clerk.now());
        let stream = StreamId::new("tally", tally).unwrap();
        let petition = Petition::new(stream, command, actor, at);
        self.clerk.submit(petition).await.unwrap().records[0].position
    }

    /// Adds points `times` times concurrently.
    pub(crate) async fn add_many(&self, tally: &str, who: impl Fn(usize) -> String, times: usize) {
        let all = (0..times).map(|each| {
            let who = who(each);
            async move { self.add(tally, &who, 1).await }
        });
        futures_util::future::join_all(all).await;
    }

    pub(crate) fn token(&self, role: Role, name: &str, scope: &str) -> String {
        let secret = Secret::new().unwrap();
        self.admit(AccessToken {
            hash: secret.hash(),
            actor: Actor::new(role, name).to_string(),
            scope: scope.into(),
            label: String::new(),
            issued: self.clerk.now(),
            issued_by: String::new(),
            expires: None,
            revoked: None,
        });
        secret.reveal().to_owned()
    }

    /// Lets somebody in without a record, so that positions are those of what is told.
    pub(crate) fn admit(&self, token: AccessToken) {
        let access = vec![AccessChange::Token(token)];
        let mut writer = self.ledger.writer().unwrap();
        writer.lock().unwrap().commit(&Batch { access, ..Batch::default() }).unwrap();
    }

    /// Opens an event stream; otherwise the status and the problem.
    pub(crate) async fn listen(
        &self,
        topics: &[&str],
        last: Option<u64>,
        token: &str,
    ) -> Result<EventReader, (u16, Value)> {
        let topics: Vec<String> = topics.iter().map(|topic| format!("topic={topic}")).collect();
        let mut request = Request::get(format!("/api/v1/events?{}", topics.join("&")));
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        if !token.is_empty() {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let answer = self.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        if answer.status() == 200 {
            return Ok(EventReader { pieces: answer.into_body().into_data_stream(), rest: String::new() });
        }
        let status = answer.status().as_u16();
        let problem = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        Err((status, serde_json::from_slice(&problem).unwrap()))
    }
}

impl EventReader {
    /// The next event; none when the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<ReceivedEvent> {
        loop {
            if let Some((block, rest)) = self.rest.split_once("\n\n") {
                let heard = read(block);
                self.rest = rest.to_owned();
                match heard {
                    Some(heard) => return Some(heard),
                    None => continue,
                }
            }
            let piece = self.pieces.next().await?.unwrap();
            self.rest += std::str::from_utf8(&piece).unwrap();
        }
    }

    /// The ids of the next `count` events.
    pub(crate) async fn ids(&mut self, count: usize) -> Vec<u64> {
        let mut ids = Vec::new();
        while ids.len() < count {
            ids.extend(self.next().await.expect("it goes on").id);
        }
        ids
    }
}

fn read(block: &str) -> Option<ReceivedEvent> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let id = field("id").map(|id| id.parse().unwrap());
    let data = field("data").map(|data| serde_json::from_str(data).unwrap())?;
    Some(ReceivedEvent { id, event: field("event")?.to_owned(), data })
}
