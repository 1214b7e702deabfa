//! `/readyz` and `/metrics` while the store fails and recovers.

use std::path::Path;

use assize_testbed::contest::{Contest, eventually, right_answer, wrong_answer};
use assize_testbed::postgres::Cluster;
use assize_testbed::server::Server;

use crate::wire::{get, serve};

#[test]
fn a_server_whose_store_is_away_says_so_and_is_ready_again_by_itself() {
    let cluster = Cluster::start(false);
    let program = Path::new(env!("CARGO_BIN_EXE_assize"));
    let server = Server::start(program, &["--postgres", &cluster.database()]);
    let ready = || get(&server, "/readyz", &[]);
    assert_eq!((ready().status, ready().body.as_str()), (200, "ready"));
    cluster.stop();
    // Nobody sends anything: the server finds out because it is asked.
    eventually("it is not ready", || ready().status == 503);
    let told = ready();
    assert_eq!((told.code().as_str(), told.header("retry-after")), ("server.not_ready", Some("1")));
    assert_eq!(get(&server, "/healthz", &[]).status, 200, "the process lives");
    cluster.resume();
    eventually("it is ready again", || ready().status == 200);
    server.stop();
}

#[test]
fn a_file_that_somebody_holds_is_not_ready() {
    let directory = tempfile::TempDir::new().unwrap();
    let file = directory.path().join("assize.db");
    let server = Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), &["--data", file.to_str().unwrap()]);
    let ready = || get(&server, "/readyz", &[]).status;
    assert_eq!(ready(), 200);
    let holding = rusqlite::Connection::open(&file).unwrap();
    holding.execute_batch("BEGIN IMMEDIATE").unwrap();
    eventually("it is not ready", || ready() == 503);
    holding.execute_batch("ROLLBACK").unwrap();
    eventually("it is ready again", || ready() == 200);
    server.stop();
}

#[test]
fn metrics_count_what_happened() {
    let server = serve(&[]);
    let contest = Contest::open(&server, &server.admin_token(), "spring");
    contest.run_task("hunt", 3_600.0, 10.0);
    let client = server.client(&contest.register("ants"));
    let submissions = contest.path("/tasks/hunt/submissions");
    for answer in [wrong_answer(1), wrong_answer(2), right_answer(), right_answer(), wrong_answer(3)] {
        drop(client.post(&submissions, &answer, None).unwrap());
    }
    let metrics = get(&server, "/metrics", &[]).body;
    let shows =
        |line: &str| assert!(metrics.lines().any(|known| known == line), "{line} is not in\n{metrics}");
    shows(r#"assize_verdicts_total{court="contest",outcome="incorrect"} 2"#);
    shows(r#"assize_verdicts_total{court="contest",outcome="full"} 1"#);
    shows(r#"assize_problems_total{code="contest.task.already_completed"} 1"#);
    shows("assize_clerk_waiting 0");
    let route = r#"route="/api/v1/contests/{contest}/tasks/{task}/submissions""#;
    shows(&format!(r#"assize_http_request_seconds_count{{method="POST",{route},status="2xx"}} 4"#));
    shows(&format!("assize_ledger_position {}", contest.board(None).0));
    for name in [
        "assize_clerk_batch_records_count",
        "assize_clerk_commit_seconds_count",
        "assize_process_start_time_seconds",
    ] {
        assert!(metrics.contains(name), "{name} is not in\n{metrics}");
    }
    let documented = include_str!("../../../../docs/operations.md");
    for name in metrics.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()) {
        assert!(documented.contains(&format!("`{name}")), "give {name} a line in docs/operations.md");
    }
    assert!(metrics.ends_with("# EOF\n"));
    server.stop();
}

#[test]
fn metrics_are_for_admins_and_this_machine_unless_set_otherwise() {
    let status = |server: &Server, headers: &[&str]| get(server, "/metrics", headers).status;
    let server = serve(&["--trusted-proxies", "127.0.0.1"]);
    let admin = format!("authorization: Bearer {}", server.admin_token());
    let afar = "x-forwarded-for: 192.0.2.7";
    assert_eq!(
        (status(&server, &[]), status(&server, &[afar]), status(&server, &[afar, &admin])),
        (200, 401, 200)
    );
    server.stop();
    let server = serve(&[]);
    assert_eq!((status(&server, &[]), status(&server, &[afar])), (200, 401), "a proxy nobody told us of");
    server.stop();
    let server = serve(&["--metrics-for", "admins"]);
    assert_eq!(status(&server, &[]), 401);
    server.stop();
    let server = serve(&["--metrics-for", "everyone"]);
    assert_eq!(status(&server, &[afar]), 200);
    server.stop();
}

#[test]
fn the_metrics_of_this_machine_are_not_for_a_page_whose_name_was_made_to_resolve_to_it() {
    let server = serve(&[]);
    let told = |headers: &[&str]| get(&server, "/metrics", headers);
    for host in ["localhost:8080", "127.0.0.1", "[::1]:8080", "assize.localhost"] {
        assert_eq!(told(&[&format!("host: {host}")]).status, 200, "{host}");
    }
    for host in ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "192.0.2.7"] {
        let told = told(&[&format!("host: {host}")]);
        assert_eq!((told.status, told.code().as_str()), (403, "metrics.host"), "{host}");
        assert!(told.body.contains("`localhost`") && told.body.contains(host), "{}", told.body);
    }
    let admin = format!("authorization: Bearer {}", server.admin_token());
    assert_eq!(told(&["host: metrics.example", &admin]).status, 200, "an admin by any name");
    server.stop();
}
