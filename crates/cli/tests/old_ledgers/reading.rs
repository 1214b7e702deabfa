//! Frozen ledgers are whole, are judged as they were, and come out as they went in.

use serde_json::Value;

use crate::frozen::{Revived, text};

#[test]
fn the_chain_of_every_frozen_ledger_is_whole() {
    for (version, revived) in Revived::all() {
        let export = text(&format!("{version}.jsonl"));
        let end: Value = serde_json::from_str(export.lines().last().unwrap()).unwrap();
        let (position, head) = (&end["end"]["position"], end["end"]["hash"].as_str().unwrap());
        let said = revived.run(&["ledger", "verify", "--head", head]);
        assert!(said.starts_with(&format!("{position} records, the chain is whole")), "{version}: {said}");
    }
}

#[test]
fn the_script_in_the_documentation_verifies_the_chain_without_assize() {
    let page = include_str!("../../../../docs/ledger.md");
    let (_, script) = page.split_once("```python\n").expect("a script");
    let (script, _) = script.split_once("```").expect("its end");
    for (version, revived) in Revived::all() {
        let verify = || {
            let mut python = std::process::Command::new("python3");
            python.args(["-c", script]).arg(revived.file()).output().unwrap()
        };
        // Opening it brings an older file up to date.
        let head = revived.run(&["ledger", "verify"]);
        let verified = verify();
        let said = String::from_utf8_lossy(&verified.stdout);
        assert!(verified.status.success(), "{version}: {}", String::from_utf8_lossy(&verified.stderr));
        assert_eq!(said.split(' ').next(), head.split(' ').next(), "as many records: {said} {head}");
        assert!(said.contains("the chain is whole"), "{version}: {said}");

        let file = rusqlite::Connection::open(revived.file()).unwrap();
        file.execute("UPDATE records SET actor = 'admin:somebody' WHERE position = 20", []).unwrap();
        let verified = verify();
        let complaint = String::from_utf8_lossy(&verified.stderr);
        assert!(complaint.contains("record 20 does not match its hash"), "{version}: {complaint}");
    }
}

#[test]
fn every_frozen_verdict_comes_out_the_same() {
    for (version, revived) in Revived::all() {
        let found: Value = serde_json::from_str(&revived.run(&["replay", "--json"])).unwrap();
        let count = |name: &str| found[name].as_u64().unwrap();
        assert!(count("verdicts") > 50, "{version}: {found}");
        // A court whose edition was counted up since may judge otherwise, and says so; the others may not.
        let editions = found["other_editions"].as_object().into_iter().flat_map(|editions| editions.values());
        let by_others: u64 = editions.map(|edition| edition["different"].as_u64().unwrap()).sum();
        let judged = (count("same") + by_others, count("different"), count("unreadable"));
        assert_eq!(judged, (count("verdicts"), 0, 0), "{version}: {found}");
    }
}

#[test]
fn an_export_gives_the_frozen_lines_back() {
    for (version, revived) in Revived::all() {
        let (frozen, today) = (text(&format!("{version}.jsonl")), revived.run(&["ledger", "export"]));
        let mut lines = frozen.lines().zip(today.lines()).enumerate();
        if let Some((index, (frozen, today))) = lines.find(|(_, (frozen, today))| frozen != today) {
            panic!("{version}, line {}:\n{frozen}\nis exported as\n{today}", index + 1);
        }
        assert_eq!(frozen.len(), today.len(), "{version}");
    }
}
