//! Lost connections to PostgreSQL: an unknown commit is reported as such, and the writer recovers.

use std::sync::mpsc;
use std::time::Duration;

use assize_ledger::{Batch, Ledger, LedgerError, PostgresLedger, Scan, verify};
use assize_testbed::postgres::Cluster;
use assize_testbed::proxy::{Cut, CuttingProxy};

use crate::stage::{append, draft, fill, scanned, seal};

/// A timeout for slow machines, never reached in a good run.
const AGES: Duration = Duration::from_secs(20);

/// How a batch is committed.
#[derive(Clone, Copy)]
enum Way {
    InTurn,
    AtOnce,
}

/// Commits through a connection that is cut; returns whether the batch is found afterwards.
fn look_after(cut: Cut, way: Way) -> (Batch, Option<[u8; 16]>) {
    let cluster = Cluster::shared();
    let direct = cluster.database();
    let name = direct.rsplit('=').next().unwrap();
    let proxy = CuttingProxy::before(cluster);
    let ledger = PostgresLedger::open(&proxy.address(name)).unwrap();
    let mut writer = ledger.writer().unwrap();
    append(writer.as_mut(), [draft("contest/spring", 1)]);

    let end = ledger.head().unwrap();
    let batch = seal(end, [draft("contest/spring", 2)]);
    let committed = match way {
        Way::InTurn => {
            let turn = writer.lock().unwrap();
            proxy.cut(cut);
            turn.commit(&batch)
        }
        Way::AtOnce => {
            proxy.cut(cut);
            writer.commit_at(end, &[&batch]).map(|_| ())
        }
    };
    let error = committed.unwrap_err();
    assert!(matches!(error, LedgerError::CommitUnknown(_)), "{error:?}");
    // Under the next lock the outcome is certain: the server has committed by then, or never will.
    drop(writer.lock().unwrap());
    let there = scanned(&ledger, Scan::at(2)).first().map(|record| record.batch);

    let next = append(writer.as_mut(), [draft("quest/anna", 1)]);
    assert_eq!(next[0].position, if there.is_some() { 3 } else { 2 });
    assert_eq!(verify(&ledger, &mut |_| {}).unwrap().problems, Vec::<String>::new());
    (batch, there)
}

#[test]
fn a_connection_cut_before_the_commit_arrives_leaves_nothing() {
    for way in [Way::InTurn, Way::AtOnce] {
        let (_, there) = look_after(Cut::BeforeCommit, way);
        assert_eq!(there, None);
    }
}

#[test]
fn a_connection_cut_before_the_answer_arrives_leaves_the_batch() {
    for way in [Way::InTurn, Way::AtOnce] {
        let (batch, there) = look_after(Cut::AfterCommit, way);
        assert_eq!(there, batch.id());
    }
}

