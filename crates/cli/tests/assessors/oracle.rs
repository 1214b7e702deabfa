//! A mock endpoint with the chat protocol that answers every item as scripted.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Map, Value, json};

/// What an oracle says to a question: a status and the content of its answer.
pub(crate) type Saying = dyn Fn(&Value) -> (u16, String) + Send + Sync;

/// A listener on loopback; gone when dropped.
pub(crate) struct Oracle {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

struct Shared {
    saying: Mutex<Arc<Saying>>,
    asked: AtomicUsize,
    bodies: Mutex<Vec<String>>,
    delay: Mutex<Duration>,
    over: AtomicBool,
}

impl Oracle {
    pub(crate) fn start(saying: impl Fn(&Value) -> (u16, String) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            saying: Mutex::new(Arc::new(saying)),
            asked: AtomicUsize::new(0),
            bodies: Mutex::default(),
            delay: Mutex::default(),
            over: AtomicBool::new(false),
        });
        let heard = shared.clone();
        let listening = thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                if heard.over.load(Ordering::Acquire) {
                    return;
                }
                let heard = heard.clone();
                thread::spawn(move || heard.answer(connection));
            }
        });
        Self { address, shared, listening: Some(listening) }
    }

    /// One that chooses a label for every item.
    pub(crate) fn choosing(choose: impl Fn(&Value) -> String + Send + Sync + 'static) -> Self {
        Self::start(move |question| (200, answered(question, &choose)))
    }

    /// One that always says the same.
    pub(crate) fn always(status: u16, content: &'static str) -> Self {
        Self::start(move |_| (status, content.to_owned()))
    }

    pub(crate) fn say(&self, saying: impl Fn(&Value) -> (u16, String) + Send + Sync + 'static) {
        *self.shared.saying.lock().unwrap() = Arc::new(saying);
    }

    pub(crate) fn slow(self, delay: Duration) -> Self {
        self.take_time(delay);
        self
    }

    /// From now on it takes so long over each answer.
    pub(crate) fn take_time(&self, delay: Duration) {
        *self.shared.delay.lock().unwrap() = delay;
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// How often it was asked.
    pub(crate) fn asked(&self) -> usize {
        self.shared.asked.load(Ordering::Acquire)
    }

    /// What was sent to it, in order.
    pub(crate) fn requests(&self) -> Vec<Value> {
        let bodies = self.shared.bodies.lock().unwrap();
        bodies.iter().map(|body| serde_json::from_str(body).unwrap()).collect()
    }

    /// What it was asked, in order.
    pub(crate) fn questions(&self) -> Vec<Value> {
        self.shared.bodies.lock().unwrap().iter().map(|body| question_in(body)).collect()
    }
}

impl Shared {
    fn answer(&self, mut connection: TcpStream) {
        let Some(body) = read(&connection) else { return };
        let body = String::from_utf8(body).unwrap();
        let question = question_in(&body);
        self.bodies.lock().unwrap().push(body);
        self.asked.fetch_add(1, Ordering::AcqRel);
        // Not while it is locked: others answer meanwhile.
        let delay = *self.delay.lock().unwrap();
        thread::sleep(delay);
        let saying = self.saying.lock().unwrap().clone();
        let (status, content) = saying(&question);
        let choice =
            json!({ "message": { "role": "assistant", "content": content }, "finish_reason": "stop" });
        let usage = json!({ "prompt_tokens": 1000, "completion_tokens": 100 });
        let body = json!({ "choices": [choice], "usage": usage }).to_string();
        let head = format!(
            "HTTP/1.1 {status} Any\r\nContent-Type: application/json\r\nRetry-After: 0\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            body.len()
        );
        // Whoever asked may have been killed.
        drop(connection.write_all(format!("{head}{body}").as_bytes()));
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Release);
        drop(TcpStream::connect(self.address));
        if let Some(listening) = self.listening.take() {
            drop(listening.join());
        }
    }
}

/// What is asked in the body of a request.
fn question_in(body: &str) -> Value {
    let request: Value = serde_json::from_str(body).unwrap();
    serde_json::from_str(request["messages"][1]["content"].as_str().unwrap()).unwrap()
}

/// The body of a request.
fn read(connection: &TcpStream) -> Option<Vec<u8>> {
    let mut reader = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(body)
}

/// An answer to every item: the chosen label, with the first words of the text it must be quoted from.
pub(crate) fn answered(question: &Value, choose: &dyn Fn(&Value) -> String) -> String {
    let mut answers = Map::new();
    for item in question["items"].as_array().unwrap() {
        let id = item["id"].as_str().unwrap().to_owned();
        let answer = match item["quote_from"].as_str() {
            _ if item.get("number").is_some() => {
                json!({ "number": choose(item).parse::<f64>().unwrap_or(50.0) })
            }
            Some(source) => {
                let text = question["texts"][source].as_str().unwrap();
                let words: Vec<&str> = text.split_whitespace().take(4).collect();
                json!({ "quote": words.join(" "), "label": choose(item) })
            }
            None => json!({ "label": choose(item) }),
        };
        answers.insert(id, answer);
    }
    Value::Object(answers).to_string()
}

/// The best label of an item.
pub(crate) fn best(item: &Value) -> String {
    item["labels"][0].as_str().unwrap_or("90").to_owned()
}

/// The worst one.
pub(crate) fn worst(item: &Value) -> String {
    let last = item["labels"].as_array().and_then(|labels| labels.last());
    last.and_then(Value::as_str).unwrap_or("10").to_owned()
}
