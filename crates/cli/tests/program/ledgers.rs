//! `assize ledger`, `assize replay` and `assize token` on an intact ledger.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use assize_ledger::SqliteLedger;
use assize_testbed::postgres::Cluster;
use serde_json::{Value, json};

use crate::work_dir::WorkDir;

fn head(dir: &WorkDir) -> String {
    let ended = dir.run(&["ledger", "verify", "--json"]);
    let said: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((ended.code, &said["problems_total"], &said["problems"]), (0, &json!(0), &json!([])));
    said["head"].as_str().unwrap().to_owned()
}

#[test]
fn a_whole_ledger_verifies_and_replays() {
    let dir = WorkDir::with_contest();
    let said = format!("10 records, the chain is whole, head {}\n", head(&dir));
    dir.run(&["ledger", "verify"]).fine(&said);
    dir.run(&["replay"]).fine("10 records, 2 verdicts: 2 the same, 0 different, 0 unreadable\n");
    let ended = dir.run(&["replay", "--json"]);
    let found: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((&found["verdicts"], &found["same"], &found["shown"]), (&json!(2), &json!(2), &json!([])));
}

#[test]
fn a_ledger_that_is_not_there_is_not_made() {
    let dir = WorkDir::new();
    for command in
        [&["ledger", "verify"][..], &["replay"], &["ledger", "export"], &["token"], &["explain", "1"]]
    {
        dir.run(command).wrong_use("there is no file `assize.db`");
    }
    assert_eq!(fs::read_dir(dir.path(".")).unwrap().count(), 0);
    let address = Cluster::shared().database();
    for command in [&["ledger", "verify"][..], &["replay"], &["token"], &["ledger", "backup", "copy.db"]] {
        let ended = dir.run(&[command, &["--postgres", &address]].concat());
        assert!(
            ended.err.starts_with("assize: there is no ledger in the PostgreSQL database"),
            "{}",
            ended.err
        );
        assert_eq!(ended.code, 2);
    }
}

#[test]
fn what_holds_secrets_is_readable_by_its_owner_alone() {
    let dir = WorkDir::with_contest();
    let server = dir.serve(&[]);
    dir.run(&["ledger", "export", "copy.jsonl"]);
    dir.run(&["ledger", "backup", "copy.db"]);
    let files = fs::read_dir(dir.path(".")).unwrap().map(|entry| entry.unwrap().path());
    let mut modes: Vec<_> = files
        .map(|file| {
            let mode = fs::metadata(&file).unwrap().permissions().mode() & 0o777;
            (file.file_name().unwrap().to_str().unwrap().to_owned(), mode)
        })
        .collect();
    modes.sort();
    let expected = ["assize.db", "assize.db-shm", "assize.db-wal", "assize.db.lock", "copy.db", "copy.jsonl"];
    assert_eq!(modes, expected.map(|file| (file.to_owned(), 0o600)));
    server.stop();
}

#[test]
fn one_record_and_one_verdict_are_not_called_several() {
    let dir = WorkDir::with_contest();
    dir.sql("DELETE FROM records WHERE position = 10");
    dir.run(&["replay"]).fine("9 records, 1 verdict: 1 the same, 0 different, 0 unreadable\n");
    dir.sql("DELETE FROM records WHERE position > 1");
    assert!(dir.run(&["ledger", "verify"]).out.starts_with("1 record, the chain is whole"));
    dir.run(&["ledger", "export", "copy.jsonl"]).fine("exported 1 record to copy.jsonl\n");
}

#[test]
fn an_export_read_elsewhere_is_the_same_ledger() {
    let dir = WorkDir::with_contest();
    dir.run(&["ledger", "export", "copy.jsonl"]).fine("exported 10 records to copy.jsonl\n");
    let printed = dir.run(&["ledger", "export"]);
    printed.fine(&dir.read("copy.jsonl"));
    let import = ["ledger", "import", "-", "--data", "other.db"];
    let said = "imported 10 records into `other.db`, the chain is whole\n";
    dir.run_with(&import, &printed.out).fine(said);
    dir.run(&["ledger", "export", "--data", "other.db"]).fine(&printed.out);
    dir.run_with(&import, &printed.out).wrong_use("`other.db` is not empty; import into a new ledger");
    dir.run(&["ledger", "export", "copy.jsonl"]).wrong_use("`copy.jsonl` exists; name a new file");
    assert!(!printed.out.contains("\"token"), "no secrets leave with an export");
}

