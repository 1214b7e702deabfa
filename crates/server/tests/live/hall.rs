//! A server of tallies in this process, and those who listen to it.

use std::sync::Arc;

use assize_kernel::{Actor, Role, Seat, StreamId};
use assize_ledger::{AccessChange, Batch, Ledger, MemoryLedger, Token};
use assize_server::{App, Clerk, ClerkThread, Courts, HttpSettings, Petition, Secret, Settings};
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

/// Somebody's stream of events.
pub(crate) struct Ear {
    pieces: BodyDataStream,
    rest: String,
}

/// An event: its id, what it is, what it says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heard {
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
        let courts = Arc::new(Courts::seat(vec![Arc::new(Seat::<Tally>::new())]).unwrap());
        let (clerk, thread) = Clerk::start(courts.clone(), ledger.clone(), Settings::default()).unwrap();
        let router = App::new(courts, ledger.clone(), clerk.clone()).with_settings(settings).router();
        Self { clerk, ledger, router, _thread: thread }
    }

    /// Gives somebody points in a tally; returns where that stands in the ledger.
    pub(crate) async fn add(&self, tally: &str, who: &str, points: i64) -> u64 {
        let command = Box::new(TallyCommand::Add { who: who.into(), points });
        let (actor, at) = (Actor::new(Role::Admin, "tester"), self.clerk.now());
        let stream = StreamId::new("tally", tally).unwrap();
        let petition = Petition::new(stream, command, actor, at);
        self.clerk.hear(petition).await.unwrap().records[0].position
    }

    /// The same, so many times at once.
    pub(crate) async fn add_many(&self, tally: &str, who: impl Fn(usize) -> String, times: usize) {
        let all = (0..times).map(|each| {
            let who = who(each);
            async move { self.add(tally, &who, 1).await }
        });
        futures_util::future::join_all(all).await;
    }

    pub(crate) fn token(&self, role: Role, name: &str, scope: &str) -> String {
        let secret = Secret::new().unwrap();
        self.admit(Token {
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
    pub(crate) fn admit(&self, token: Token) {
        let access = vec![AccessChange::Token(token)];
        let mut writer = self.ledger.writer().unwrap();
        writer.lock().unwrap().commit(&Batch { access, ..Batch::default() }).unwrap();
    }

    /// Listens; the status and the problem otherwise.
    pub(crate) async fn listen(
        &self,
        topics: &[&str],
        last: Option<u64>,
        token: &str,
    ) -> Result<Ear, (u16, Value)> {
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
            return Ok(Ear { pieces: answer.into_body().into_data_stream(), rest: String::new() });
        }
        let status = answer.status().as_u16();
        let problem = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        Err((status, serde_json::from_slice(&problem).unwrap()))
    }
}

impl Ear {
    /// The next event; none when it is over.
    pub(crate) async fn next(&mut self) -> Option<Heard> {
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

    /// The ids of the next so many events.
    pub(crate) async fn ids(&mut self, count: usize) -> Vec<u64> {
        let mut ids = Vec::new();
        while ids.len() < count {
            ids.extend(self.next().await.expect("it goes on").id);
        }
        ids
    }
}

fn read(block: &str) -> Option<Heard> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let id = field("id").map(|id| id.parse().unwrap());
    let data = field("data").map(|data| serde_json::from_str(data).unwrap())?;
    Some(Heard { id, event: field("event")?.to_owned(), data })
}
