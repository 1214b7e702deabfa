//! A SQLite file has one server, whatever path leads to it.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::work_dir::WorkDir;

const ANYWHERE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

fn serve(dir: &WorkDir, file: &str) -> crate::work_dir::Ended {
    dir.run(&[&ANYWHERE[..], &["--data", file]].concat())
}

fn served(file: &str) -> String {
    format!("`{file}` is being served by another process; stop it or name another file with --data")
}

#[test]
fn a_file_is_served_by_one_process_at_a_time() {
    let dir = WorkDir::new();
    let first = dir.serve(&[]);
    dir.run(&ANYWHERE).wrong_use(
        "`assize.db` is being served by another process; stop it or name another file with --data",
    );
    assert_eq!(first.client("").get("/healthz").unwrap(), (200, Value::from("ok")));
    first.stop();
    dir.serve(&[]).stop();
}

#[test]
fn a_file_has_one_server_through_a_symbolic_link_too() {
    let dir = WorkDir::new();
    let first = dir.serve(&[]);
    symlink("assize.db", dir.path("link.db")).unwrap();
    fs::create_dir(dir.path("deep")).unwrap();
    symlink("..", dir.path("deep/up")).unwrap();
    for file in ["link.db", "deep/up/assize.db"] {
        serve(&dir, file).wrong_use(&served(file));
    }
    // Other commands run beside it.
    assert_eq!(dir.run(&["token", "--data", "link.db"]).code, 0);
    assert_eq!(first.client("").get("/healthz").unwrap(), (200, Value::from("ok")));
    first.stop();
    // Served by the link, it is served.
    let first = dir.serve(&["--data", "link.db"]);
    serve(&dir, "assize.db").wrong_use(&served("assize.db"));
    first.stop();
}

#[test]
fn a_file_with_two_names_is_not_served() {
    let dir = WorkDir::new();
    let first = dir.serve(&[]);
    fs::hard_link(dir.path("assize.db"), dir.path("hard.db")).unwrap();
    for args in [&["--data", "hard.db"][..], &["--data", "assize.db"]] {
        let ended = dir.run(&[&ANYWHERE[..], args].concat());
        let file = args[1];
        ended.wrong_use(&format!(
            "`{file}` has 2 names (hard links), and SQLite loses data when a file is open under two of them; remove \
             the other names, or make a copy and name that"
        ));
    }
    assert!(!dir.path("hard.db-wal").exists(), "it was not opened");
    // The server goes on: a tool that makes backups of hard links is no reason to stop.
    assert_eq!(first.client("").get("/readyz").unwrap().0, 200);
    first.stop();
}

#[test]
fn a_file_that_was_moved_under_its_server_has_no_second_one() {
    let dir = WorkDir::new();
    let first = dir.serve(&[]);
    fs::rename(dir.path("assize.db"), dir.path("moved.db")).unwrap();
    serve(&dir, "moved.db").wrong_use(&served("moved.db"));
    fs::rename(dir.path("moved.db"), dir.path("assize.db")).unwrap();
    assert_eq!(first.client("").get("/readyz").unwrap().0, 200);
    first.stop();
    dir.serve(&[]).stop();
}