#[test]
fn an_export_that_is_not_whole_leaves_nothing_behind() {
    let dir = WorkDir::with_contest();
    let whole = dir.run(&["ledger", "export"]).out;
    let import = |text: &str| dir.run_with(&["ledger", "import", "-", "--data", "other.db"], text);
    let end = whole.rfind("{\"end\"").unwrap();
    import(&whole[..end]).wrong_use("line 13 of the export: it ends here, before its last line");
    let cut = import(&whole[..end - 9]);
    assert!(cut.err.starts_with("assize: line 12 of the export: EOF while parsing a string"), "{}", cut.err);
    let changed = whole.replace("\\\"wrong_before\\\":0", "\\\"wrong_before\\\":1");
    assert_ne!(changed, whole);
    import(&changed).wrong_use("line 11 of the export: record 9 does not match its hash");
    import("x").wrong_use("line 1 of the export: expected value at column 1");
    import("").wrong_use("line 1 of the export: it ends here, before its last line");
    for file in ["other.db", "other.db-wal", "other.db-shm"] {
        assert!(!dir.path(file).exists(), "{file} is left behind");
    }
    drop(SqliteLedger::open(&dir.path("empty.db")).unwrap());
    dir.run_with(&["ledger", "import", "-", "--data", "empty.db"], "x");
    assert!(dir.path("empty.db").exists(), "what was there before stays");
    import(&whole).fine("imported 10 records into `other.db`, the chain is whole\n");
}

#[test]
fn a_backup_is_made_under_a_new_name_and_lets_the_same_people_in() {
    let dir = WorkDir::with_contest();
    let token = dir.run(&["token"]).out;
    let said = "11 records in copy.db; it holds secrets too, keep it safe\n";
    dir.run(&["ledger", "backup", "copy.db"]).fine(said);
    dir.run(&["ledger", "backup", "copy.db"]).wrong_use("`copy.db` exists; name a new file");
    dir.run(&["ledger", "backup", "none/copy.db"]).wrong_use(
        "cannot write `none/copy.db`: No such file or directory (os error 2); its directory must exist and be writable",
    );
    dir.run(&["ledger", "verify", "--data", "copy.db"]).fine(&dir.run(&["ledger", "verify"]).out);
    let server = dir.serve(&["--data", "copy.db"]);
    assert_eq!(server.client(token.trim()).get("/api/v1/records/10").unwrap().0, 200);
    server.stop();
}

#[test]
fn an_erased_person_is_gone_and_the_chain_stays_whole() {
    let dir = WorkDir::with_contest();
    assert!(dir.run(&["ledger", "export"]).out.contains("ada@example.org"));
    let erase = ["ledger", "erase", "contest/spring/ants"];
    dir.run(&erase).fine("erased 1 personal text of `contest/spring/ants`\n");
    dir.run(&erase).wrong_use("there is nothing personal of `contest/spring/ants`");
    assert!(!dir.run(&["ledger", "export"]).out.contains("ada@example.org"));
    for file in ["assize.db", "assize.db-wal"] {
        let bytes = fs::read(dir.path(file)).unwrap_or_default();
        let found = bytes.windows(15).any(|window| window == b"ada@example.org");
        assert!(!found, "{file} still has it");
    }
    let said = format!("11 records, the chain is whole, head {}\n", head(&dir));
    dir.run(&["ledger", "verify"]).fine(&said);
    dir.run(&["replay"]).fine("11 records, 2 verdicts: 2 the same, 0 different, 0 unreadable\n");
}

#[test]
fn a_new_token_lets_its_owner_in_under_their_name() {
    let dir = WorkDir::with_contest();
    let token = dir.run(&["token", "--name", "bea"]).out;
    assert!(token.trim().len() == 64 && token.ends_with('\n'), "{token}");
    let server = dir.serve(&[]);
    assert!(
        server.greeting().ends_with(
            "  to get in     your admin token from the first start; `assize token` makes another\n"
        )
    );
    let client = server.client(token.trim());
    let (status, opened) = client.post("/api/v1/contests", &json!({ "id": "autumn" }), None).unwrap();
    assert_eq!(status, 201, "{opened}");
    let position = &opened["receipt"]["position"];
    let (_, record) = client.get(&format!("/api/v1/records/{position}")).unwrap();
    assert_eq!(record["actor"], "admin:bea");
    server.stop();
    let message = "`no good` cannot be a name; use 1 to 64 letters, digits, `.`, `_` or `-`";
    dir.run(&["token", "--name", "no good"]).wrong_use(message);
}
