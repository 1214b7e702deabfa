//! Webhooks: one lease at a time, durable progress, and secrets that stay out of the records.

use assize_kernel::{Millis, Moment};
use assize_ledger::{
    Batch, DeadLetter, Ledger, SqliteLedger, Webhook, WebhookChange, WebhookLease, WebhookProgress,
    WebhookSecret, WebhookStore, export,
};
use tempfile::TempDir;

use crate::stage::{Store, draft, seal};

contract! { [memory sqlite postgres] {
    a_webhook_is_there_with_the_record_that_tells_of_it
    a_turn_that_is_dropped_leaves_no_webhook
    one_process_at_a_time_holds_a_webhook
    a_hold_that_is_over_is_taken_over
    progress_is_written_by_the_holder_alone
    what_is_given_up_is_listed_until_it_is_delivered
    pausing_takes_a_webhook_from_its_holder_and_resuming_starts_anew
    nothing_remains_of_a_webhook_that_is_removed
    a_backup_has_webhooks_and_an_export_has_not
} }

fn webhook(id: &str) -> Webhook {
    Webhook {
        id: id.into(),
        url: "https://example.org/hook".into(),
        topics: vec!["contest".into(), "quest/anna".into()],
        label: Some("the \"wall\"".into()),
        secret: WebhookSecret("whsec_topsecret".into()),
        added: Moment::from_millis(77),
        paused: false,
        progress: WebhookProgress::after(3),
        dead: 0,
    }
}

fn change(ledger: &dyn Ledger, change: WebhookChange) {
    let mut writer = ledger.writer().unwrap();
    let batch = Batch { webhooks: vec![change], ..Batch::default() };
    writer.lock().unwrap().commit(&batch).unwrap();
}

fn add(store: &Store, id: &str) -> Webhook {
    change(store.ledger.as_ref(), WebhookChange::Add(Box::new(webhook(id))));
    webhook(id)
}

/// By the store's own clock, if it has one; else by a time that only this test knows.
fn hold(holder: &str, now: i64, lease: i64) -> WebhookLease {
    WebhookLease { holder: holder.into(), now: Moment::from_millis(now), lease: Millis(lease) }
}

fn dead(webhook: &str, position: u64) -> DeadLetter {
    let error = "answered 500".into();
    DeadLetter { webhook: webhook.into(), position, attempts: 9, at: Moment::from_millis(5), error }
}

fn a_webhook_is_there_with_the_record_that_tells_of_it(store: &Store) {
    let mut writer = store.ledger.writer().unwrap();
    let turn = writer.lock().unwrap();
    let batch = seal(turn.head(), [draft("quest/anna", 1)]);
    let added = ["one", "two"].map(|id| WebhookChange::Add(Box::new(webhook(id))));
    turn.commit(&Batch { webhooks: added.to_vec(), ..batch }).unwrap();
    let again = store.again();
    assert_eq!(again.webhooks(0, 9).unwrap(), [webhook("one"), webhook("two")]);
    assert_eq!(again.webhooks(1, 1).unwrap(), [webhook("two")]);
    assert_eq!(again.webhook("two").unwrap(), Some(webhook("two")));
    assert_eq!(again.webhook("three").unwrap(), None);
    assert!(!format!("{:?}", webhook("one")).contains("topsecret"));
}

fn a_turn_that_is_dropped_leaves_no_webhook(store: &Store) {
    let mut writer = store.ledger.writer().unwrap();
    let mut turn = writer.lock().unwrap();
    let webhooks = vec![WebhookChange::Add(Box::new(webhook("one")))];
    turn.append(&Batch { webhooks, ..Batch::default() }).unwrap();
    drop(turn);
    assert_eq!(store.again().webhooks(0, 9).unwrap(), []);
}

fn one_process_at_a_time_holds_a_webhook(store: &Store) {
    let added = add(store, "one");
    let (first, second) = (&store.ledger, store.again());
    assert_eq!(first.hold_webhook("one", &hold("a", 0, 60_000)).unwrap(), Some(added.clone()));
    assert_eq!(second.hold_webhook("one", &hold("b", 10, 60_000)).unwrap(), None);
    assert_eq!(first.hold_webhook("one", &hold("a", 20, 60_000)).unwrap(), Some(added.clone()));
    second.release_webhook("one", "b").unwrap();
    assert_eq!(second.hold_webhook("one", &hold("b", 30, 60_000)).unwrap(), None);
    first.release_webhook("one", "a").unwrap();
    assert_eq!(second.hold_webhook("one", &hold("b", 40, 60_000)).unwrap(), Some(added));
    assert_eq!(second.hold_webhook("none", &hold("b", 40, 60_000)).unwrap(), None);
}

fn a_hold_that_is_over_is_taken_over(store: &Store) {
    add(store, "one");
    assert!(store.ledger.hold_webhook("one", &hold("a", 0, -1)).unwrap().is_some());
    assert!(store.ledger.hold_webhook("one", &hold("b", 1, 60_000)).unwrap().is_some());
    assert!(!store.ledger.advance_webhook("one", "a", &WebhookProgress::after(9), None).unwrap());
}

