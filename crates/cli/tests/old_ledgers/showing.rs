//! A server over a frozen ledger answers as the one that wrote it did.

use serde_json::Value;

use crate::frozen::{Revived, boards};

/// Pages about the streams of each court; that they are drawn is what counts here.
const PAGES: [&str; 14] = [
    "/contests",
    "/contests/spring",
    "/contests/spring/console",
    "/contests/spring/queue",
    "/contests/spring/teams/ants",
    "/contests/vbs",
    "/hunters",
    "/hunters/ada",
    "/hunters/cleo/logs/day-0",
    "/moderation",
    "/radio/icao",
    "/radio/icao/sessions/bad",
    "/summaries/nightly",
    "/ledger",
];

#[test]
fn boards_and_lists_are_what_they_were() {
    for (version, revived) in Revived::all() {
        let (server, token) = revived.serve();
        let client = server.client(&token);
        let frozen = boards(&version);
        assert!(frozen.len() > 50, "{version}: only {} answers", frozen.len());
        for (path, expected) in frozen {
            let (status, mut answer) = client.get(&path).unwrap();
            assert_eq!(status, 200, "{version}: {path}: {answer}");
            // The time of asking.
            answer.as_object_mut().map(|answer| answer.remove("now"));
            assert_same(&version, &path, &expected, &answer);
        }
        server.stop();
    }
}

/// Fields that came later are no difference; what was there before stays as it was.
#[track_caller]
fn assert_same(version: &str, path: &str, expected: &Value, answer: &Value) {
    match (expected, answer) {
        (Value::Object(fields), Value::Object(answered)) => {
            for (name, value) in fields {
                let found =
                    answered.get(name).unwrap_or_else(|| panic!("{version}: {path}: `{name}` is gone"));
                assert_same(version, &format!("{path} {name}"), value, found);
            }
        }
        (Value::Array(items), Value::Array(answered)) if items.len() == answered.len() => {
            for (index, (item, found)) in items.iter().zip(answered).enumerate() {
                assert_same(version, &format!("{path} [{index}]"), item, found);
            }
        }
        _ => assert_eq!(expected, answer, "{version}: {path}"),
    }
}

#[test]
fn pages_are_drawn() {
    for (version, revived) in Revived::all() {
        let (server, token) = revived.serve();
        let client = server.client(&token);
        for page in PAGES {
            let reply = client.send("GET", page, &[], None).unwrap();
            assert_eq!((reply.status, &reply.content_type[..9]), (200, "text/html"), "{version}: {page}");
        }
        server.stop();
    }
}
