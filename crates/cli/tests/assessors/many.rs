//! Many submissions that wait for a slow model: none is lost over a kill, the oldest come first, each is asked about
//! once, and memory does not grow with what they say.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};

use assize_testbed::client::Client;
use assize_testbed::postgres::Cluster;
use assize_testbed::server::Server;
use serde_json::{Value, json};

use crate::oracle::Oracle;
use crate::stage::{BINARY, Stage, submit};

/// As many questions a process has out at once, if its settings say nothing else.
const AT_ONCE: usize = 4;
/// So long that hardly any is answered while the others come in.
const SLOWLY: Duration = Duration::from_secs(1);
const QUICKLY: Duration = Duration::from_millis(5);

#[test]
fn many_that_wait_for_a_slow_model_survive_two_kills_in_order_and_each_is_judged_once() {
    // More with ASSIZE_WAITING=10000.
    let many: usize = std::env::var("ASSIZE_WAITING").map_or(300, |many| many.parse().unwrap());
    let oracle = Oracle::choosing(|_| "right".to_owned()).slow(SLOWLY);
    let stage = Stage::set(&[("slow", &oracle)]);
    let mut server = stage.serve();
    let token = server.admin_token();
    let begun = Instant::now();
    send(&server.client(&token), 0..many / 2);
    server.kill();
    server = stage.serve();
    let before = resident(&server);
    send(&server.client(&token), many / 2..many);
    let (received, waiting) = (begun.elapsed(), bench(&server.client(&token)));
    let during = resident(&server);
    server.kill();

    let server = stage.serve();
    oracle.take_time(QUICKLY);
    let begun = Instant::now();
    wait_until_judged(&server.client(&token), many);
    println!(
        "{many} submissions received in {:.1} s, {} of them waiting at once; judged {:.1} s after the second kill; \
         resident memory {before} with half of them, {during} with all, {} when all were judged",
        received.as_secs_f64(),
        waiting["waiting"],
        begun.elapsed().as_secs_f64(),
        resident(&server),
    );
    server.stop();
    check_questions(&oracle, many, 2 * AT_ONCE);
    check_replay(&["--data", stage.path("ledger.db").to_str().unwrap()], many);
}

#[test]
fn two_servers_on_one_database_share_what_waits_and_one_takes_over_what_the_other_dies_with() {
    let many = 120;
    let database = Cluster::shared().database();
    let place = ["--postgres", database.as_str()];
    let oracle = Oracle::choosing(|_| "right".to_owned()).slow(Duration::from_millis(300));
    // A lease is as long as asking may take: what a dead server has had, others get after fourteen seconds.
    let stage = Stage::patient(&[("slow", &oracle)], 2);
    let first = stage.serve_at(&place);
    let token = first.admin_token();
    let second = stage.serve_at(&place);
    send(&first.client(&token), 0..many / 2);
    send(&second.client(&token), many / 2..many);
    first.kill();
    let begun = Instant::now();
    wait_until_judged(&second.client(&token), many);
    println!(
        "{many} submissions on PostgreSQL, judged {:.1} s after one of two servers was killed",
        begun.elapsed().as_secs_f64()
    );
    let third = stage.serve_at(&place);
    assert_eq!(bench(&third.client(&token))["judged"], json!(many), "whoever comes later sees the same");
    third.stop();
    second.stop();
    // Two servers ask at once; what the first died with came last.
    check_once(&oracle, many, AT_ONCE);
    check_replay(&place, many);
}

/// Sends submissions of these numbers, one after the other.
fn send(client: &Client, numbers: std::ops::Range<usize>) {
    for number in numbers {
        let document = json!({
            "controller": "G-ABCD, runway 27, cleared to land", "pilot": format!("Cleared to land {number}, G-ABCD")
        });
        submit(client, "radio", &json!({ "document": document, "assessors": ["slow"] }));
    }
}

fn bench(client: &Client) -> Value {
    client.get("/api/v1/assessments/radio").unwrap().1
}

fn wait_until_judged(client: &Client, many: usize) {
    let (begun, patience) = (Instant::now(), Duration::from_secs(60 + many as u64 / 20));
    loop {
        let bench = bench(client);
        if bench["judged"] == json!(many) {
            assert_eq!((&bench["waiting"], &bench["received"]), (&json!(0), &json!(many)));
            return;
        }
        assert!(begun.elapsed() < patience, "{bench}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// What a process has in memory.
fn resident(server: &Server) -> String {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.map_or("unknown".to_owned(), |kilobytes| format!("{:.0} MiB", kilobytes / 1024.0))
}

/// Each was asked about, and again at most those that somebody died with; the numbers in the order of the questions.
#[track_caller]
fn check_once(oracle: &Oracle, many: usize, again: usize) -> Vec<usize> {
    let asked: Vec<usize> = oracle.questions().iter().map(number_of).collect();
    assert_eq!(asked.iter().collect::<BTreeSet<_>>().len(), many);
    assert!(asked.len() <= many + again, "{} questions about {many}", asked.len());
    asked
}

/// The same, and the oldest came first.
#[track_caller]
fn check_questions(oracle: &Oracle, many: usize, again: usize) {
    let mut seen = BTreeSet::new();
    let firsts = check_once(oracle, many, again).into_iter().filter(|number| seen.insert(*number));
    let late: Vec<(usize, usize)> =
        firsts.enumerate().filter(|(place, number)| number.abs_diff(*place) > 2 * AT_ONCE).collect();
    assert!(late.is_empty(), "the oldest first: {late:?}");
}

/// Every verdict is in the ledger once, and comes out the same without a model.
#[track_caller]
fn check_replay(place: &[&str], many: usize) {
    let replay = Command::new(BINARY).args(["replay", "--json"]).args(place).output().unwrap();
    let found: Value = serde_json::from_slice(&replay.stdout).unwrap();
    assert_eq!((&found["verdicts"], &found["same"]), (&json!(many), &json!(many)), "{found}");
}

fn number_of(question: &Value) -> usize {
    let pilot = question["texts"]["pilot"].as_str().unwrap();
    pilot.split_whitespace().find_map(|word| word.trim_end_matches(',').parse().ok()).unwrap()
}
