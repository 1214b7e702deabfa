//! `assize serve --open-contest`: compatibility with the AIC scoring server and its tools.

use std::process::Command;

use assize_testbed::server::Server;
use serde_json::{Value, json};

use crate::work_dir::WorkDir;

const TRUTH: &str = "\
id,type,scene_id,video_id,points,answer
1,TR,K02,V017,4890-5000-5001-5020,
2,KIS,K14,V026,\"370000,386000\",
9,QA,K17,V003,\"340000,380000\",MOCCHAU
";

/// What a program prints that must end well.
fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn curl(server: &Server, path: &str, body: Option<&Value>) -> Value {
    let mut command = Command::new("curl");
    command.args(["--silent", "--show-error", "--noproxy", "*", &format!("{}{path}", server.url())]);
    if let Some(body) = body {
        command.args(["-X", "POST", "-d", &body.to_string()]);
    }
    serde_json::from_str(&printed(&mut command)).unwrap()
}

#[test]
fn one_command_serves_what_curl_and_python_ask_for() {
    let dir = WorkDir::new();
    dir.write("aic.csv", TRUTH);
    let server = dir.serve(&["--open-contest", "aic.csv"]);
    for line in [
        "  open to all   contest `aic` (3 questions, 3 of them new)\n",
        "                whoever is on this machine submits and runs it without a token\n",
        &format!("                to try it  curl {}/config\n", server.url()),
    ] {
        assert!(server.greeting().contains(line), "{line} in {}", server.greeting());
    }
    assert_eq!(curl(&server, "/config", None)["questions"]["9"]["type"], "QA");
    let started = curl(&server, "/admin/start-question", Some(&json!({ "question_id": 1 })));
    assert_eq!((&started["success"], &started["time_limit"]), (&json!(true), &json!(300)));
    let text = "TR-V017-4890,5000,5001,5020";
    let judged = curl(&server, "/submit", Some(&json!({ "team_id": "team_01", "text": text })));
    assert_eq!((&judged["correctness"], &judged["detail"]["matched_events"]), (&json!("full"), &json!(4)));

    let script = format!(
        "import json, urllib.request\n\
         body = {{'team_id': 'team_02', 'question_id': 1, 'answerSets': [{{'answers': [{{'text': 'TR-V017-4890,5000,5001'}}]}}]}}\n\
         request = urllib.request.Request('{0}/submit', json.dumps(body).encode(), {{'Content-Type': 'application/json'}})\n\
         opener = urllib.request.build_opener(urllib.request.ProxyHandler({{}}))\n\
         judged = json.load(opener.open(request))\n\
         board = json.load(opener.open('{0}/leaderboard?question_id=1'))\n\
         print(judged['correctness'], [(row['rank'], row['team_id']) for row in board['rankings']])",
        server.url()
    );
    let said = printed(Command::new("python3").args(["-c", &script]));
    assert_eq!(said, "partial [(1, 'team_01'), (2, 'team_02')]\n");
    server.stop();
}

#[test]
fn the_same_file_goes_on_with_the_same_contest() {
    let dir = WorkDir::new();
    dir.write("aic.csv", TRUTH);
    let server = dir.serve(&["--open-contest", "aic.csv"]);
    curl(&server, "/admin/start-question", Some(&json!({ "question_id": 2 })));
    let answers = json!([{ "answers": [{ "mediaItemName": "V026", "start": 370_000, "end": 386_000 }] }]);
    curl(&server, "/submit", Some(&json!({ "team_id": "ants", "question_id": 2, "answerSets": answers })));
    server.stop();

    dir.write("aic.csv", &format!("{TRUTH}10,KIS,K1,V1,5-6,\n"));
    let server = dir.serve(&["--open-contest", "aic.csv"]);
    let told = "  open to all   contest `aic` (4 questions, 1 of them new)\n";
    assert!(server.greeting().contains(told), "{}", server.greeting());
    let board = curl(&server, "/leaderboard?question_id=2", None);
    assert_eq!((&board["total_ranked"], &board["rankings"][0]["team_id"]), (&json!(1), &json!("ants")));
    server.stop();

    // Open is open until it is closed, and every start says so.
    let server = dir.serve(&[]);
    assert!(server.greeting().contains("  open to all   contest `aic`\n"), "{}", server.greeting());
    server.stop();

    dir.write("aic.csv", &TRUTH.replace("5020", "5021"));
    dir.run(&["serve", "--listen", "127.0.0.1:0", "--open-contest", "aic.csv"]).failed(
        2,
        "aic.csv:2: question `1` is another one in the contest `aic`, which goes on with what it has; give the file \
         another name to begin another contest\nassize: the contest cannot be opened; nothing was started\n",
    );
    dir.write("corrected.csv", &TRUTH.replace("5020", "5021"));
    let server = dir.serve(&["--open-contest", "corrected.csv"]);
    let told = "contest `corrected` (3 questions, 3 of them new)\n                in the place of `aic`, which is not open any more\n";
    assert!(server.greeting().contains(told), "{}", server.greeting());
    assert_eq!(curl(&server, "/admin/sessions", None)["total"], 0);
    server.stop();
}

#[test]
fn every_mistake_in_the_file_is_named_and_nothing_is_started() {
    let dir = WorkDir::new();
    dir.write("aic.csv", "id,type,scene_id,video_id,points\n1,KIS,K1,V1,1-2-3\n1,TR,K1,,7-5\n");
    let ended = dir.run(&["serve", "--listen", "127.0.0.1:0", "--open-contest", "aic.csv"]);
    assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{}", ended.err);
    let places: Vec<String> =
        ended.err.lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect();
    assert_eq!(
        places,
        ["aic.csv:2:points", "aic.csv:3:id", "aic.csv:3:video_id", "aic.csv:3:points", "assize"]
    );
    assert!(!dir.path("assize.db").exists());
    dir.run(&["serve", "--open-contest", "none.csv"])
        .wrong_use("cannot read `none.csv`: No such file or directory (os error 2)");
}

#[test]
fn beyond_this_machine_it_says_who_can_submit() {
    let dir = WorkDir::new();
    dir.write("aic.csv", TRUTH);
    let args = ["serve", "--listen", "0.0.0.0:0", "--ephemeral", "--open-contest", "aic.csv"];
    let server = Server::launch(dir.command(&args));
    let told = "WHOEVER REACHES THIS ADDRESS submits for any team without a token;\n";
    assert!(server.greeting().contains(told), "{}", server.greeting());
    server.stop();
}
