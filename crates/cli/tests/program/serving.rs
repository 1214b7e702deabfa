//! `assize serve`: start-up errors, the greeting, and data after a restart.

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Command;

use assize_kernel::{Millis, Moment};
use assize_testbed::contest::{Contest, right_answer, wrong_answer};
use assize_testbed::postgres::Cluster;

use crate::work_dir::{Ended, WorkDir, finish};

const ANYWHERE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

#[test]
fn an_address_in_use_is_told_before_any_file_is_touched() {
    let dir = WorkDir::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    dir.run(&["serve", "--listen", &address])
        .wrong_use(&format!("{address} is in use by another program; choose another address with --listen"));
    assert_eq!(fs::read_dir(dir.path(".")).unwrap().count(), 0);
}

#[test]
fn a_file_that_cannot_be_a_ledger_is_told() {
    let dir = WorkDir::new();
    fs::create_dir(dir.path("directory")).unwrap();
    dir.write("notes.txt", "buy milk").write("long.txt", &"buy milk, ".repeat(500));
    let serve = |file: &str| dir.run(&[&ANYWHERE[..], &["--data", file]].concat());
    serve("directory").wrong_use("`directory` is a directory; name a file in it");
    serve("notes.txt").wrong_use("`notes.txt` is not a ledger; name another file");
    serve("long.txt").wrong_use("`long.txt` is not a ledger; name another file");
    serve("none/a.db").wrong_use(
        "cannot open `none/a.db`: No such file or directory (os error 2); its directory must exist and be writable",
    );
    assert_eq!(dir.read("notes.txt"), "buy milk");
}

#[test]
fn a_ledger_that_was_cut_short_may_be_damaged() {
    let dir = WorkDir::with_contest();
    dir.run(&["ledger", "backup", "copy.db"]);
    let whole = fs::read(dir.path("copy.db")).unwrap();
    fs::write(dir.path("copy.db"), &whole[..300]).unwrap();
    dir.run(&[&ANYWHERE[..], &["--data", "copy.db"]].concat()).wrong_use(
        "`copy.db` cannot be read and may be damaged: database disk image is malformed; restore a backup, or name \
         another file",
    );
}

/// Runs the program, from where they can reach it, as somebody who may not write here, which root could.
fn serve_unprivileged(dir: &WorkDir, file: &str) -> Ended {
    let (program, built) = (dir.path("assize"), env!("CARGO_BIN_EXE_assize"));
    // A copy cannot be run while a process that another test has just started still has it open for writing.
    fs::hard_link(built, &program).or_else(|_| fs::copy(built, &program).map(drop)).unwrap();
    fs::set_permissions(dir.path("."), Permissions::from_mode(0o555)).unwrap();
    let root = fs::metadata(dir.path(".")).unwrap().uid() == 0;
    let mut command = if root { Command::new("setpriv") } else { Command::new(&program) };
    if root {
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&program);
    }
    command.args(ANYWHERE).args(["--data", file]).current_dir(dir.path("."));
    let ended = finish(command, "");
    fs::set_permissions(dir.path("."), Permissions::from_mode(0o755)).unwrap();
    ended
}

#[test]
fn a_place_that_may_not_be_written_is_told() {
    serve_unprivileged(&WorkDir::new(), "new.db").wrong_use(
        "cannot open `new.db`: Permission denied (os error 13); its directory must exist and be writable",
    );
    let dir = WorkDir::with_contest();
    fs::set_permissions(dir.path("assize.db"), Permissions::from_mode(0o444)).unwrap();
    serve_unprivileged(&dir, "assize.db")
        .wrong_use("the ledger `assize.db` is read-only; allow writing to it and to the directory it is in");
}

#[test]
fn a_database_that_is_away_is_our_fault_and_its_password_nobodys_business() {
    let dir = WorkDir::new();
    let address = "host=/nowhere user=u dbname=d password=hunter2";
    dir.run(&[&ANYWHERE[..], &["--postgres", address]].concat()).failed(
        3,
        "assize: cannot reach the PostgreSQL database `d` on `/nowhere`: error connecting to server: No such file or \
         directory (os error 2)\n",
    );
}

#[test]
fn the_first_start_says_where_what_and_how_to_get_in() {
    let dir = WorkDir::new();
    let server = dir.serve(&[]);
    let expected = format!(
        "assize {}\n  listening on  {url}\n  data in       `assize.db` (0 records)\n  first login   {}\n{}\n  \
         to get in     admin token {}\n",
        env!("CARGO_PKG_VERSION"),
        server.first_login(),
        "                choose your name and password there, once and within 24 hours",
        server.admin_token(),
        url = server.url(),
    );
    assert_eq!(server.greeting(), expected);
    assert_eq!(server.admin_token().len(), 64);
    let code = server.first_login().strip_prefix(&format!("{}/welcome?code=", server.url())).map(str::len);
    assert_eq!(code, Some(64));
    server.stop();
}

