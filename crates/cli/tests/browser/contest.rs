//! A contest by hand: an organiser sets it up and runs it, two teams submit, a spectator follows.

use std::time::Instant;

use assize_testbed::browser::{Browser, Browsers};
use assize_testbed::client::Client;
use serde_json::{Value, json};

use crate::hall::{Hall, PASSWORD, asks_nobody_else, is_clean, log_in};

const TASKS: &str = "id,type,scene_id,video_id,points\nk1,KIS,,V1,1000-2000\nk2,KIS,,V2,3000-4000\n";

#[test]
fn a_contest_is_set_up_by_hand_and_followed_from_its_first_task_to_a_restart_of_the_server() {
    let (browsers, hall) = (Browsers::start(), Hall::new());
    let server = hall.serve();
    let api = server.client(&server.admin_token());
    let organiser = browsers.open(1280, 900);
    set_up(&organiser, &hall, &server.first_login());

    let [ants, bees, spectator] = [390, 1280, 1920].map(|width| browsers.open(width, 900));
    log_in(&ants, &hall, "adam");
    log_in(&bees, &hall, "bea");
    ants.visit(&hall.url("/contests/spring/teams/ants"));
    bees.visit(&hall.url("/contests/spring/teams/bees"));
    spectator.visit(&hall.url("/contests/spring"));
    let here = "return window.here ??= Math.random()";
    let mark = spectator.run(here, &json!([]));

    organiser.visit(&hall.url("/contests/spring/console"));
    organiser.click("#start-k1");
    for who in [&organiser, &ants, &bees, &spectator] {
        who.until("the clock of k1 runs", |who| who.text(".clock .what").contains("k1"));
    }
    teams_submit(&ants, &bees, &spectator);
    organiser_steers(&organiser, &spectator);
    for who in [&organiser, &ants, &bees, &spectator] {
        is_clean(who, &hall);
    }

    server.stop();
    spectator.until("the server is away", |who| {
        who.run("return !document.querySelector('#main').dataset.connected", &json!([])) == true
    });
    let server = hall.serve();
    spectator.until("the server is back", |who| {
        who.run("return document.querySelector('#main').dataset.connected", &json!([])) == "true"
    });
    // While the server is away a browser says so; after that it has no reason to.
    drop(spectator.complaints());
    follows_after_the_restart(&spectator, &api);
    assert_eq!(spectator.run(here, &json!([])), mark, "the page was never loaded again");
    assert_eq!(board_on(&spectator), board_of(&api), "the board is the API's");
    assert_eq!(spectator.complaints(), Vec::<String>::new());
    asks_nobody_else(&spectator, &hall);
    server.stop();
}

/// From the link of the first start to teams that can log in and tasks that can run.
fn set_up(organiser: &Browser, hall: &Hall, first_login: &str) {
    organiser.visit(first_login);
    organiser.fill("#name", "olga");
    organiser.fill("#password", PASSWORD);
    organiser.fill("#again", PASSWORD);
    organiser.click("main form button");
    organiser.until("the organiser is in", |organiser| organiser.text(".who").contains("olga"));
    organiser.visit(&hall.url("/contests"));
    organiser.fill("#open-id", "spring");
    organiser.fill("#open-name", "Spring");
    organiser.click("main form button");
    organiser
        .until("it is to be set up", |organiser| organiser.place() == hall.url("/contests/spring/setup"));
    for (team, name, user) in [("ants", "The Ants", "adam"), ("bees", "The Bees", "bea")] {
        organiser.fill("#team-id", team);
        organiser.fill("#team-name", name);
        organiser.click("form:has(#team-id) button");
        organiser.until("its token is shown", |organiser| {
            organiser.text(".said").contains(team) && organiser.text(".secret").len() == 64
        });
        organiser.choose("#user-team", team);
        organiser.fill("#user-name", user);
        organiser.fill("#user-password", PASSWORD);
        organiser.click("form:has(#user-name) button");
        organiser.until("they can log in", |organiser| {
            organiser.text(".said").contains(&format!("{user} can log in"))
        });
    }
    is_clean(organiser, hall);
    organiser.fill("#csv", "id,type,scene_id,video_id,points\nk1,KIS,,V1,1000-2000\nk2,WAY,,V2,4000-3000\n");
    organiser.click("form:has(#csv) button");
    organiser.until("mistakes are named", |organiser| {
        organiser.texts(".mistakes td").first().is_some_and(|line| line == "3")
    });
    assert!(organiser.texts(".mistakes td:nth-child(2)").contains(&"type".to_owned()));
    let complaints = organiser.complaints();
    assert!(
        complaints.len() == 1 && complaints[0].contains("status of 400"),
        "only of what was refused: {complaints:?}"
    );
    organiser.fill("#csv", TASKS);
    organiser.click("form:has(#csv) button");
    organiser
        .until("two tasks are there", |organiser| organiser.text(".said").contains("2 tasks were added"));
}

