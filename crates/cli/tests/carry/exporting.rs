//! An exported contest has the same boards and verdicts after its import on another server.

use assize_testbed::contest::eventually;
use serde_json::{Value, json};

use crate::stage::{CONTACT, Place, boards, eventful, exported, verdicts};

#[test]
fn an_imported_contest_has_the_same_boards_and_verdicts() {
    let (here, there) = (Place::new(), Place::new());
    let contest = eventful(&here);
    let text = exported(&contest, "");
    let file = there.keep("spring.json", &text);
    let (code, said) = there.run(&["contest", "import", &file]);
    assert_eq!(code, 0, "{said}");
    // The server that runs there follows by itself.
    let copy = there.contest("spring");
    eventually("the other server has it", || copy.admin.get(&copy.path("")).unwrap().0 == 200);
    assert_eq!(boards(&copy), boards(&contest));
    assert_eq!(verdicts(&copy), verdicts(&contest));
    let without_now = |mut seen: Value| {
        seen.as_object_mut().unwrap().remove("now");
        seen
    };
    assert_eq!(without_now(copy.seen()), without_now(contest.seen()));
    let (_, teams) = copy.admin.get(&copy.path("/teams")).unwrap();
    assert_eq!(teams["teams"][0]["contact"], CONTACT, "{teams}");
    assert_eq!(there.run(&["ledger", "verify"]).0, 0);
    assert_eq!(there.run(&["replay"]).0, 0);

    // Carried on once more, it is the same document but for where its records stand.
    let again: Value = serde_json::from_str(&exported(&copy, "?format=json")).unwrap();
    let first: Value = serde_json::from_str(&text).unwrap();
    let events = |document: &Value| {
        let records = document["records"].as_array().unwrap().iter();
        records
            .map(|record| (record["event"].clone(), record["verdict"].clone(), record["at"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(events(&again), events(&first));
    assert_eq!(again["rulebooks"], first["rulebooks"]);
    here.server.stop();
    there.server.stop();
}

#[test]
fn an_imported_contest_goes_on() {
    let (here, there) = (Place::new(), Place::new());
    let contest = eventful(&here);
    let file = there.keep("spring.json", &exported(&contest, ""));
    assert_eq!(there.run(&["contest", "import", &file]).0, 0);
    let copy = there.contest("spring");
    eventually("the other server has it", || copy.admin.get(&copy.path("")).unwrap().0 == 200);
    // Tokens are not carried: a new one is given out, and the task still runs.
    let issued = copy.must(&copy.path("/teams/ants/tokens"), &json!({}));
    let ants = copy.admin.with_token(issued["token"].as_str().unwrap());
    let answer = json!({ "text": "TR-V017-10,20,30,40" });
    let (status, judged) = ants.post(&copy.path("/tasks/tr/submissions"), &answer, None).unwrap();
    assert_eq!((status, &judged["verdict"]["outcome"]), (200, &"full".into()), "{judged}");
    assert_eq!(
        judged["verdict"]["detail"]["wrong_attempts"], 1,
        "the attempt from elsewhere counts: {judged}"
    );
    here.server.stop();
    there.server.stop();
}

#[test]
fn a_name_that_is_taken_is_refused_and_another_one_is_not() {
    let place = Place::new();
    let contest = eventful(&place);
    let file = place.keep("spring.json", &exported(&contest, ""));
    let before = contest.board(None);
    let (code, said) = place.run(&["contest", "import", &file]);
    assert_eq!(code, 2, "{said}");
    assert_eq!(said, "assize: there is a `contest/spring` already; import it under another name\n");
    assert_eq!(contest.board(None), before);
    let (code, said) = place.run(&["contest", "import", &file, "--as", "copy"]);
    assert_eq!(code, 0, "{said}");
    let copy = place.contest("copy");
    eventually("the server has it", || copy.admin.get(&copy.path("")).unwrap().0 == 200);
    assert_eq!(boards(&copy), boards(&contest));
    let (_, audit) = copy.admin.get("/api/v1/audit?stream=assize/imports").unwrap();
    assert_eq!(audit["changes"][0]["kind"], "StreamImported", "{audit}");
    place.server.stop();
}

#[test]
fn no_secret_is_in_an_export() {
    let place = Place::new();
    let contest = eventful(&place);
    let issued = contest.must(&contest.path("/teams/bees/tokens"), &json!({}));
    let token = issued["token"].as_str().unwrap();
    for query in ["", "?format=csv", "?format=csv&table=board"] {
        let text = exported(&contest, query);
        assert!(!text.contains(token) && !text.contains(&place.token), "{query}");
        assert!(!text.contains("127.0.0.1"), "from where requests came stays here: {query}");
    }
    place.server.stop();
}

#[test]
fn the_program_exports_what_the_server_does() {
    let place = Place::new();
    let contest = eventful(&place);
    let file = place.directory.path().join("out.json");
    let file = file.to_str().unwrap();
    let (code, said) = place.run(&["contest", "export", "spring", file]);
    assert_eq!((code, said.as_str()), (0, format!("exported contest/spring to {file}\n").as_str()));
    assert_eq!(std::fs::read_to_string(file).unwrap(), exported(&contest, ""));
    assert_eq!(place.run(&["contest", "export", "spring", file]).0, 2, "nothing is overwritten");
    for (format, query) in [("submissions", "?format=csv"), ("board", "?format=csv&table=board")] {
        let (code, said) = place.run(&["contest", "export", "spring", "--format", format]);
        assert_eq!((code, said), (0, exported(&contest, query)));
    }
    let (code, said) = place.run(&["contest", "export", "autumn"]);
    assert_eq!(code, 2);
    assert!(said.contains("there is no contest `autumn`"), "{said}");
    place.server.stop();
}
