//! A mock of S3: PUT, GET, HEAD and DELETE of objects, with checked signatures.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use assize_kernel::Digest;
use assize_testbed::server::Server;
use serde_json::json;

use crate::media::{VIDEO, upload};
use crate::stage::{Stage, log, must};

const KEY: &str = "a-key-id";

/// What is in the bucket, by address, and what was asked of it.
#[derive(Default)]
struct Bucket {
    objects: BTreeMap<String, Vec<u8>>,
    asked: Vec<String>,
    /// Whether it answers at all.
    broken: bool,
}

/// A bucket on a free port; its thread ends with the test.
fn start() -> (SocketAddr, Arc<Mutex<Bucket>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let bucket = Arc::<Mutex<Bucket>>::default();
    let kept = bucket.clone();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let kept = kept.clone();
            thread::spawn(move || converse(&stream, &kept));
        }
    });
    (address, bucket)
}

/// One request for each connection.
fn converse(stream: &TcpStream, bucket: &Mutex<Bucket>) {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_owned()),
        }
    }
    let header = |name: &str| {
        let named = head.iter().filter_map(|line| line.split_once(": "));
        named
            .into_iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
    };
    let length = header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let signed = header("authorization")
        .is_some_and(|given| given.starts_with(&format!("AWS4-HMAC-SHA256 Credential={KEY}/")));
    let [method, path] = [0, 1].map(|part| head[0].split(' ').nth(part).unwrap().to_owned());
    let (status, answer) = bucket.lock().unwrap().answer(&method, &path, body, signed);
    let tag = Digest::of(&answer).short();
    let told = format!(
        "HTTP/1.1 {status} told\r\ncontent-length: {}\r\netag: \"{tag}\"\r\nconnection: close\r\n\
         last-modified: Sun, 15 Nov 2026 20:44:40 GMT\r\n\r\n",
        answer.len()
    );
    let answer = if method == "HEAD" { &[][..] } else { &answer };
    let mut stream = stream;
    drop(stream.write_all(&[told.as_bytes(), answer].concat()));
}

impl Bucket {
    fn answer(&mut self, method: &str, path: &str, body: Vec<u8>, signed: bool) -> (u16, Vec<u8>) {
        self.asked.push(format!("{method} {path}"));
        let found = self.objects.get(path).cloned();
        match (method, found) {
            _ if !signed => (403, b"<Error><Code>AccessDenied</Code></Error>".to_vec()),
            _ if self.broken => (400, b"<Error><Code>Broken</Code></Error>".to_vec()),
            ("PUT", _) => {
                self.objects.insert(path.to_owned(), body);
                (200, Vec::new())
            }
            ("GET" | "HEAD", Some(found)) => (200, found),
            ("GET" | "HEAD", None) => (404, b"<Error><Code>NoSuchKey</Code></Error>".to_vec()),
            ("DELETE", _) => {
                self.objects.remove(path);
                (204, Vec::new())
            }
            _ => (501, Vec::new()),
        }
    }
}

#[test]
fn videos_are_kept_in_a_bucket_and_deleted_there_with_their_hunter() {
    let (address, bucket) = start();
    let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_assize")));
    command.args(["serve", "--listen", "127.0.0.1:0", "--ephemeral", "--media", "s3://proofs/gym"]);
    command.envs([
        ("AWS_ENDPOINT_URL", format!("http://{address}").as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "somewhere"),
        ("AWS_ACCESS_KEY_ID", KEY),
        ("AWS_SECRET_ACCESS_KEY", "a secret"),
    ]);
    let stage = Stage::on(Server::launch(command));
    let ada = stage.hunter("ada");
    let (status, kept) = upload(&ada, "ada", VIDEO);
    assert_eq!(status, 201, "{kept}");
    let digest = kept["sha256"].as_str().unwrap();
    let place = format!("/proofs/gym/{}/{digest}", &digest[..2]);
    assert_eq!(bucket.lock().unwrap().objects.get(&place).map(Vec::as_slice), Some(VIDEO));

    let mut proven = log();
    proven["proof"] = json!({ "kind": "Video", "sha256": digest });
    stage.give("ada", "monday");
    must(&ada, "/api/v1/hunters/ada/quests/monday/log", &json!({ "log": proven }));
    let path = format!("/api/v1/hunters/ada/media/{digest}");
    let reply = stage.nobody.send("GET", &path, &[], None).unwrap();
    assert_eq!((reply.status, reply.text.len()), (200, VIDEO.len()));

    bucket.lock().unwrap().broken = true;
    let (status, told) = stage.nobody.get(&path).unwrap();
    assert_eq!((status, &told["code"]), (503, &json!("media.unavailable")), "{told}");
    bucket.lock().unwrap().broken = false;
    must(&ada, "/api/v1/hunters/ada/erase", &json!({}));
    let left = bucket.lock().unwrap();
    assert!(left.objects.is_empty(), "erased with its hunter: {:?}", left.asked);
    assert!(left.asked.contains(&format!("DELETE {place}")), "{:?}", left.asked);
    drop(left);
    stage.end();
}
