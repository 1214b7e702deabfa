//! Personal texts: restricted, outside the hash chain, and erasable.

use serde_json::json;

use crate::stage::{Stage, log, must, seen};

#[test]
fn words_are_read_kept_apart_exported_and_erased() {
    let stage = Stage::set();
    let body =
        json!({ "id": "ada", "class": "Tank", "name": "Ada of Lovelace Street", "zone": "Europe/Madrid" });
    let token = must(&stage.app, "/api/v1/hunters", &body)["token"].as_str().unwrap().to_owned();
    let ada = stage.server.client(&token);
    stage.give("ada", "monday");
    let mut written = log();
    written["user_feedback"] = json!("My left knee hurts since the stairs at Periwinkle station");
    let judged = must(&ada, "/api/v1/hunters/ada/quests/monday/log", &json!({ "log": written }));
    assert_eq!(judged["verdict"]["detail"]["safety_score"], json!(0.7));
    assert_eq!(judged["verdict"]["points"], json!(300.0), "what was read takes no XP");

    assert_eq!(seen(&stage.nobody, "/api/v1/hunters/ada")["name"], "Ada of Lovelace Street");
    let shown = |client| seen(client, "/api/v1/hunters/ada/logs/monday");
    assert_eq!(shown(&stage.nobody)["user_feedback"], json!(null));
    assert!(!shown(&stage.nobody).to_string().contains("Periwinkle"));
    assert!(shown(&stage.judge)["user_feedback"].as_str().unwrap().contains("Periwinkle"));
    let export = seen(&ada, "/api/v1/hunters/ada/export");
    assert!(export.to_string().contains("Periwinkle") && export.to_string().contains("Lovelace"));
    assert_eq!(stage.judge.get("/api/v1/hunters/ada/export").unwrap().0, 403);

    let erased = must(&ada, "/api/v1/hunters/ada/erase", &json!({}));
    assert_eq!(erased["texts"], 2);
    let export = seen(&ada, "/api/v1/hunters/ada/export").to_string();
    assert!(!export.contains("Periwinkle") && !export.contains("Lovelace"), "{export}");
    assert_eq!(seen(&stage.nobody, "/api/v1/hunters/ada")["name"], json!(null));
    assert_eq!(shown(&ada)["user_feedback"], json!(null));
    assert_eq!(shown(&ada)["verdict"], judged["verdict"], "the verdict stays");
    stage.end();
}

#[test]
fn a_zone_that_is_nowhere_is_refused() {
    let stage = Stage::set();
    let body = json!({ "id": "ada", "class": "Tank", "zone": "Moon/Tycho" });
    let (status, told) = stage.app.post("/api/v1/hunters", &body, None).unwrap();
    assert_eq!(
        (status, &told["detail"]),
        (400, &json!("`Moon/Tycho` is no time zone such as Europe/Madrid"))
    );
    stage.end();
}