fn answer(team: &Browser, video: &str, moments: &str) {
    team.fill("#answer-k1-video", video);
    team.fill("#answer-k1-moments", moments);
    team.click("form:has(#answer-k1-video) button");
}

fn teams_submit(ants: &Browser, bees: &Browser, spectator: &Browser) {
    answer(bees, "V9", "1000-2000");
    bees.until("it was wrong", |bees| bees.text(".attempts").contains("incorrect"));
    spectator.until("the feed says so", |spectator| spectator.text(".feed").contains("The Bees"));
    answer(ants, "V1", "1000-2000");
    let sent = Instant::now();
    spectator.until("the ants lead", |spectator| {
        spectator.text(".grid tbody tr").contains("The Ants") && score(spectator) > 0.0
    });
    println!("on the spectator's board {} ms after the click", sent.elapsed().as_millis());
    ants.until("it was right", |ants| ants.text(".attempts").contains("full"));
    ants.click(".attempts details summary");
    ants.until("why is said", |ants| ants.text(".attempts .derivation").contains("time_factor"));
    answer(bees, "V1", "1000-2000");
    bees.until("it was right", |bees| bees.text(".attempts").contains("full"));
    spectator.until("two have scored", |spectator| spectator.texts(".grid .cell.scored").len() == 2);
    let rows = spectator.texts(".grid tbody tr .team");
    assert_eq!(rows, ["The Ants", "The Bees"], "the wrong attempt costs the bees");
}

/// The score of the first on the board.
fn score(spectator: &Browser) -> f64 {
    spectator.text(".grid tbody tr .total").parse().unwrap_or_default()
}

fn organiser_steers(organiser: &Browser, spectator: &Browser) {
    let closes = "return Number(document.querySelector('.clock')?.dataset.closes)";
    let before = spectator.run(closes, &json!([])).as_f64().unwrap();
    organiser.click("#adjust30-k1");
    spectator.until("it closes later", |who| who.run(closes, &json!([])).as_f64() == Some(before + 30_000.0));
    organiser.click("#freeze");
    spectator.until("the hall is told of the freeze", |spectator| {
        spectator.text("main").contains("The board is frozen")
    });
    organiser.click("#unfreeze");
    spectator.until("and of its end", |spectator| !spectator.text("main .note").contains("frozen"));
    organiser.click("#stop-k1");
    spectator.until("no clock runs", |spectator| spectator.text(".clocks").contains("No task is running"));
    organiser.until("it can be started again", |organiser| organiser.text("#start-k1") == "Start again");
}

/// Another task is started, and answered by a program this time.
fn follows_after_the_restart(spectator: &Browser, api: &Client) {
    let must = |path: &str, body: &Value| {
        let (status, answer) = api.post(path, body, None).unwrap();
        assert!(status < 300, "{path}: {answer}");
    };
    must("/api/v1/contests/spring/tasks/k2/start", &json!({ "time_limit_seconds": 300 }));
    spectator.until("the clock of k2 runs", |spectator| spectator.text(".clock .what").contains("k2"));
    let answer = json!({ "mediaItemName": "V2", "start": 3000, "end": 4000 });
    let right = json!({ "team_id": "bees", "answerSets": [{ "answers": [answer] }] });
    let sent = Instant::now();
    must("/api/v1/contests/spring/tasks/k2/submissions", &right);
    spectator.until("the bees lead now", |spectator| spectator.text(".grid tbody tr .team") == "The Bees");
    println!(
        "on the board {} ms after a program began to send it, after the restart",
        sent.elapsed().as_millis()
    );
}

/// Rank, name and score of each line, as they stand on the page.
fn board_on(spectator: &Browser) -> Vec<(String, String, String)> {
    let column = |css: &str| spectator.texts(&format!(".grid tbody {css}"));
    let rows = column(".rank").into_iter().zip(column(".team")).zip(column(".total"));
    rows.map(|((rank, team), total)| (rank, team, total)).collect()
}

fn board_of(api: &Client) -> Vec<(String, String, String)> {
    let (_, board) = api.get("/api/v1/contests/spring/board?public=true").unwrap();
    let name = |id: &Value| if id == "ants" { "The Ants" } else { "The Bees" };
    let rows = board["rows"].as_array().unwrap().iter();
    let line = |row: &Value| {
        let points = row["points"].as_f64().unwrap();
        (row["rank"].to_string(), name(&row["participant"]).to_owned(), format!("{points:.1}"))
    };
    rows.map(line).collect()
}
