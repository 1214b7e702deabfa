//! A radio class over HTTP: a student flies a scenario, an instructor looks at it and sees a turn otherwise.

use assize_testbed::client::Client;
use assize_testbed::server::Server;
use serde_json::{Value, json};

use crate::stage::serve;

const SESSION: &str = "/api/v1/radio/classes/spring/sessions/one";
const GOOD: &str =
    "Behind the landing Boeing, line up and wait runway one six right behind, Coastal seven three four.";
const BAD: &str = "Line up and wait runway one six right, Coastal seven three four.";

struct Class {
    server: Server,
    admin: Client,
    ann: Client,
    ben: Client,
}

impl Class {
    fn open(server: Server) -> Self {
        let admin = server.client(&server.admin_token());
        let opened = admin.post("/api/v1/radio/classes", &json!({ "id": "spring" }), None).unwrap();
        assert_eq!(opened.0, 201, "{opened:?}");
        let [ann, ben] = ["ann", "ben"].map(|name| {
            let token = json!({ "name": name, "role": "participant", "scope": "radio/spring" });
            let (status, given) = admin.post("/api/v1/tokens", &token, None).unwrap();
            assert_eq!(status, 201, "{given}");
            server.client(given["token"].as_str().unwrap())
        });
        let session = json!({ "id": "one", "scenario": "conditional-line-up" });
        let (status, begun) = ann.post("/api/v1/radio/classes/spring/sessions", &session, None).unwrap();
        assert_eq!((status, &begun["session"]["phase"]), (201, &json!("line-up")), "{begun}");
        // The record of it holds what is to be said.
        let record = format!("/api/v1/records/{}", begun["receipt"]["position"]);
        assert_eq!((ann.get(&record).unwrap().0, admin.get(&record).unwrap().0), (404, 200));
        Self { server, admin, ann, ben }
    }

    fn say(&self, text: &str) -> (u16, Value) {
        self.ann.post(&format!("{SESSION}/turns"), &json!({ "text": text }), None).unwrap()
    }
}

#[test]
fn a_student_flies_a_scenario_and_an_instructor_sees_a_turn_otherwise() {
    let class = Class::open(serve());
    let (_, blocked) = class.say(BAD);
    assert_eq!(
        (&blocked["verdict"]["outcome"], &blocked["session"]["phase"]),
        (&json!("blocked"), &json!("line-up"))
    );
    let (_, accepted) = class.say(GOOD);
    assert_eq!((&accepted["verdict"]["points"], &accepted["session"]["retries"]), (&json!(5.0), &json!(1)));
    let (_, last) = class.say("Runway one six right, cleared for take-off, Coastal seven three four.");
    assert_eq!(
        (&last["session"]["outcome"], &last["session"]["score_total"]),
        (&json!("completed"), &json!(10.0))
    );
    let (status, over) = class.say(GOOD);
    assert_eq!((status, &over["code"]), (400, &json!("radio.session.over")));

    let component = json!({ "code": "OM_READBACK", "category": "Omissions", "severity": "minor", "weight": 1.0,
        "score": 0.9, "delta": 2, "detail": "heard on the tape" });
    let findings = json!({ "by": "person", "components": [component] });
    let overrule = json!({ "findings": findings, "reason": "the condition was there" });
    let path = format!("{SESSION}/turns/1/overrule");
    assert_eq!(class.ann.post(&path, &overrule, None).unwrap().0, 403);
    let (status, seen) = class.admin.post(&path, &overrule, None).unwrap();
    assert_eq!((status, &seen["session"]["score_total"]), (200, &json!(12.0)), "{seen}");
    assert_eq!(seen["session"]["line"][0]["score"]["blocked"], true, "the first verdict stays");

    let (_, list) = class.admin.get("/api/v1/radio/classes/spring").unwrap();
    assert_eq!((&list["sessions"][0]["student"], &list["sessions"][0]["turns"]), (&json!("ann"), &json!(3)));
    let export = class.admin.send("GET", "/api/v1/radio/classes/spring/export", &[], None).unwrap();
    assert_eq!((export.status, export.content_type.as_str()), (200, "application/jsonl"));
    class.server.stop();
}

#[test]
fn a_session_is_its_students_business_and_nothing_expected_leaks() {
    let class = Class::open(serve());
    assert_eq!(class.ben.get(SESSION).unwrap().0, 404);
    assert_eq!(class.ben.get("/api/v1/radio/classes/spring").unwrap().1["sessions"], json!([]));
    let (status, told) = class.ben.post(&format!("{SESSION}/turns"), &json!({ "text": GOOD }), None).unwrap();
    assert_eq!((status, &told["code"]), (404, &json!("radio.session.unknown")));
    let (_, own) = class.ann.get(SESSION).unwrap();
    assert_eq!(own["controller"].as_str().unwrap().split(',').next(), Some("Coastal seven three four"));
    // The next phase is a take-off clearance: nothing of it is told before its time.
    assert!(!own.to_string().contains("cleared for take-off"), "{own}");
    let (_, scenarios) = class.ben.get("/api/v1/radio/scenarios").unwrap();
    assert!(!scenarios.to_string().contains("say"), "{scenarios}");
    class.server.stop();
}
