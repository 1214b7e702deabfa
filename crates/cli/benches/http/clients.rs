//! Closed-loop HTTP clients: each connection sends the next request as soon as it has the response.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::stage::{Stage, TASKS};

/// The kind of request.
#[derive(Clone, Copy)]
pub(crate) enum Load {
    Empty,
    Board,
    Submissions,
}

/// Runs this many connections for this long; returns the number of responses and the time.
pub(crate) fn run(stage: &Stage, load: Load, connections: usize, seconds: f64) -> (u64, f64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let done = Arc::new(AtomicU64::new(0));
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let began = Instant::now();
    runtime.block_on(async {
        let local = tokio::task::LocalSet::new();
        let clients: Vec<_> = (0..connections)
            .map(|connection| Requests::new(stage, load, connection))
            .map(|requests| local.spawn_local(client(stage.address(), requests, end, done.clone())))
            .collect();
        let all = async {
            for client in clients {
                client.await.unwrap();
            }
        };
        local.run_until(all).await;
    });
    (done.load(Ordering::Relaxed), began.elapsed().as_secs_f64())
}

async fn client(address: String, mut requests: Requests, end: Instant, done: Arc<AtomicU64>) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let mut buffer = Vec::with_capacity(64 * 1024);
    while Instant::now() < end {
        stream.write_all(requests.next()).await.unwrap();
        read_answer(&mut stream, &mut buffer).await;
        done.fetch_add(1, Ordering::Relaxed);
    }
}

/// Reads one response, which must be a success with a content length.
async fn read_answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) {
    buffer.clear();
    let mut whole = usize::MAX;
    while buffer.len() < whole {
        assert!(stream.read_buf(buffer).await.unwrap() > 0, "the server hung up");
        if whole == usize::MAX
            && let Some(head) = buffer.windows(4).position(|end| end == b"\r\n\r\n")
        {
            whole = head + 4 + body_length(&buffer[..head]);
        }
    }
}

fn body_length(head: &[u8]) -> usize {
    let head = std::str::from_utf8(head).unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let mut lines = head.split("\r\n").filter_map(|line| line.split_once(": "));
    let length = lines.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    length.expect("an answer says how long it is").1.parse().unwrap()
}

/// The requests of one connection.
struct Requests {
    text: Vec<u8>,
    /// The offset of the number that makes each submission distinct.
    number: Option<usize>,
    /// The offset of the task's number.
    task: usize,
    sent: usize,
}

impl Requests {
    fn new(stage: &Stage, load: Load, connection: usize) -> Self {
        let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: bench\r\n\r\n");
        let (text, number, task) = match load {
            Load::Empty => (get("/healthz"), None, 0),
            Load::Board => (get("/api/v1/contests/bench/board"), None, 0),
            Load::Submissions => {
                let body = r#"{"answerSets":[{"answers":[{"text":"TR-V017-1,2,3,10000000"}]}]}"#;
                let text = format!(
                    "POST /api/v1/contests/bench/tasks/task-00/submissions HTTP/1.1\r\nhost: bench\r\n\
                     authorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                    stage.tokens[connection % stage.tokens.len()],
                    body.len(),
                );
                let number = text.find("10000000");
                let task = text.find("task-00").unwrap() + 5;
                (text, number, task)
            }
        };
        Self { text: text.into_bytes(), number, task, sent: stage.begin_at() }
    }

    fn next(&mut self) -> &[u8] {
        if let Some(number) = self.number {
            self.sent += 1;
            let digits = format!("{:08}", 10_000_000 + self.sent);
            self.text[number..number + 8].copy_from_slice(digits.as_bytes());
            let task = format!("{:02}", self.sent % TASKS);
            self.text[self.task..self.task + 2].copy_from_slice(task.as_bytes());
        }
        &self.text
    }
}
