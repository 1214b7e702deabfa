//! Images and videos of hints: stored by the server, hidden until the hint is shown.

use std::path::Path;

use assize_testbed::contest::{Contest, eventually};
use assize_testbed::server::Server;
use serde_json::{Value, json};

/// As much of a picture as is looked at, and then what must come back.
const PICTURE: &[u8] = b"GIF89a: a red car in front of a house";

#[test]
fn a_picture_is_hidden_until_its_hint_is_shown_and_survives_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("ledger.db");
    let serve =
        || Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), &["--data", file.to_str().unwrap()]);
    let server = serve();
    let token = server.admin_token();
    let contest = Contest::open(&server, &token, "spring");
    let upload = |contest: &Contest, bytes: &[u8]| {
        contest.admin.send("POST", &contest.path("/media"), bytes, None).unwrap().into_json()
    };
    let (status, uploaded) = upload(&contest, PICTURE);
    assert_eq!(
        (status, &uploaded["type"], &uploaded["size"]),
        (201, &json!("image/gif"), &json!(PICTURE.len()))
    );
    let (_, again) = upload(&contest, PICTURE);
    assert_eq!(again, uploaded, "the same file is the same one");
    let (status, refused) = upload(&contest, b"<svg onload=alert(1)>");
    assert_eq!((status, &refused["code"]), (400, &json!("media.type.unknown")));
    let (status, refused) = upload(&contest, &vec![b'x'; (8 << 20) + 1]);
    assert_eq!((status, &refused["code"]), (413, &json!("request.too_large")));

    let address = uploaded["address"].as_str().unwrap().to_owned();
    let hint = json!({ "at_seconds": 0, "kind": "image", "content": address });
    let task = json!({ "id": "t1", "type": "KIS", "video_id": "L01", "points": [1, 2], "hints": [hint] });
    contest.must(&contest.path("/tasks"), &task);
    let team = server.client(&contest.register("ants"));
    for who in [&team, &server.client("")] {
        assert_eq!(who.get(&address).unwrap().0, 404, "its time has not come");
    }
    assert_eq!(contest.admin.send("GET", &address, &[], None).unwrap().status, 200);
    contest.start_task("t1", 3_600.0, 10.0);
    eventually("the hint is shown", || {
        contest.seen()["tasks"][0]["round"]["hints"][0]["content"] == address.as_str()
    });
    server.stop();

    let server = serve();
    let nobody = server.client("");
    let whole = nobody.send("GET", &address, &[], None).unwrap();
    assert_eq!(
        (whole.status, whole.content_type.as_str(), whole.text.as_bytes()),
        (200, "image/gif", PICTURE)
    );
    assert_eq!((whole.header("x-content-type-options"), whole.header("accept-ranges")), ("nosniff", "bytes"));
    assert!(whole.header("cache-control").contains("immutable"), "{whole:?}");
    let part = |range| nobody.send_with("GET", &address, &[], &[("range", range)]).unwrap();
    let middle = part("bytes=8-16");
    assert_eq!(
        (middle.status, middle.text.as_str(), middle.header("content-range")),
        (206, "a red car", "bytes 8-16/37")
    );
    assert_eq!(part("bytes=37-").status, 416);
    let other = address.replace("spring", "autumn");
    assert_eq!(nobody.get(&other).unwrap().0, 404, "no contest there has shown it");
    assert_eq!(nobody.get(&address[..address.len() - 1]).unwrap().0, 404);
    let (_, seen): (u16, Value) = nobody.get("/api/v1/contests/spring").unwrap();
    assert_eq!(seen["tasks"][0]["round"]["hints"][0]["content"], address.as_str());
    server.stop();
}
