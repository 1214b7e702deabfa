//! Permissions of webhooks, and where their secrets must not appear.

use std::process::Command;

use assize_testbed::receiver::Receiver;
use serde_json::json;

use crate::stage::{FAST, Stage, assize};

#[test]
fn webhooks_are_for_admins_alone() {
    let stage = Stage::set(FAST);
    let hook = stage.add("http://127.0.0.1:9/", &["contest"]);
    let contest = stage.contest("spring");
    let ants = stage.server.client(&contest.register("ants"));
    let nobody = stage.server.client("");
    let one = format!("/api/v1/webhooks/{}", hook.id);
    let delivery = format!("{one}/dead/{}-2/retry", hook.id);
    for (method, path) in [
        ("POST", "/api/v1/webhooks".to_owned()),
        ("GET", "/api/v1/webhooks".to_owned()),
        ("DELETE", one.clone()),
        ("POST", format!("{one}/pause")),
        ("POST", format!("{one}/resume")),
        ("POST", format!("{one}/test")),
        ("GET", format!("{one}/dead")),
        ("POST", delivery),
    ] {
        let body = json!({ "url": "http://127.0.0.1:9/", "topics": ["contest"] }).to_string();
        let body = if path.ends_with("/webhooks") { body.as_bytes() } else { b"" };
        assert_eq!(ants.send(method, &path, body, None).unwrap().status, 403, "{method} {path}");
        assert_eq!(nobody.send(method, &path, body, None).unwrap().status, 401, "{method} {path}");
    }
}

#[test]
fn the_secret_is_shown_once_and_is_in_no_list_log_or_export() {
    let stage = Stage::set(FAST);
    let receiver = Receiver::start();
    let hook = stage.add(&receiver.url(), &["contest"]);
    drop(stage.contest("spring"));
    let listed = stage.admin().send("GET", "/api/v1/webhooks", b"", None).unwrap().text;
    assert!(listed.contains(&hook.id) && !listed.contains("whsec_"), "{listed}");
    assert!(!stage.server.log().contains("whsec_"));
    let file = stage.file();
    let export = Command::new(assize()).args(["ledger", "export", "--data"]).arg(&file).output().unwrap();
    let export = String::from_utf8(export.stdout).unwrap();
    assert!(export.contains("WebhookAdded") && export.contains(&hook.id), "{export}");
    assert!(!export.contains("whsec_") && !export.contains("room=1"), "{export}");
}
