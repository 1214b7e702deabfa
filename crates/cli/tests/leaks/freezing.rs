//! While the boards are frozen nobody can tell a right answer from a wrong one: two contests that differ in nothing
//! but that look the same to everybody, byte for byte.

use assize_testbed::contest::Contest;
use assize_testbed::ear::EventListener;
use serde_json::{Value, json};

use crate::raw::ask_as;
use crate::stage::{Stage, guess, truths};
use crate::walk::calls;

/// Whatever differs between two contests that were held one after the other: names, times, places, hashes.
fn same_for_both(told: &str, contest: &str) -> String {
    let told = told.replace(contest, "CONTEST");
    let mut lines = Vec::new();
    for line in told.lines() {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        let of_the_moment =
            ["date", "x-request-id", "etag", "x-ledger-position", "content-length", "retry-after", "id"];
        if !of_the_moment.contains(&name.as_str()) {
            lines.push(masked(line));
        }
    }
    lines.join("\n")
}

/// What a page draws by the time of the day, and by where records stand.
fn page_masked(line: &str) -> String {
    let mut out = String::new();
    for (place, part) in line.split("<svg").enumerate() {
        // What a chart shows stands in words before its lines are drawn.
        let (words, rest) = part.split_once("</svg>").filter(|_| place > 0).unwrap_or(("", part));
        out += words
            .split_once("aria-label=")
            .map_or("", |(_, words)| words.split('>').next().unwrap_or_default());
        out += rest;
    }
    let mut masked = String::new();
    for word in out.split_inclusive(['"', '<', '>', ' ', '-']) {
        let (body, end) = word.split_at(word.len() - word.chars().last().map_or(0, char::len_utf8));
        let clock = body.contains(':') && body.bytes().all(|byte| b"0123456789:.".contains(&byte));
        let moment = body.len() >= 12 && body.bytes().all(|byte| byte.is_ascii_digit());
        let passed = body.starts_with("0.") && masked.ends_with("value=\"");
        let place = masked.ends_with("news-");
        masked += if clock || moment || passed || place { "T" } else { body };
        masked += end;
    }
    masked
}

/// Times and hashes as one letter each; positions and what a clock shows left out.
fn masked(line: &str) -> String {
    if line.starts_with("<!DOCTYPE html>") {
        return masked(&page_masked(line.trim_start_matches("<!DOCTYPE html>")));
    }
    let mut out = String::new();
    for word in line.split_inclusive(['"', ',', '}', ' ']) {
        let (body, end) = word.split_at(word.len() - word.chars().last().map_or(0, char::len_utf8));
        let time = body.len() >= 20 && body.contains('T') && body.ends_with('Z');
        let hash = body.len() >= 12 && body.bytes().all(|byte| byte.is_ascii_hexdigit());
        out += if time || hash { "M" } else { body };
        out += end;
    }
    positions_masked(&out)
}

fn positions_masked(text: &str) -> String {
    const FIELDS: [&str; 7] =
        ["position", "timeStamp", "timeLeft", "timeElapsed", "elapsed_time", "remaining_time", "start_time"];
    FIELDS.iter().fold(text.to_owned(), |text, field| {
        let field = &format!("\"{field}\":");
        let mut parts = text.split(field);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            out += field;
            out += part.trim_start_matches(|char: char| char.is_ascii_digit() || char == '.');
        }
        out
    })
}

fn everything(stage: &Stage, contest: &'static str, people: &[&str]) -> Vec<(String, String)> {
    let url = stage.server.url();
    let known = stage.known(contest);
    let mut told = Vec::new();
    let door = format!("/api/v1/contests/{contest}/door");
    stage.contest.must(&format!("{door}/open"), &json!({}));
    // What is open to all is open on this contest now; who runs it from this machine may see behind the scenes.
    let at_the_door = ["/question/", "/leaderboard", "/config"];
    let of_contest =
        |path: &str| path.contains(contest) || at_the_door.iter().any(|root| path.starts_with(root));
    for call in calls(url, &known).iter().filter(|call| call.method == "GET" && of_contest(&call.path)) {
        for person in stage.people.iter().filter(|person| people.contains(&person.name)) {
            let answer = ask_as(url, "GET", &call.path, person, None);
            let who = person.name.trim_start_matches("strange ");
            let what = format!("{who} {}", call.path.replace(contest, "CONTEST"));
            told.push((what, same_for_both(&answer, contest)));
        }
    }
    stage.contest.must(&format!("{door}/close"), &json!({}));
    told
}

/// What is heard of a contest until its last team comes.
fn heard(ear: &mut EventListener, contest: &str) -> Vec<String> {
    let mut all = Vec::new();
    loop {
        let heard = ear.next().unwrap();
        let last = heard.event == "TeamRegistered" && heard.data["team"] == "last";
        // How many changes of a board come in one event is a matter of time.
        if heard.event != "board" && heard.event != "hello" {
            all.push(same_for_both(&heard.data.to_string(), contest));
        }
        if last {
            return all;
        }
    }
}

/// The same course of a contest, but for the one answer that the bees give to it while the boards are frozen.
fn hold(stage: &Stage, contest: &Contest, answer: &Value, expected: &str) {
    let bees = contest.must(&contest.path("/teams/bees/tokens"), &json!({}));
    let bees = stage.server.client(bees["token"].as_str().unwrap());
    contest.start_task("qa", 3_600.0, 10.0);
    stage.submit(&bees, &contest.name, "qa", &guess("qa", "ZQEARLY", 62_840_005));
    contest.must(&contest.path("/boards/freeze"), &json!({}));
    contest.start_task("tr", 3_600.0, 10.0);
    let judged = stage.submit(&bees, &contest.name, "tr", answer);
    assert_eq!(judged["verdict"]["outcome"], expected);
    drop(contest.register("last"));
}

#[test]
fn two_contests_that_differ_in_a_frozen_answer_look_the_same_to_everybody() {
    // Names of one length, with none part of another word.
    let stage = Stage::set(&["contest-a", "contest-b"]);
    let tr = truths().into_iter().find(|truth| truth.task == "tr").unwrap();
    let token = &stage.contest.admin.token;
    let (a, b) =
        (Contest::at(&stage.server, token, "contest-a"), Contest::at(&stage.server, token, "contest-b"));
    let listen = |name: &str| {
        let topics =
            [format!("contest/{name}"), format!("board/contest/{name}"), format!("board/contest/{name}/tr")];
        EventListener::open(stage.server.url(), &topics.each_ref().map(String::as_str), None, "").unwrap()
    };
    let (mut ear_a, mut ear_b) = (listen("contest-a"), listen("contest-b"));
    hold(&stage, &a, &tr.right, "full");
    hold(&stage, &b, &guess("tr", "ZQFROZEN", 62_840_006), "incorrect");

    let seen_a = everything(&stage, "contest-a", &["nobody", "viewer", "app", "ants"]);
    let seen_b = everything(&stage, "contest-b", &["nobody", "viewer", "app", "strange ants"]);
    assert_eq!(seen_a.len(), seen_b.len());
    assert!(seen_a.len() > 30, "only {} answers were compared", seen_a.len());
    for ((what, a), (same, b)) in seen_a.iter().zip(&seen_b) {
        assert_eq!(what, same);
        assert_eq!(a, b, "{what} tells a right answer from a wrong one");
    }
    assert_eq!(heard(&mut ear_a, "contest-a"), heard(&mut ear_b, "contest-b"));
    // An organiser can tell them apart: what is compared is not empty.
    assert_ne!(a.board(None).1, b.board(None).1);
    stage.server.stop();
}
