//! A server in this process with a manual clock, and the clients of the AIC tools.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use assize_engine::{Clerk, ClerkSettings, ClerkThread, Clock, Courts, Secret};
use assize_kernel::{Actor, Moment, Role};
use assize_ledger::{AccessChange, AccessToken, Batch, Ledger, MemoryLedger};
use assize_server::{App, ServeSettings, serve};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The ground truth of most questions.
pub(crate) const POINTS: &str = "4890-5000-5001-5020";
/// Start of the manual clock, in milliseconds.
pub(crate) const BEGINNING: i64 = 1_794_735_000_000;

pub(crate) struct Hall {
    clock: &'static AtomicI64,
    address: SocketAddr,
    admin: String,
    _thread: ClerkThread,
}

/// Status and raw body.
pub(crate) type Reply = (u16, String);

impl Hall {
    /// A server without an open contest.
    pub(crate) async fn build() -> Self {
        let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
        let courts = Arc::new(Courts::shipped().unwrap());
        let millis: &'static AtomicI64 = Box::leak(Box::default());
        let clock = Clock::by_hand(Moment::from_millis(BEGINNING), millis);
        let (clerk, thread) =
            Clerk::start_by(clock, courts.clone(), ledger.clone(), ClerkSettings::default()).unwrap();
        let admin = Secret::new().unwrap();
        admit(&*ledger, &admin, Actor::new(Role::Admin, "organiser"));
        let app = App::new(courts, ledger, clerk);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let closing = app.closing();
        tokio::spawn(serve(listener, app.router(), ServeSettings::default(), closing));
        Self { clock: millis, address, admin: admin.reveal().to_owned(), _thread: thread }
    }

    /// A server with an open contest: question 1 is TR, 2 is KIS, 3 is QA.
    pub(crate) async fn open(rulebook: &str) -> Self {
        let hall = Self::build().await;
        hall.must("/api/v1/contests", json!({ "id": "aic", "rulebook": rulebook })).await;
        for (id, kind) in [("1", "TR"), ("2", "KIS"), ("3", "QA")] {
            hall.add(json!({ "id": id, "type": kind, "video_id": "V017", "points": POINTS })).await;
        }
        hall.must("/api/v1/contests/aic/door/open", json!({})).await;
        hall
    }

    /// An open contest under the rules of the competition, with this question running since the start.
    pub(crate) async fn running(question: u32) -> Self {
        let hall = Self::open("competition").await;
        hall.start(question).await;
        hall
    }

    pub(crate) async fn add(&self, task: Value) {
        self.must("/api/v1/contests/aic/tasks", task).await;
    }

    pub(crate) async fn start(&self, question: u32) {
        let body = json!({ "question_id": question }).to_string();
        assert_eq!(self.curl("/admin/start-question", &body).await.0, 200);
    }

    /// Sets the clock to this many seconds after the start.
    #[allow(clippy::cast_possible_truncation, reason = "a few minutes in milliseconds")]
    pub(crate) fn at(&self, seconds: f64) -> &Self {
        self.clock.store((seconds * 1000.0).round() as i64, Ordering::SeqCst);
        self
    }

    /// A POST as `curl -d BODY` sends it, with the content type of a form.
    pub(crate) async fn curl(&self, path: &str, body: &str) -> Reply {
        let headers =
            "User-Agent: curl/8.5.0\r\nAccept: */*\r\nContent-Type: application/x-www-form-urlencoded\r\n";
        self.send("POST", path, headers, body).await
    }

    /// A POST as Python's `requests.post(…, json=…)` sends it.
    pub(crate) async fn python(&self, path: &str, body: &Value) -> Reply {
        let headers = "User-Agent: python-requests/2.32.3\r\nAccept-Encoding: gzip, deflate\r\nAccept: */*\r\n\
                       Connection: keep-alive\r\nContent-Type: application/json\r\n";
        self.send("POST", path, headers, &body.to_string()).await
    }

    /// A GET without extra headers.
    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send("GET", path, "", "").await
    }

    /// Submits an answer of one text.
    pub(crate) async fn text(&self, team: &str, question: u32, text: &str) -> Reply {
        let answers = json!([{ "answers": [{ "text": text }] }]);
        let body = json!({ "team_id": team, "question_id": question, "answerSets": answers });
        self.python("/submit", &body).await
    }

    /// Calls our own API as an admin; the call must succeed.
    pub(crate) async fn must(&self, path: &str, body: Value) -> Value {
        let headers = format!("Authorization: Bearer {}\r\n", self.admin);
        let (status, answer) = self.send("POST", path, &headers, &body.to_string()).await;
        assert!((200..300).contains(&status), "{path}: {status} {answer}");
        serde_json::from_str(&answer).unwrap()
    }

    /// Sends a request with an admin's token and these headers.
    pub(crate) async fn as_admin(&self, method: &str, path: &str, headers: &str, body: &str) -> Reply {
        let headers = format!("Authorization: Bearer {}\r\n{headers}", self.admin);
        self.send(method, path, &headers, body).await
    }

    /// The status and the problem code of a refusal in our own API.
    pub(crate) async fn answer_of(&self, token: &str, path: &str) -> (u16, String) {
        let (_, status, body) =
            self.exchange("POST", path, &format!("Authorization: Bearer {token}\r\n"), "").await;
        let body: Value = serde_json::from_str(&body).unwrap();
        (status, body["code"].as_str().unwrap_or_default().to_owned())
    }

    pub(crate) async fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Reply {
        let (head, status, body) = self.exchange(method, path, headers, body).await;
        let json = head.to_lowercase().contains("content-type: application/json\r\n");
        assert!(json, "everything is JSON at the root: {head}");
        (status, body)
    }

    /// Sends a request; the head, the status and the body of the response.
    pub(crate) async fn exchange(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> (String, u16, String) {
        let mut connection = TcpStream::connect(self.address).await.unwrap();
        let length =
            if method == "GET" { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n{headers}{length}\r\n", self.address);
        connection.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        let (mut answer, mut piece) = (Vec::new(), [0; 4096]);
        while !is_whole(&answer) {
            let read = connection.read(&mut piece).await.unwrap();
            assert!(read > 0, "the answer ends too early");
            answer.extend_from_slice(&piece[..read]);
        }
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (format!("{head}\r\n"), status.expect("an answer has a status"), body.to_owned())
    }
}

/// Whether the response is complete according to its `Content-Length`.
fn is_whole(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer).to_lowercase();
    let Some((head, _)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
    let length: usize = length.and_then(|length| length.parse().ok()).expect("an answer says how long it is");
    answer.len() >= head.len() + 4 + length
}

/// A refusal with a text as detail.
pub(crate) fn refused(status: u16, detail: &str) -> Reply {
    (status, json!({ "detail": detail }).to_string())
}

fn admit(ledger: &dyn Ledger, secret: &Secret, actor: Actor) {
    let token = AccessToken {
        hash: secret.hash(),
        actor: actor.to_string(),
        scope: String::new(),
        label: String::new(),
        issued: Moment::from_millis(BEGINNING),
        issued_by: String::new(),
        expires: None,
        revoked: None,
    };
    let access = vec![AccessChange::Token(token)];
    let mut writer = ledger.writer().unwrap();
    writer.lock().unwrap().commit(&Batch { access, ..Batch::default() }).unwrap();
}
