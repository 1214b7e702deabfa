//! A process that is killed while it appends: whatever it was told is on disk, is.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use assize_ledger::{Ledger, PostgresLedger, SqliteLedger, verify};

use crate::stage::{Store, append, draft};

contract! { [sqlite postgres] {
    what_a_killed_process_was_told_is_there
} }

const PLACE: &str = "ASSIZE_TEST_PLACE";
const ACKNOWLEDGED: &str = "acknowledged ";

fn what_a_killed_process_was_told_is_there(store: &Store) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killing::appends_until_it_is_killed", "--ignored", "--nocapture"])
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

#[test]
#[ignore = "the other process of the tests above"]
fn appends_until_it_is_killed() {
    let Ok(place) = std::env::var(PLACE) else { return };
    let ledger: Box<dyn Ledger> = if Path::new(&place).exists() {
        Box::new(SqliteLedger::open_existing(Path::new(&place)).unwrap())
    } else {
        Box::new(PostgresLedger::open(&place).unwrap())
    };
    let mut writer = ledger.writer().unwrap();
    println!();
    for version in (1..).step_by(3) {
        let batch = (version..version + 3).map(|version| draft("contest/spring", version));
        let written = append(writer.as_mut(), batch);
        println!("{ACKNOWLEDGED}{}", written[2].position);
    }
}
