//! Fixture: a server with a contest, a receiver, and an independent check of signatures.

use std::path::{Path, PathBuf};

use assize_kernel::Digest;
use assize_testbed::client::Client;
use assize_testbed::contest::{Contest, eventually, wrong_answer};
use assize_testbed::receiver::{Receiver, WebhookDelivery};
use assize_testbed::server::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A thousandth: an hour of the schedule takes 3.6 seconds.
pub(crate) const FAST: &str = "1000";
/// So long that nothing is tried again in a test by itself.
pub(crate) const SLOW: &str = "3600000000";
/// So short that a day of the schedule takes two seconds.
pub(crate) const VERY_FAST: &str = "25";

/// A server over a file, with an admin.
pub(crate) struct Stage {
    pub(crate) server: Server,
    pub(crate) token: String,
    directory: TempDir,
    second: &'static str,
}

/// A webhook, as it was shown when it was added.
pub(crate) struct Hook {
    pub(crate) id: String,
    pub(crate) secret: String,
}

pub(crate) fn assize() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_assize"))
}

impl Stage {
    pub(crate) fn set(second: &'static str) -> Self {
        let directory = TempDir::new().unwrap();
        let server = start(&directory.path().join("ledger.db"), second);
        let token = server.admin_token();
        Self { server, token, directory, second }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.directory.path().join("ledger.db")
    }

    pub(crate) fn admin(&self) -> Client {
        self.server.client(&self.token)
    }

    pub(crate) fn contest(&self, name: &str) -> Contest {
        Contest::open(&self.server, &self.token, name)
    }

    /// Kills the server and starts another over the same file.
    pub(crate) fn crash(self) -> Self {
        let Self { server, token, directory, second } = self;
        server.kill();
        let server = start(&directory.path().join("ledger.db"), second);
        Self { server, token, directory, second }
    }

    /// Stops the server and starts another over the same file.
    pub(crate) fn restart(self) -> Self {
        let Self { server, token, directory, second } = self;
        server.stop();
        let server = start(&directory.path().join("ledger.db"), second);
        Self { server, token, directory, second }
    }

    pub(crate) fn add(&self, url: &str, topics: &[&str]) -> Hook {
        add(&self.admin(), url, topics)
    }

    pub(crate) fn listed(&self, hook: &Hook) -> Value {
        listed(&self.admin(), hook)
    }
}

fn start(file: &Path, second: &str) -> Server {
    let file = file.to_str().unwrap();
    Server::start(assize(), &["--data", file, "--webhooks-allow-private", "--webhooks-second", second])
}

pub(crate) fn add(admin: &Client, url: &str, topics: &[&str]) -> Hook {
    let (status, added) =
        admin.post("/api/v1/webhooks", &json!({ "url": url, "topics": topics }), None).unwrap();
    assert_eq!(status, 201, "{added}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Hook { id: text(&added["webhook"]["id"]), secret: text(&added["secret"]) }
}

pub(crate) fn listed(admin: &Client, hook: &Hook) -> Value {
    let (status, page) = admin.get("/api/v1/webhooks").unwrap();
    assert_eq!(status, 200, "{page}");
    let all = page["webhooks"].as_array().unwrap();
    all.iter().find(|webhook| webhook["id"] == hook.id.as_str()).expect("it is listed").clone()
}

/// Submits so many wrong answers.
pub(crate) fn submit(contest: &Contest, team: &Client, from: u64, count: u64) {
    for number in from..from + count {
        let path = contest.path("/tasks/1/submissions");
        let (status, judged) = team.post(&path, &wrong_answer(number), None).unwrap();
        assert_eq!(status, 200, "{judged}");
    }
}

/// Every record there is, with its position, as an admin sees it.
pub(crate) fn records(admin: &Client) -> Vec<(u64, Value)> {
    let read = |position| admin.get(&format!("/api/v1/records/{position}")).unwrap();
    let all = (1..).map(|position| (position, read(position)));
    all.map_while(|(position, (status, record))| (status == 200).then_some((position, record))).collect()
}

/// The positions of all records of the contest `spring`.
pub(crate) fn to_be_told(admin: &Client) -> Vec<u64> {
    let spring = |record: &Value| record["stream"] == "contest/spring";
    records(admin).into_iter().filter(|(_, record)| spring(record)).map(|(position, _)| position).collect()
}

/// The positions a receiver has taken, each once, in the order in which they first came.
pub(crate) fn taken(receiver: &Receiver) -> Vec<u64> {
    let mut seen = Vec::new();
    for position in receiver.received().iter().filter(|one| one.status == 200).map(WebhookDelivery::position)
    {
        if !seen.contains(&position) {
            seen.push(position);
        }
    }
    seen
}

/// Waits until everything that happened in the contest `spring` has arrived, and sees that it is in order.
pub(crate) fn all_arrive(receiver: &Receiver, admin: &Client) -> Vec<u64> {
    let expected = to_be_told(admin);
    eventually("everything arrives", || taken(receiver).len() >= expected.len());
    assert_eq!(taken(receiver), expected);
    expected
}

/// HMAC as RFC 2104 defines it, over "timestamp.body".
pub(crate) fn signature(secret: &str, timestamp: &str, body: &str) -> String {
    let key = if secret.len() > 64 { Digest::of(secret.as_bytes()).0.to_vec() } else { secret.into() };
    let pad =
        |with: u8| -> Vec<u8> { (0..64).map(|index| key.get(index).copied().unwrap_or(0) ^ with).collect() };
    let said = format!("{timestamp}.{body}");
    let inner = Digest::of_parts(&[&pad(0x36), said.as_bytes()]);
    format!("v1={}", Digest::of_parts(&[&pad(0x5c), &inner.0]))
}

pub(crate) fn is_signed(received: &WebhookDelivery, hook: &Hook) {
    let expected = signature(&hook.secret, received.header("assize-timestamp"), &received.body);
    assert_eq!(received.header("assize-signature"), expected);
    let told = received.json();
    assert_eq!(told["id"], received.header("assize-delivery"));
    assert_eq!(told["webhook"], hook.id.as_str());
}