#[test]
fn a_statement_that_arrives_after_its_writer_has_looked_for_it_does_nothing() {
    let cluster = Cluster::shared();
    let direct = cluster.database();
    let proxy = CuttingProxy::before(cluster);
    let ledger = PostgresLedger::open(&proxy.address(direct.rsplit('=').next().unwrap())).unwrap();
    let mut writer = ledger.writer().unwrap();
    append(writer.as_mut(), [draft("contest/spring", 1)]);

    let end = ledger.head().unwrap();
    let batch = seal(end, [draft("contest/spring", 2)]);
    proxy.cut(Cut::Late);
    let error = writer.commit_at(end, &[&batch]).unwrap_err();
    assert!(matches!(error, LedgerError::CommitUnknown(_)), "{error:?}");
    // The writer looks under the lock and tells its clients that nothing was recorded.
    assert_eq!(writer.lock().unwrap().head(), end);

    let mut observer = postgres::Client::connect(&direct, postgres::NoTls).unwrap();
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()";
    let mut connections = || observer.query_one(sql, &[]).unwrap().get::<_, i64>(0);
    let before = connections();
    assert_eq!(proxy.deliver_late(), 1);
    let started = std::time::Instant::now();
    while connections() == before {
        assert!(started.elapsed() < AGES, "the statement is never done");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(ledger.head().unwrap(), end, "it came too late");

    // Another writer, which knew the chain before, is overtaken once and goes on.
    assert_eq!(append(writer.as_mut(), [draft("contest/spring", 2)])[0].position, 2);
    assert_eq!(verify(&ledger, &mut |_| {}).unwrap().problems, Vec::<String>::new());
}

#[test]
fn a_writer_that_knows_an_older_epoch_is_overtaken_and_goes_on() {
    let cluster = Cluster::shared();
    let direct = cluster.database();
    let proxy = CuttingProxy::before(cluster);
    let broken = PostgresLedger::open(&proxy.address(direct.rsplit('=').next().unwrap())).unwrap();
    let ledger = PostgresLedger::open(&direct).unwrap();
    let (mut broken, mut writer) = (broken.writer().unwrap(), ledger.writer().unwrap());
    append(broken.as_mut(), [draft("contest/spring", 1)]);
    append(writer.as_mut(), [draft("contest/spring", 2)]);
    let end = ledger.head().unwrap();
    let batch = seal(end, [draft("contest/spring", 3)]);
    // Knows the end of the chain and commits in one statement.
    assert!(writer.commit_at(end, &[&batch]).unwrap());
    let end = ledger.head().unwrap();

    append(broken.as_mut(), [draft("quest/anna", 1)]);
    let end_of_broken = ledger.head().unwrap();
    proxy.cut(Cut::BeforeCommit);
    broken.commit_at(end_of_broken, &[&seal(end_of_broken, [draft("quest/anna", 2)])]).unwrap_err();
    drop(broken.lock().unwrap());

    assert!(
        !writer.commit_at(end, &[&seal(end, [draft("contest/spring", 4)])]).unwrap(),
        "the chain has grown"
    );
    let end = writer.lock().unwrap().head();
    assert!(writer.commit_at(end, &[&seal(end, [draft("contest/spring", 4)])]).unwrap());
    assert_eq!(verify(&ledger, &mut |_| {}).unwrap().problems, Vec::<String>::new());
}

#[test]
fn a_writer_that_stands_still_with_the_lock_holds_the_others_up_for_seconds_only() {
    let database = Cluster::shared().database();
    let ledger = PostgresLedger::open(&database).unwrap();
    let (mut one, mut two) = (ledger.writer().unwrap(), ledger.writer().unwrap());
    append(one.as_mut(), [draft("contest/spring", 1)]);
    let turn = one.lock().unwrap();
    let batch = seal(turn.head(), [draft("contest/spring", 2)]);
    let started = std::time::Instant::now();
    assert_eq!(append(two.as_mut(), [draft("quest/anna", 1)])[0].position, 2);
    assert!(started.elapsed() < Duration::from_secs(9), "{:?}", started.elapsed());
    // Its transaction has ended: nothing of it is written, and it can go on.
    assert!(matches!(turn.commit(&batch).unwrap_err(), LedgerError::Unavailable(_)));
    assert_eq!(append(one.as_mut(), [draft("contest/spring", 2)])[0].position, 3);
}

#[test]
fn a_database_that_stops_is_unavailable_until_it_starts_again() {
    let cluster = Cluster::start(true);
    let ledger = PostgresLedger::open(&cluster.database()).unwrap();
    let mut writer = ledger.writer().unwrap();
    append(writer.as_mut(), [draft("contest/spring", 1)]);
    let (wake, woken) = mpsc::channel();
    let watch = ledger.watch(Box::new(move || wake.send(()).unwrap())).unwrap();

    let turn = writer.lock().unwrap();
    let batch = seal(turn.head(), [draft("contest/spring", 2)]);
    cluster.stop();
    let error = turn.commit(&batch).unwrap_err();
    assert!(matches!(error, LedgerError::Unavailable(_)), "before the commit, nothing is unknown: {error:?}");
    assert!(matches!(writer.lock().err().unwrap(), LedgerError::Unavailable(_)));
    assert!(matches!(ledger.head().unwrap_err(), LedgerError::Unavailable(_)));

    cluster.resume();
    assert_eq!(ledger.head().unwrap().position, 1);
    assert_eq!(append(writer.as_mut(), [draft("contest/spring", 2)])[0].position, 2);
    woken.recv_timeout(AGES).expect("whoever watches is told after a reconnection");
    drop(watch);
}

#[test]
fn idle_connections_that_went_stale_are_replaced_unnoticed() {
    let cluster = Cluster::start(false);
    let ledger = PostgresLedger::open(&cluster.database()).unwrap();
    let mut writer = ledger.writer().unwrap();
    append(writer.as_mut(), [draft("contest/spring", 1)]);
    assert_eq!(ledger.head().unwrap().position, 1);
    cluster.stop();
    cluster.resume();
    assert_eq!(ledger.head().unwrap().position, 1);
    assert_eq!(append(writer.as_mut(), [draft("contest/spring", 2)])[0].position, 2);
}

#[test]
fn whoever_watches_hears_of_what_others_append_and_only_of_that() {
    let address = Cluster::shared().database();
    let (here, there) = (PostgresLedger::open(&address).unwrap(), PostgresLedger::open(&address).unwrap());
    let (wake, woken) = mpsc::channel();
    let watch = here.watch(Box::new(move || wake.send(()).unwrap())).unwrap();
    fill(&here, "contest/spring", 1);
    fill(&there, "contest/spring", 1);
    woken.recv_timeout(AGES).unwrap();
    assert_eq!(woken.try_recv(), Err(mpsc::TryRecvError::Empty), "its own are not told");
    drop(watch);
    fill(&there, "contest/spring", 1);
    assert_eq!(woken.recv_timeout(AGES), Err(mpsc::RecvTimeoutError::Disconnected), "dropped, it is silent");
}

#[test]
fn the_clock_is_the_one_of_the_database() {
    let address = Cluster::shared().database();
    let ledger = PostgresLedger::open(&address).unwrap();
    let mut client = postgres::Client::connect(&address, postgres::NoTls).unwrap();
    let mut theirs = || -> i64 {
        let sql = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
        client.query_one(sql, &[]).unwrap().get(0)
    };
    let before = theirs();
    let clock = ledger.clock().unwrap().unwrap().as_millis();
    assert!((before..=theirs()).contains(&clock));
}