#[test]
fn what_was_kept_in_memory_is_gone_and_no_file_is_made() {
    let dir = WorkDir::new();
    let server = dir.serve(&["--ephemeral"]);
    drop(Contest::open(&server, &server.admin_token(), "spring"));
    server.stop();
    assert_eq!(fs::read_dir(dir.path(".")).unwrap().count(), 0);
}

#[test]
fn a_setting_may_come_from_the_environment() {
    let dir = WorkDir::new();
    let mut command = dir.command(&["serve"]);
    command.env("ASSIZE_LISTEN", "127.0.0.1:0").env("ASSIZE_DATA", "other.db");
    let server = assize_testbed::server::Server::launch(command);
    assert!(server.greeting().contains("`other.db` (0 records)"), "{}", server.greeting());
    server.stop();
}

/// Serves with these arguments and settings, and says where the data is.
fn data_in(args: &[&str], settings: &[(&str, &str)]) -> String {
    let dir = WorkDir::new();
    let mut command = dir.command(&[&ANYWHERE[..], args].concat());
    command.envs(settings.iter().copied());
    let server = assize_testbed::server::Server::launch(command);
    let place = server.greeting().lines().nth(2).unwrap().trim().to_owned();
    server.stop();
    place
}

#[test]
fn the_command_line_wins_over_the_environment() {
    let address = Cluster::shared().database();
    let (file, other) = (("ASSIZE_DATA", "a.db"), ("ASSIZE_POSTGRES", "host=/nowhere dbname=d user=u"));
    let memory = "data in       memory (0 records)";
    for settings in [&[file][..], &[other], &[file, other]] {
        assert_eq!(data_in(&["--ephemeral"], settings), memory);
        assert_eq!(data_in(&["--data", "b.db"], settings), "data in       `b.db` (0 records)");
        assert!(data_in(&["--postgres", &address], settings).contains("PostgreSQL database `test_"));
    }
    assert_eq!(
        data_in(&["--data", "b.db"], &[("ASSIZE_EPHEMERAL", "1")]),
        "data in       `b.db` (0 records)"
    );
}

#[test]
fn memory_may_be_asked_for_in_the_environment() {
    for yes in ["1", "true", "YES", "on"] {
        let place = data_in(&[], &[("ASSIZE_EPHEMERAL", yes)]);
        assert_eq!(place, "data in       memory (0 records)", "{yes}");
    }
    assert_eq!(data_in(&[], &[("ASSIZE_EPHEMERAL", "0")]), "data in       `assize.db` (0 records)");
}

#[test]
fn a_wrong_setting_in_the_environment_is_named() {
    let dir = WorkDir::new();
    let told = |settings: &[(&str, &str)], message: &str| {
        let mut command = dir.command(&ANYWHERE);
        command.envs(settings.iter().copied());
        finish(command, "").wrong_use(message);
    };
    told(
        &[("ASSIZE_EPHEMERAL", "maybe")],
        "ASSIZE_EPHEMERAL: `maybe` is neither yes nor no; use `true` or `false`",
    );
    told(
        &[("ASSIZE_DATA", "a.db"), ("ASSIZE_POSTGRES", "x")],
        "ASSIZE_DATA and ASSIZE_POSTGRES cannot be set together; unset all but one",
    );
    for (said, part) in [("infoo", "infoo"), ("warn,assize_server=loud", "warn,assize_server=loud")] {
        let levels = "use `error`, `warn`, `info`, `debug` or `trace`, or name parts too, as in \
                      `warn,assize_server=debug`";
        told(&[("ASSIZE_LOG", said)], &format!("ASSIZE_LOG: `{part}` is not understood; {levels}"));
    }
    assert_eq!(fs::read_dir(dir.path(".")).unwrap().count(), 0);
}

#[test]
fn times_are_right_to_the_millisecond_over_a_restart_in_a_running_task() {
    let dir = WorkDir::new();
    let server = dir.serve(&[]);
    let token = server.admin_token();
    let contest = Contest::open(&server, &token, "spring");
    let started: Moment = contest.run_task("hunt", 3_600.0, 10.0).parse().unwrap();
    let teams = ["ants", "bees"].map(|team| contest.register(team));
    let before = contest.admin.with_token(&teams[0]);
    let submissions = contest.path("/tasks/hunt/submissions");
    let (_, early) = before.post(&submissions, &right_answer(), None).unwrap();
    server.stop();
    let server = dir.serve(&[]);
    let after = server.client(&teams[1]);
    drop(after.post(&submissions, &wrong_answer(1), None).unwrap());
    let (_, late) = after.post(&submissions, &right_answer(), None).unwrap();
    for (answer, wrong) in [(&early, 0), (&late, 1)] {
        let at: Moment = answer["receipt"]["at"].as_str().unwrap().parse().unwrap();
        let Millis(elapsed) = at - started;
        let detail = &answer["verdict"]["detail"];
        assert_eq!(detail["elapsed_time"], Millis(elapsed).as_seconds(), "{answer}");
        assert_eq!(detail["wrong_attempts"], wrong, "{answer}");
    }
    assert_eq!(
        Contest::at(&server, &token, "spring").seen()["tasks"][0]["round"]["started_at"],
        started.to_string()
    );
    server.stop();
}
