//! Requirements of every page in both themes: accessibility (axe-core), transfer size, no console errors.

use std::path::{Path, PathBuf};
use std::process::Command;

use assize_testbed::browser::{Browser, Browsers};
use assize_testbed::contest::{Contest, right_answer, wrong_answer};
use assize_testbed::server::Server;
use serde_json::{Value, json};

use crate::hall::{Hall, PASSWORD, asks_nobody_else, log_in};
use crate::hunters::monday;
use crate::summaries::summary;

/// The most that a page may weigh with everything it needs, in bytes.
const HEAVIEST: u64 = 100_000;

/// What nobody needs to log in for.
const PUBLIC: [&str; 12] = [
    "/",
    "/login",
    "/contests",
    "/contests/spring",
    "/contests/spring/teams/ants",
    "/nowhere",
    "/ledger",
    "/hunters",
    "/hunters/ada",
    "/hunters/ada/logs/monday",
    "/radio",
    "/summaries",
];
const TEAM: [&str; 3] = ["/contests/spring", "/contests/spring/teams/ants", "/account"];
const ADMIN: [&str; 25] = [
    "/hunters",
    "/hunters/ada",
    "/hunters/ada/logs/monday",
    "/moderation",
    "/radio",
    "/radio/morning",
    "/radio/morning/sessions/one",
    "/radio/morning/sessions/one/debrief",
    "/summaries",
    "/summaries/nightly",
    "/summaries/nightly/row-1",
    "/",
    "/contests",
    "/contests/spring",
    "/contests/spring?all=true",
    "/contests/spring/console",
    "/contests/spring/setup",
    "/contests/spring/queue",
    "/contests/spring/revisions",
    "/contests/spring/teams/ants",
    "/people",
    "/tokens",
    "/ledger",
    "/records/1",
    "/account",
];

#[test]
fn every_page_is_accessible_light_and_quiet_in_both_themes() {
    let axe = std::fs::read_to_string(axe()).unwrap();
    let (browsers, hall) = (Browsers::start(), Hall::new());
    let server = hall.serve();
    let judged = fill(&server);
    let verdict = format!("/records/{judged}");
    let mut found = Vec::new();
    println!("{:<36} {:>8}  (kB with style sheet and script)", "page", "weight");
    for (who, pages) in [("", &PUBLIC[..]), ("adam", &TEAM[..]), ("olga", &ADMIN[..])] {
        let browser = browsers.open(1280, 900);
        if !who.is_empty() {
            log_in(&browser, &hall, who);
        }
        for page in pages.iter().copied().chain((!who.is_empty()).then_some(verdict.as_str())) {
            found.extend(look_at(&browser, &hall, (who, page), &axe));
        }
    }
    assert!(found.is_empty(), "axe-core finds:\n{}", found.join("\n"));
    server.stop();
}

/// What axe-core finds serious on a page.
fn look_at(browser: &Browser, hall: &Hall, (who, page): (&str, &str), axe: &str) -> Vec<String> {
    let mut found = Vec::new();
    for theme in ["light", "dark"] {
        let scheme = json!({ "name": "prefers-color-scheme", "value": theme });
        let features = json!([scheme, { "name": "prefers-reduced-motion", "value": "reduce" }]);
        browser.command("Emulation.setEmulatedMedia", &json!({ "features": features }));
        browser.command("Network.clearBrowserCache", &json!({}));
        drop(browser.fetched());
        browser.visit(&hall.url(page));
        let complaints: Vec<_> =
            browser.complaints().into_iter().filter(|each| !is_meant(page, each)).collect();
        assert_eq!(complaints, Vec::<String>::new(), "{page} as {who}");
        let weight = asks_nobody_else(browser, hall);
        assert!((1_000..HEAVIEST).contains(&weight), "{page} weighs {weight} bytes");
        if theme == "light" {
            println!("{:<36} {:>8.1}  {who}", page, f64::from(u32::try_from(weight).unwrap()) / 1000.0);
        }
        let serious = serious(browser, axe);
        found.extend(serious.into_iter().map(|each| format!("{page} as `{who}`, {theme}: {each}")));
    }
    found
}

