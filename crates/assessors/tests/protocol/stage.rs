//! Fixtures: a scripted endpoint, a model and a questionnaire.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use assize_assessors::{AnswerFormat, Assessment, BudgetLimits, Model, ModelSettings};
use assize_kernel::{Choice, Item, Prompt, Questionnaire, Scale, Source};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

pub(crate) static SCALE: Scale = Scale {
    labels: &["Supported", "Partially", "Unsupported"],
    ordered: true,
    quoted: &["Supported"],
    lowered: &[("Supported", "Partially")],
};

/// A scripted reaction to a request.
#[derive(Clone)]
pub(crate) enum Reply {
    /// Says this, and why it stopped.
    Says(String, &'static str),
    /// This status, and after how many seconds to come back.
    Fails(u16, Option<&'static str>),
    /// This body, whatever it is.
    Raw(&'static str),
    /// Nothing, ever.
    Hangs,
}

#[derive(Clone, Default)]
pub(crate) struct Script {
    replies: Arc<Mutex<VecDeque<Reply>>>,
    pub(crate) requests: Arc<Mutex<Vec<(HeaderMap, Value)>>>,
}

/// An endpoint that plays these reactions in order.
pub(crate) async fn endpoint(replies: Vec<Reply>) -> (SocketAddr, Script) {
    let script = Script { replies: Arc::new(Mutex::new(replies.into())), ..Script::default() };
    let router = Router::new().route("/v1/chat/completions", post(reply)).with_state(script.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (address, script)
}

async fn reply(State(script): State<Script>, headers: HeaderMap, body: Bytes) -> Response {
    let request = serde_json::from_slice(&body).expect("requests are JSON");
    script.requests.lock().unwrap().push((headers, request));
    let reply = script.replies.lock().unwrap().pop_front().expect("one request more than was expected");
    match reply {
        Reply::Says(content, finish_reason) => {
            let choice = json!({ "message": { "role": "assistant", "content": content }, "finish_reason": finish_reason });
            let usage = json!({ "prompt_tokens": 1000, "completion_tokens": 100 });
            axum::Json(json!({ "choices": [choice], "usage": usage })).into_response()
        }
        Reply::Fails(status, after) => {
            let status = StatusCode::from_u16(status).unwrap();
            let headers = after.map(|after| [("retry-after", after)]);
            (status, headers.map_or_else(HeaderMap::new, header_map), "no").into_response()
        }
        Reply::Raw(body) => body.into_response(),
        Reply::Hangs => std::future::pending().await,
    }
}

fn header_map(headers: [(&'static str, &'static str); 1]) -> HeaderMap {
    headers.into_iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
}

pub(crate) fn settings(address: SocketAddr) -> ModelSettings {
    ModelSettings {
        url: format!("http://{address}/v1"),
        model: "small-1".into(),
        key_variable: Some("THE_KEY".into()),
        structure: AnswerFormat::JsonSchema,
        timeout_seconds: 5,
        attempts: 3,
        concurrency: 4,
        max_tokens: 500,
        temperature: 0.0,
        price_in: 2.0,
        price_out: 10.0,
        budget: BudgetLimits::default(),
    }
}

pub(crate) fn model(settings: ModelSettings) -> Model {
    Model::new("small".into(), settings, &|name| (name == "THE_KEY").then(|| "s3cret-key".into())).unwrap()
}

pub(crate) fn prompt() -> Prompt {
    let text = "court = \"summary\"\nname = \"observe\"\nversion = 3\nsystem = \"look\"\nrepair = \"wrong:\"\n\
                [questions]\nclaim = \"is it so?\"\n";
    Prompt::read("summary", "prompt.toml", text).unwrap()
}

/// One claim about one sentence.
pub(crate) fn asked() -> Questionnaire {
    let article = Source { name: "article", text: "The mayor opened the bridge on Monday.".into() };
    let claim = Item {
        id: "claim_1".into(),
        kind: "claim",
        about: "the bridge is open".into(),
        choice: Choice::Label(&SCALE),
        source: Some("article"),
    };
    Questionnaire { sources: vec![article], items: vec![claim] }
}

pub(crate) fn good() -> String {
    json!({ "claim_1": { "quote": "opened the bridge", "label": "Supported" } }).to_string()
}

/// Asks an endpoint with these reactions.
pub(crate) async fn assess(replies: Vec<Reply>) -> (Assessment, Vec<(HeaderMap, Value)>) {
    let expected = replies.len();
    let (address, script) = endpoint(replies).await;
    let assessment = model(settings(address)).assess(&prompt(), &asked()).await;
    let requests = std::mem::take(&mut *script.requests.lock().unwrap());
    assert_eq!(requests.len(), expected, "all of it was asked for, and no more");
    (assessment, requests)
}
