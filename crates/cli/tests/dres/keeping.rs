//! Storage of logs: in the ledger, in one order, and in no verdict.

use std::process::{Command, Stdio};

use assize_testbed::contest::right_answer;
use serde_json::Value;

use crate::hall::{Hall, password_of};
use crate::logging::{logs, query, result};

/// Runs the program; returns what it printed.
fn run(args: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assize"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn logs_come_along_in_exports_and_are_no_part_of_a_verdict() {
    let hall = Hall::set();
    hall.contest.run_task("t1", 3_600.0, 10.0);
    let anna = hall.tool("anna");
    assert_eq!(anna.post("/log/query/spring", &query("a telling word")).0, 200);
    assert_eq!(anna.submit(&right_answer()).0, 200);
    assert_eq!(anna.post("/log/result/spring", &result(100)).0, 200);
    let kept = logs(&hall, "");
    let [option, file] = hall.place.clone();
    let directory = hall.stop();
    let exported = run(&["ledger", "export", &option, &file], "");
    assert!(exported.contains("a telling word") && !exported.contains(&password_of("anna")));
    for args in [&["ledger", "verify"][..], &["replay"]] {
        run(&[args, &[&option, &file]].concat(), "");
    }

    let elsewhere = format!("{file}.elsewhere");
    run(&["ledger", "import", "-", "--data", &elsewhere], &exported);
    let token = run(&["token", "--data", &elsewhere], "");
    let hall = Hall::again(["--data".into(), elsewhere], token.trim(), directory);
    assert_eq!(logs(&hall, ""), kept);
    hall.server.stop();
}

#[test]
fn processes_over_one_database_log_in_one_order() {
    let hall = Hall::of_postgres();
    let (anna, berta) = (hall.tool("anna"), hall.tool("berta"));
    let (server, elsewhere) = hall.elsewhere(&berta);
    std::thread::scope(|scope| {
        for tool in [&anna, &elsewhere] {
            scope.spawn(move || {
                for number in 0..20 {
                    let (status, told) = tool.post("/log/query/spring", &query(&number.to_string()));
                    assert_eq!(status, 200, "{told}");
                }
            });
        }
    });
    let kept = logs(&hall, "");
    let numbers: Vec<_> = entries(&kept).map(|entry| entry["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
    for team in ["ants", "bees"] {
        let said = entries(&kept).filter(|entry| entry["team"] == team);
        let said: Vec<_> = said.map(|entry| entry["log"]["events"][0]["value"].as_str().unwrap()).collect();
        assert_eq!(said, (0..20).map(|number| number.to_string()).collect::<Vec<_>>(), "{team}");
    }
    server.stop();
    hall.server.stop();
}

fn entries(kept: &Value) -> impl Iterator<Item = &Value> {
    kept["logs"].as_array().unwrap().iter()
}
