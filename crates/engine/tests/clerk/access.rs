//! Access changes: decided in order, and written in one transaction with their records.

use std::sync::Arc;
use std::time::Duration;

use assize_engine::{
    AccessCommand, Answer, ClerkError, NewToken, NewUser, Petition, Scope, Secret, change_access,
};
use assize_kernel::{Actor, Millis, Moment, Role};
use assize_ledger::{Ledger, SqliteLedger, verify};

use crate::bench::{Working, add, key, kinds, new, over, petition, records};
use crate::tally::TallyCommand::Open;

fn token(secret: &str) -> NewToken {
    NewToken::of(&Secret::shown(secret), Actor::new(Role::Judge, "anna"))
}

fn user(name: &str) -> AccessCommand {
    AccessCommand::AddUser(NewUser {
        name: name.to_owned(),
        role: Role::Judge,
        scope: Scope::Everything,
        password: "$argon2id$…".to_owned(),
    })
}

fn asking(working: &Working, command: AccessCommand) -> Petition {
    Petition::for_access(command, Actor::new(Role::Admin, "tester"), working.clerk.now())
}

async fn change(working: &Working, command: AccessCommand) -> Result<Answer, ClerkError> {
    working.clerk.submit(asking(working, command)).await
}

fn code_of(outcome: Result<Answer, ClerkError>) -> String {
    match outcome {
        Err(ClerkError::Refused(refusal)) => refusal.code.into_owned(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_token_and_its_record_are_there_together() {
    let (ledger, working) = new();
    let answer = change(&working, AccessCommand::IssueToken(token("one"))).await.unwrap();
    let draft = &answer.records[0].draft;
    assert_eq!((draft.stream.as_str(), draft.version, draft.edition), ("assize/access", 1, 0));
    let row = ledger.token(&Secret::shown("one").hash()).unwrap().unwrap();
    assert_eq!((row.actor.as_str(), row.issued_by.as_str()), ("judge:anna", "admin:tester"));
    assert!(draft.body.contains(&row.id()) && !draft.body.contains(&row.hash.to_string()), "{}", draft.body);
    assert_eq!(working.clerk.revocations(), 0, "nothing was revoked");

    change(&working, AccessCommand::RevokeToken { id: row.id() }).await.unwrap();
    assert!(ledger.token(&row.hash).unwrap().unwrap().revoked.is_some());
    assert_eq!(working.clerk.revocations(), 1);
    let again = change(&working, AccessCommand::RevokeToken { id: row.id() }).await;
    assert_eq!(code_of(again), "access.token.revoked");
    let unknown = change(&working, AccessCommand::RevokeToken { id: "none".into() }).await;
    assert_eq!(code_of(unknown), "access.token.unknown");
    assert_eq!(kinds(&*ledger), ["TokenIssued", "TokenRevoked"]);
}

#[tokio::test]
async fn a_token_that_comes_with_a_petition_is_given_out_unless_it_is_refused() {
    let (ledger, working) = new();
    let opening = Petition { token: Some(token("one")), ..petition(&working.clerk, "a", Open) };
    let answer = working.clerk.submit(opening).await.unwrap();
    assert_eq!(&*answer.records.last().unwrap().draft.kind, "Opened", "the answer is about what was asked");
    assert_eq!(kinds(&*ledger), ["Opened", "RulebookEntered", "TokenIssued"]);
    let refused = Petition { token: Some(token("two")), ..petition(&working.clerk, "a", add("ann", 101)) };
    working.clerk.submit(refused).await.unwrap_err();
    assert!(ledger.token(&Secret::shown("one").hash()).unwrap().is_some());
    assert!(ledger.token(&Secret::shown("two").hash()).unwrap().is_none());
}

#[tokio::test]
async fn of_two_who_want_the_same_name_one_gets_it() {
    let (ledger, working) = new();
    let (one, two) = tokio::join!(change(&working, user("anna")), change(&working, user("anna")));
    assert_eq!([one.is_ok(), two.is_ok()].iter().filter(|ok| **ok).count(), 1);
    assert_eq!(code_of(if one.is_ok() { two } else { one }), "access.user.exists");
    assert_eq!(kinds(&*ledger), ["UserAdded"]);
}

#[tokio::test]
async fn of_two_admins_who_are_disabled_at_once_one_stays() {
    let (ledger, working) = new();
    let admin = |name: &str, scope: &str| {
        let scope = scope.parse().unwrap();
        let password = "$argon2id$…".to_owned();
        AccessCommand::AddUser(NewUser { name: name.to_owned(), role: Role::Admin, scope, password })
    };
    let disable = |name: &str| AccessCommand::DisableUser { name: name.to_owned() };
    change(&working, admin("anna", "")).await.unwrap();
    change(&working, admin("bert", "")).await.unwrap();
    change(&working, admin("carl", "contest/spring")).await.unwrap();
    let (one, two) = tokio::join!(change(&working, disable("anna")), change(&working, disable("bert")));
    assert_eq!([one.is_ok(), two.is_ok()].iter().filter(|ok| **ok).count(), 1);
    assert_eq!(code_of(if one.is_ok() { two } else { one }), "access.user.last_admin");
    change(&working, disable("carl")).await.unwrap();
    let enabled = ledger.users().unwrap().into_iter().filter(|user| user.disabled.is_none()).count();
    assert_eq!(enabled, 1);
}

#[tokio::test]
async fn of_two_processes_that_disable_the_last_two_admins_one_is_refused() {
    let (ledger, one) = new();
    let two = over(&ledger);
    let disable = |name: &str| AccessCommand::DisableUser { name: name.to_owned() };
    for name in ["anna", "bert"] {
        let password = "$argon2id$…".to_owned();
        let new = NewUser { name: name.into(), role: Role::Admin, scope: Scope::Everything, password };
        change(&one, AccessCommand::AddUser(new)).await.unwrap();
    }
    let (first, second) = tokio::join!(change(&one, disable("anna")), change(&two, disable("bert")));
    assert_eq!([first.is_ok(), second.is_ok()].iter().filter(|ok| **ok).count(), 1);
    assert_eq!(code_of(if first.is_ok() { second } else { first }), "access.user.last_admin");
}

#[tokio::test]
async fn a_code_is_good_once_and_for_a_while() {
    let (ledger, working) = new();
    let code = |secret: &str| Secret::shown(secret).hash();
    let issue = |secret: &str, expires: Moment| AccessCommand::IssueCode {
        hash: code(secret),
        role: Role::Admin,
        expires,
    };
    let take = |secret: &str, name: &str| AccessCommand::UseCode {
        hash: code(secret),
        name: name.into(),
        password: "$argon2id$…".into(),
    };
    let now = working.clerk.now();
    change(&working, issue("good", now + Millis(60_000))).await.unwrap();
    change(&working, issue("old", now)).await.unwrap();
    assert_eq!(code_of(change(&working, take("old", "bert")).await), "access.code.invalid");
    assert_eq!(code_of(change(&working, take("none", "bert")).await), "access.code.invalid");
    assert_eq!(code_of(change(&working, take("good", "no good")).await), "access.name.invalid");
    let (one, two) =
        tokio::join!(change(&working, take("good", "anna")), change(&working, take("good", "bert")));
    assert!(one.is_ok() && two.is_err());
    assert_eq!(ledger.users().unwrap().len(), 1);
    assert_eq!(ledger.user("anna").unwrap().unwrap().role, "admin");
}

#[tokio::test]
async fn a_repeated_request_changes_nothing_more() {
    let (ledger, working) = new();
    let ask = |secret: &str| Petition {
        key: key("k", "the same"),
        ..asking(&working, AccessCommand::IssueToken(token(secret)))
    };
    let first = working.clerk.submit(ask("one")).await.unwrap();
    let second = working.clerk.submit(ask("two")).await.unwrap();
    assert!(second.repeated && second.records == first.records);
    assert!(ledger.token(&Secret::shown("two").hash()).unwrap().is_none(), "its secret is nobody's");
}

#[tokio::test]
async fn changes_by_several_clerks_and_from_outside_keep_one_order() {
    let (ledger, one) = new();
    let two = over(&ledger);
    let outside = Actor::new(Role::Admin, "command-line");
    for number in 0..10 {
        change(&one, user(&format!("one-{number}"))).await.unwrap();
        change(&two, user(&format!("two-{number}"))).await.unwrap();
        change_access(&*ledger, &user(&format!("out-{number}")), one.clerk.now(), &outside).unwrap();
        assert_eq!(code_of(change(&one, user(&format!("two-{number}"))).await), "access.user.exists");
        assert_eq!(code_of(change(&two, user(&format!("out-{number}"))).await), "access.user.exists");
    }
    let versions: Vec<u64> = records(&*ledger).iter().map(|record| record.draft.version).collect();
    assert_eq!(versions, (1..=30).collect::<Vec<_>>());
    assert!(verify(&*ledger, &mut |_| {}).unwrap().problems.is_empty());
}

#[tokio::test]
async fn a_revocation_by_another_process_is_noticed() {
    let (ledger, one) = new();
    let two = over(&ledger);
    change(&one, AccessCommand::IssueToken(token("one"))).await.unwrap();
    let id = ledger.token(&Secret::shown("one").hash()).unwrap().unwrap().id();
    change(&one, AccessCommand::RevokeToken { id }).await.unwrap();
    two.hear("a", Open).await.unwrap();
    assert_eq!(two.clerk.revocations(), 1, "it has followed what the other wrote");
}

#[tokio::test]
async fn a_change_that_never_reached_the_disk_has_not_happened() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("ledger.db");
    let patience = Duration::from_millis(200);
    let ledger: Arc<dyn Ledger> = Arc::new(SqliteLedger::open_patiently(&file, patience).unwrap());
    let working = over(&ledger);
    change(&working, user("anna")).await.unwrap();
    let mut writer = ledger.writer().unwrap();
    let turn = writer.lock().unwrap();
    assert!(matches!(change(&working, user("bert")).await, Err(ClerkError::Unavailable(_))));
    drop(turn);
    assert!(ledger.user("bert").unwrap().is_none());
    let answer = change(&working, user("bert")).await.unwrap();
    assert_eq!(answer.records[0].draft.version, 2, "the version of the lost batch is used again");
}

#[tokio::test]
async fn the_origin_of_every_request_is_stored() {
    let (ledger, working) = new();
    let origin = Some("192.0.2.7 r-1".into());
    working.clerk.submit(Petition { origin, ..petition(&working.clerk, "a", Open) }).await.unwrap();
    working.hear("a", add("ann", 1)).await.unwrap();
    let origin = Some("192.0.2.8 r-2".into());
    working.clerk.submit(Petition { origin, ..asking(&working, user("anna")) }).await.unwrap();
    let found = ledger.origins(1, 9).unwrap();
    let expected = [(1, "192.0.2.7 r-1"), (2, "192.0.2.7 r-1"), (4, "192.0.2.8 r-2")];
    assert_eq!(found, expected.map(|(position, origin)| (position, origin.to_owned())));
}
