//! Durability: what a process was told is on disk survives its being killed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use assize_ledger::{Ledger, PostgresLedger, SqliteLedger, verify};

use crate::stage::{Store, append, draft};

/// Set in the process that is to be killed: which ledger it appends to.
const PLACE: &str = "ASSIZE_TEST_PLACE";
const ACKNOWLEDGED: &str = "acknowledged ";

mod sqlite {
    #[test]
    fn what_a_killed_process_was_told_is_there() {
        super::both_sides(crate::stage::Store::sqlite, "killing::sqlite");
    }
}

mod postgres {
    #[test]
    fn what_a_killed_process_was_told_is_there() {
        super::both_sides(crate::stage::Store::postgres, "killing::postgres");
    }
}

/// The same test is both processes: the one that kills starts itself once more as the one that is killed.
fn both_sides(make: fn() -> Store, module: &str) {
    match std::env::var(PLACE) {
        Ok(place) => append_until_killed(&place),
        Err(_) => what_a_killed_process_was_told_is_there(&make(), module),
    }
}

fn what_a_killed_process_was_told_is_there(store: &Store, module: &str) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("{module}::what_a_killed_process_was_told_is_there"), "--nocapture"])
        .env(PLACE, store.address())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut told = lines.filter_map(|line| line.strip_prefix(ACKNOWLEDGED)?.parse::<u64>().ok());
    let enough = told.find(|position| *position >= 150).unwrap();
    child.kill().unwrap();
    let last = told.last().unwrap_or(enough);
    child.wait().unwrap();

    let ledger = store.again();
    let found = verify(ledger.as_ref(), &mut |_| {}).unwrap();
    assert_eq!(found.problems, Vec::<String>::new());
    assert!(found.head.position >= last, "{last} was acknowledged, {} is there", found.head.position);
    assert!(found.head.position.is_multiple_of(3), "half a batch was written");
    let version = found.head.position + 1;
    let written = append(ledger.writer().unwrap().as_mut(), [draft("contest/spring", version)]);
    assert_eq!(written[0].position, version);
}

fn append_until_killed(place: &str) {
    let ledger: Box<dyn Ledger> = if Path::new(place).exists() {
        Box::new(SqliteLedger::open_existing(Path::new(place)).unwrap())
    } else {
        Box::new(PostgresLedger::open_existing(place).unwrap())
    };
    let mut writer = ledger.writer().unwrap();
    println!();
    for version in (1..).step_by(3) {
        let batch = (version..version + 3).map(|version| draft("contest/spring", version));
        let written = append(writer.as_mut(), batch);
        println!("{ACKNOWLEDGED}{}", written[2].position);
    }
}