fn progress_is_written_by_the_holder_alone(store: &Store) {
    add(store, "one");
    store.ledger.hold_webhook("one", &hold("a", 0, 60_000)).unwrap();
    let progress = WebhookProgress {
        position: 12,
        attempts: 3,
        due: Moment::from_millis(99),
        last_success: Some(Moment::from_millis(50)),
        last_error: Some((Moment::from_millis(60), "answered 503".into())),
    };
    assert!(store.ledger.advance_webhook("one", "a", &progress, None).unwrap());
    assert!(
        !store.ledger.advance_webhook("one", "b", &WebhookProgress::after(1), Some(&dead("one", 4))).unwrap()
    );
    let found = store.again().webhook("one").unwrap().unwrap();
    assert_eq!((found.progress, found.dead), (progress, 0));
}

fn what_is_given_up_is_listed_until_it_is_delivered(store: &Store) {
    add(store, "one");
    let ledger = &store.ledger;
    ledger.hold_webhook("one", &hold("a", 0, 60_000)).unwrap();
    for position in [11, 7] {
        let progress = WebhookProgress::after(position);
        assert!(ledger.advance_webhook("one", "a", &progress, Some(&dead("one", position))).unwrap());
    }
    let again = store.again();
    assert_eq!(again.dead_letters("one", 0, 9).unwrap(), [dead("one", 7), dead("one", 11)]);
    assert_eq!(again.dead_letters("one", 1, 1).unwrap(), [dead("one", 11)]);
    assert_eq!(again.webhook("one").unwrap().unwrap().dead, 2);
    let tried = DeadLetter { attempts: 10, ..dead("one", 7) };
    again.bury_letter(&tried).unwrap();
    again.bury_letter(&dead("nobody", 7)).unwrap();
    assert_eq!(again.dead_letter("one", 7).unwrap(), Some(tried));
    assert_eq!(again.dead_letters("nobody", 0, 9).unwrap(), []);
    again.raise_letter("one", 7).unwrap();
    assert_eq!(ledger.dead_letter("one", 7).unwrap(), None);
    assert_eq!(ledger.webhook("one").unwrap().unwrap().dead, 1);
}

fn pausing_takes_a_webhook_from_its_holder_and_resuming_starts_anew(store: &Store) {
    add(store, "one");
    let ledger = store.ledger.as_ref();
    ledger.hold_webhook("one", &hold("a", 0, 60_000)).unwrap();
    let waiting =
        WebhookProgress { attempts: 4, due: Moment::from_millis(i64::MAX), ..WebhookProgress::after(8) };
    assert!(ledger.advance_webhook("one", "a", &waiting, None).unwrap());
    change(ledger, WebhookChange::Pause("one".into()));
    assert!(ledger.webhook("one").unwrap().unwrap().paused);
    assert!(!ledger.advance_webhook("one", "a", &WebhookProgress::after(9), None).unwrap());
    assert_eq!(ledger.hold_webhook("one", &hold("a", 1, 60_000)).unwrap(), None);
    change(ledger, WebhookChange::Resume("one".into()));
    let held = ledger.hold_webhook("one", &hold("b", 2, 60_000)).unwrap().unwrap();
    assert_eq!((held.progress, held.paused), (WebhookProgress::after(8), false));
}

fn nothing_remains_of_a_webhook_that_is_removed(store: &Store) {
    add(store, "one");
    add(store, "two");
    store.ledger.bury_letter(&dead("one", 7)).unwrap();
    store.ledger.bury_letter(&dead("two", 7)).unwrap();
    change(store.ledger.as_ref(), WebhookChange::Remove("one".into()));
    let again = store.again();
    assert_eq!(again.webhooks(0, 9).unwrap(), [Webhook { dead: 1, ..webhook("two") }]);
    assert_eq!(again.dead_letters("one", 0, 9).unwrap(), []);
    assert_eq!(again.dead_letters("two", 0, 9).unwrap(), [dead("two", 7)]);
}

fn a_backup_has_webhooks_and_an_export_has_not(store: &Store) {
    store.fill("contest/spring", 3);
    add(store, "one");
    store.ledger.bury_letter(&dead("one", 2)).unwrap();
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("copy.db");
    let head = store.ledger.backup(&file).unwrap();
    let copy = SqliteLedger::open_existing(&file).unwrap();
    assert_eq!(copy.head().unwrap(), head);
    assert_eq!(copy.webhooks(0, 9).unwrap(), [Webhook { dead: 1, ..webhook("one") }]);
    assert_eq!(copy.dead_letters("one", 0, 9).unwrap(), [dead("one", 2)]);
    let mut lines = Vec::new();
    export(store.ledger.as_ref(), &mut lines, &mut |_| {}).unwrap();
    assert!(!String::from_utf8(lines).unwrap().contains("whsec"));
}