/// A page that is not there is answered with 404, and the browser says so.
fn is_meant(page: &str, complaint: &str) -> bool {
    ["/nowhere", "/ledger"].contains(&page) && complaint.contains("the server responded with a status of 40")
}

fn serious(browser: &Browser, axe: &str) -> Vec<String> {
    drop(browser.run(&format!("{axe}; window.axe = axe"), &json!([])));
    let script = "const done = arguments[0];
        const failed = (error) => done({ error: String(error) });
        axe.run(document, { resultTypes: ['violations'] }).then(done, failed)";
    let result = browser.run_until_called(script, &json!([]));
    let violations =
        result["violations"].as_array().unwrap_or_else(|| panic!("axe-core has no result: {result}"));
    let grave = violations.iter().filter(|each| each["impact"] == "serious" || each["impact"] == "critical");
    let told = |each: &Value| {
        let nodes = each["nodes"].as_array().into_iter().flatten();
        let nodes: Vec<_> =
            nodes.map(|node| format!("{} {}", node["target"], node["failureSummary"])).collect();
        format!("{} ({}): {}", each["id"], each["help"], nodes.join("; "))
    };
    grave.map(told).collect()
}

/// Fetched once, by its hash; where there is no network this says so.
fn axe() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let fetched = Command::new(root.join("scripts/fetch-axe")).output().expect("scripts/fetch-axe runs");
    let said = String::from_utf8_lossy(&fetched.stderr);
    assert!(fetched.status.success(), "without axe-core pages cannot be held to their promise: {said}");
    root.join(String::from_utf8(fetched.stdout).unwrap().trim())
}

/// A contest with something on every page; where an answer was judged.
fn fill(server: &Server) -> u64 {
    let contest = Contest::open(server, &server.admin_token(), "spring");
    let [ants, bees] = ["ants", "bees"].map(|team| server.client(&contest.register(team)));
    contest.must(&contest.path("/teams/ants/users"), &json!({ "name": "adam", "password": PASSWORD }));
    contest.must("/api/v1/users", &json!({ "name": "olga", "role": "admin", "password": PASSWORD }));
    contest.run_task("t1", 3_600.0, 10.0);
    let path = contest.path("/tasks/t1/submissions");
    bees.post(&path, &wrong_answer(7), None).unwrap();
    let (_, judged) = ants.post(&path, &right_answer(), None).unwrap();
    let hints = json!([{ "at_seconds": 0, "kind": "text", "content": "a red kite" }]);
    contest.must(&contest.path("/tasks"), &json!({ "id": "p1", "type": "KIS", "hints": hints }));
    contest.start_task("p1", 3_600.0, 10.0);
    ants.post(&contest.path("/tasks/p1/submissions"), &wrong_answer(8), None).unwrap();
    contest.must(&contest.path("/queue/take"), &json!({}));
    contest.must(&contest.path("/boards/freeze"), &json!({}));
    fill_courts(&contest);
    judged["receipt"]["position"].as_u64().expect("it was judged")
}

/// A hunter whose log somebody doubts, a session with turns that were not well said, and a run with a summary.
fn fill_courts(contest: &Contest) {
    for hunter in ["ada", "bob"] {
        contest.must("/api/v1/hunters", &json!({ "id": hunter, "class": "Tank" }));
    }
    let (quest, done) = monday();
    contest.must("/api/v1/hunters/ada/quests", &quest);
    contest.must("/api/v1/hunters/ada/quests/monday/log", &done);
    let doubt = json!({ "reason": "spam", "text": "twice?", "reporter": "bob" });
    contest.must("/api/v1/hunters/ada/logs/monday/reports", &doubt);
    contest.must("/api/v1/radio/classes", &json!({ "id": "morning" }));
    let session = json!({ "id": "one", "student": "ann", "scenario": "conditional-line-up" });
    contest.must("/api/v1/radio/classes/morning/sessions", &session);
    let call = "Line up and wait runway one six left, Coastal seven three four";
    let call = json!({ "student": "ann", "text": call });
    for _ in 0..2 {
        contest.must("/api/v1/radio/classes/morning/sessions/one/turns", &call);
    }
    contest.must("/api/v1/summary/runs", &json!({ "id": "nightly" }));
    contest.must("/api/v1/summary/runs/nightly/items", &summary("row-1", "small"));
}
