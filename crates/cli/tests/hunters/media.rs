//! Images and videos: type detection, deduplication and permissions.

use std::path::Path;

use assize_testbed::client::Client;
use assize_testbed::server::Server;
use serde_json::{Value, json};

use crate::stage::{Stage, log, must, refused, seen};

pub(crate) const VIDEO: &[u8] = b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41 a short clip";
const PICTURE: &[u8] = b"\x89PNG\r\n\x1A\n a small picture";

fn stage(directory: &Path) -> Stage {
    let media = directory.join("media").display().to_string();
    let binary = Path::new(env!("CARGO_BIN_EXE_assize"));
    Stage::on(Server::start(binary, &["--ephemeral", "--media", &media, "--media-bytes", "2048"]))
}

pub(crate) fn upload(client: &Client, hunter: &str, bytes: &[u8]) -> (u16, Value) {
    client.send("POST", &format!("/api/v1/hunters/{hunter}/media"), bytes, None).unwrap().into_json()
}

#[test]
fn a_video_is_kept_used_once_and_shown() {
    let directory = tempfile::tempdir().unwrap();
    let stage = stage(directory.path());
    let (ada, bob) = (stage.hunter("ada"), stage.hunter("bob"));
    let (status, kept) = upload(&ada, "ada", VIDEO);
    assert_eq!((status, &kept["kind"], &kept["content_type"]), (201, &json!("video"), &json!("video/mp4")));
    let digest = kept["sha256"].as_str().unwrap();
    let address = format!("/api/v1/hunters/ada/media/{digest}");
    assert_eq!(ada.get(&address).unwrap().0, 404, "nothing is shown that no log names");

    let mut proven = log();
    proven["proof"] = json!({ "kind": "Photo", "sha256": digest });
    stage.give("ada", "monday");
    let path = "/api/v1/hunters/ada/quests/monday/log";
    refused(&ada, path, &json!({ "log": proven }), 400, "request.malformed");
    proven["proof"]["kind"] = json!("Video");
    must(&ada, path, &json!({ "log": proven }));
    let reply = stage.nobody.send("GET", &address, &[], None).unwrap();
    assert_eq!((reply.status, reply.content_type.as_str()), (200, "video/mp4"));
    assert_eq!(reply.header("content-security-policy"), "sandbox; default-src 'none'");

    let (status, told) = upload(&bob, "bob", VIDEO);
    assert_eq!((status, told["code"].as_str().unwrap()), (409, "quest.proof.seen"));
    assert_eq!(upload(&bob, "ada", PICTURE).0, 403);
    assert_eq!(stage.nobody.get(&format!("/api/v1/hunters/bob/media/{digest}")).unwrap().0, 404);
    must(&ada, "/api/v1/hunters/ada/erase", &json!({}));
    assert_eq!(ada.get(&address).unwrap().0, 404, "erased with its hunter");
    stage.end();
}

#[test]
fn what_is_no_media_or_too_large_or_private_is_not_for_everybody() {
    let directory = tempfile::tempdir().unwrap();
    let stage = stage(directory.path());
    let ada = stage.hunter("ada");
    let (status, told) = upload(&ada, "ada", b"<svg onload=alert(1)>");
    assert_eq!((status, told["code"].as_str().unwrap()), (415, "media.unknown_kind"));
    let large = [VIDEO, &[0; 3_000]].concat();
    assert_eq!(upload(&ada, "ada", &large).0, 413);
    let (_, kept) = upload(&ada, "ada", VIDEO);
    let mut proven = log();
    proven["proof"] = json!({ "kind": "Video", "sha256": kept["sha256"] });
    stage.give("ada", "monday");
    must(&ada, "/api/v1/hunters/ada/quests/monday/log", &json!({ "log": proven, "private": true }));
    let address = format!("/api/v1/hunters/ada/media/{}", kept["sha256"].as_str().unwrap());
    assert_eq!(stage.nobody.get(&address).unwrap().0, 404);
    assert_eq!(stage.judge.send("GET", &address, &[], None).unwrap().status, 200);
    let waiting = seen(&stage.judge, "/api/v1/moderation");
    assert_eq!(
        (&waiting["waiting"][0]["kind"], &waiting["waiting"][0]["media"]),
        (&json!("proof"), &kept["sha256"])
    );
    stage.end();
}

#[test]
fn a_server_without_a_place_says_so() {
    let stage = Stage::set();
    let ada = stage.hunter("ada");
    let (status, told) = upload(&ada, "ada", VIDEO);
    assert_eq!((status, told["code"].as_str().unwrap()), (404, "media.not_kept"));
    stage.end();
}
