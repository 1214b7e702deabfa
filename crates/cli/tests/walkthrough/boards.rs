//! Polling of boards, with conditional requests.

use assize_testbed::client::Reply;
use serde_json::json;

use crate::stage::{Stage, right};

fn asked(stage: &Stage, query: &str, known: &str) -> Reply {
    let path = stage.contest.path(&format!("/board{query}"));
    stage.nobody.send_with("GET", &path, &[], &[("if-none-match", known)]).unwrap()
}

#[test]
fn a_board_is_sent_again_only_when_it_has_changed() {
    let stage = Stage::running();
    let first = asked(&stage, "", "\"none\"");
    let tag = first.header("etag").to_owned();
    assert_eq!((first.status, first.header("cache-control")), (200, "no-cache"));
    for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".into()] {
        let again = asked(&stage, "", &known);
        assert_eq!((again.status, again.text.as_str(), again.header("etag")), (304, "", &*tag), "{known}");
    }
    // Elsewhere something happens.
    stage.contest.must("/api/v1/contests", &json!({ "id": "autumn" }));
    stage.contest.must("/api/v1/contests/autumn/teams", &json!({ "id": "ants" }));
    let unmoved = asked(&stage, "", &tag);
    assert_eq!(unmoved.status, 304);
    let came_to = |reply: &Reply| reply.header("x-ledger-position").parse::<u64>().unwrap();
    assert_eq!(came_to(&unmoved), came_to(&first) + 3, "it says how far it has come all the same");

    let receipt = stage.submit(&stage.ants, &right(), None).1["receipt"]["position"].clone();
    let moved = asked(&stage, "", &tag);
    assert_ne!(moved.header("etag"), tag);
    let (status, board) = moved.into_json();
    assert_eq!(
        (status, &board["position"], &board["rows"][0]["participant"]),
        (200, &receipt, &json!("ants"))
    );
    stage.end();
}

#[test]
fn every_page_of_a_board_says_the_same_of_its_change() {
    let stage = Stage::running();
    let whole = asked(&stage, "", "");
    let pages = ["?offset=0&limit=1", "?offset=1&limit=1", "?offset=2"].map(|query| asked(&stage, query, ""));
    let rows: Vec<_> = pages.iter().map(|page| (page.header("etag"), page.clone().into_json().1)).collect();
    let together: Vec<_> =
        rows.iter().flat_map(|(_, page)| page["rows"].as_array().unwrap().clone()).collect();
    assert!(rows.iter().all(|(tag, _)| *tag == whole.header("etag")));
    assert_eq!(json!(together), whole.into_json().1["rows"]);
    stage.end();
}

#[test]
fn contests_and_teams_are_listed_page_by_page() {
    let stage = Stage::set();
    for contest in ["autumn", "winter"] {
        stage.contest.must("/api/v1/contests", &json!({ "id": contest, "name": format!("The {contest}") }));
    }
    let (_, all) = stage.nobody.get("/api/v1/contests").unwrap();
    let names: Vec<_> = all["contests"].as_array().unwrap().iter().map(|each| each["id"].clone()).collect();
    assert_eq!((json!(names), &all["total"]), (json!(["autumn", "spring", "winter"]), &json!(3)));
    assert_eq!(all["contests"][0]["name"], "The autumn");
    let (_, last) = stage.nobody.get("/api/v1/contests?offset=2&limit=5").unwrap();
    assert_eq!(json!([all["contests"][2]]), last["contests"]);
    let (_, teams) = stage.contest.admin.get(&stage.contest.path("/teams?limit=1&offset=1")).unwrap();
    assert_eq!((&teams["total"], &teams["teams"][0]["id"]), (&json!(2), &json!("bees")));
    stage.end();
}
