//! Credentials: written in one transaction with the record of the change.

use assize_kernel::{Digest, Moment};
use assize_ledger::{AccessChange, AccessToken, Batch, InvitationCode, Ledger, UserAccount, UserSession};

use crate::stage::{Store, draft, seal};

contract! { [memory sqlite postgres] {
    a_token_is_known_by_its_digest_and_by_its_name
    tokens_are_listed_page_by_page
    a_later_row_takes_the_place_of_the_one_before
    people_are_found_by_name
    a_code_is_found_until_and_after_it_is_used
    a_session_lasts_until_it_is_ended
    whoever_is_shut_out_is_logged_out_everywhere
    a_change_whose_record_is_not_committed_has_not_happened
} }

pub(crate) fn token(secret: &str) -> AccessToken {
    AccessToken {
        hash: Digest::of(secret.as_bytes()),
        actor: "admin:organiser".into(),
        scope: "contest/spring".into(),
        label: "the projector".into(),
        issued: Moment::from_millis(1),
        issued_by: "admin:anna".into(),
        expires: Some(Moment::from_millis(99)),
        revoked: None,
    }
}

pub(crate) fn user(name: &str) -> UserAccount {
    UserAccount {
        name: name.into(),
        role: "judge".into(),
        scope: "contest".into(),
        password: "$argon2id$…".into(),
        created: Moment::from_millis(5),
        disabled: None,
    }
}

pub(crate) fn code(secret: &str) -> InvitationCode {
    InvitationCode {
        hash: Digest::of(secret.as_bytes()),
        role: "admin".into(),
        scope: String::new(),
        expires: Moment::from_millis(7),
        used: None,
    }
}

fn session(secret: &str, name: &str) -> UserSession {
    UserSession {
        hash: Digest::of(secret.as_bytes()),
        name: name.into(),
        created: Moment::from_millis(10),
        seen: Moment::from_millis(10),
        expires: Moment::from_millis(100),
    }
}

/// Writes changes together with a record.
fn change(ledger: &dyn Ledger, access: Vec<AccessChange>) {
    let version = ledger.version("assize/access").unwrap() + 1;
    let mut writer = ledger.writer().unwrap();
    let turn = writer.lock().unwrap();
    let batch = seal(turn.head(), [draft("assize/access", version)]);
    turn.commit(&Batch { access, ..batch }).unwrap();
}

fn a_token_is_known_by_its_digest_and_by_its_name(store: &Store) {
    assert!(!store.ledger.has_tokens().unwrap());
    let (short, endless) = (token("one"), AccessToken { expires: None, ..token("two") });
    change(&*store.ledger, vec![AccessChange::Token(short.clone()), AccessChange::Token(endless.clone())]);
    let ledger = store.again();
    assert!(ledger.has_tokens().unwrap());
    assert_eq!(short.id(), short.hash.to_string()[..12]);
    for token in [short, endless] {
        assert_eq!(ledger.token(&token.hash).unwrap().as_ref(), Some(&token));
        assert_eq!(ledger.token_called(&token.id()).unwrap(), Some(token));
    }
    assert_eq!(ledger.token(&Digest::of(b"three")).unwrap(), None);
    assert_eq!(ledger.token_called("no such").unwrap(), None);
}

fn tokens_are_listed_page_by_page(store: &Store) {
    let mut all: Vec<AccessToken> = (0..25).map(|number| token(&number.to_string())).collect();
    change(&*store.ledger, all.iter().cloned().map(AccessChange::Token).collect());
    all.sort_by_key(AccessToken::id);
    let mut listed = Vec::new();
    loop {
        let after = listed.last().map(AccessToken::id).unwrap_or_default();
        let page = store.ledger.tokens(&after, 10).unwrap();
        if page.is_empty() {
            break;
        }
        assert!(page.len() <= 10);
        listed.extend(page);
    }
    assert_eq!(listed, all);
}

fn a_later_row_takes_the_place_of_the_one_before(store: &Store) {
    let (first, user) = (token("one"), user("anna"));
    change(&*store.ledger, vec![AccessChange::Token(first.clone()), AccessChange::User(user.clone())]);
    let revoked = AccessToken { revoked: Some(Moment::from_millis(3)), ..first.clone() };
    let other = UserAccount { disabled: Some(Moment::from_millis(4)), ..user };
    let rows = vec![
        AccessChange::Token(first),
        AccessChange::Token(revoked.clone()),
        AccessChange::User(other.clone()),
    ];
    change(&*store.ledger, rows);
    let ledger = store.again();
    assert_eq!(ledger.tokens("", 9).unwrap(), [revoked]);
    assert_eq!(ledger.users().unwrap(), [other]);
}

fn people_are_found_by_name(store: &Store) {
    let added = ["bert", "anna"].map(|name| AccessChange::User(user(name)));
    change(&*store.ledger, added.to_vec());
    let ledger = store.again();
    assert_eq!(ledger.user("anna").unwrap(), Some(user("anna")));
    assert_eq!(ledger.user("ann").unwrap(), None);
    assert_eq!(ledger.users().unwrap(), [user("anna"), user("bert")]);
    assert!(!format!("{:?}", user("anna")).contains("argon2"), "no digest in a log");
}

fn a_code_is_found_until_and_after_it_is_used(store: &Store) {
    let (fresh, at) = (code("once"), Moment::from_millis(6));
    change(&*store.ledger, vec![AccessChange::Code(fresh.clone())]);
    assert_eq!(store.again().code(&fresh.hash).unwrap(), Some(fresh.clone()));
    let used = InvitationCode { used: Some(at), ..fresh };
    change(&*store.ledger, vec![AccessChange::Code(used.clone())]);
    assert_eq!(store.again().code(&used.hash).unwrap(), Some(used));
}

fn a_session_lasts_until_it_is_ended(store: &Store) {
    let (one, two) = (session("one", "anna"), session("two", "anna"));
    store.ledger.keep_session(&one, true).unwrap();
    store.ledger.keep_session(&two, true).unwrap();
    let later =
        UserSession { seen: Moment::from_millis(50), expires: Moment::from_millis(150), ..one.clone() };
    store.ledger.keep_session(&later, false).unwrap();
    let ledger = store.again();
    assert_eq!(ledger.session(&one.hash).unwrap(), Some(later.clone()));
    ledger.forget_sessions(Moment::from_millis(101)).unwrap();
    assert_eq!(ledger.session(&two.hash).unwrap(), None);
    ledger.end_session(&one.hash).unwrap();
    store.ledger.keep_session(&later, false).unwrap();
    assert_eq!(ledger.session(&one.hash).unwrap(), None, "one that was ended is not kept going");
}

fn whoever_is_shut_out_is_logged_out_everywhere(store: &Store) {
    for (secret, name) in [("one", "anna"), ("two", "anna"), ("three", "bert")] {
        store.ledger.keep_session(&session(secret, name), true).unwrap();
    }
    change(&*store.ledger, vec![AccessChange::EndSessions("anna".into())]);
    let there = |secret: &str| store.ledger.session(&Digest::of(secret.as_bytes())).unwrap().is_some();
    assert_eq!(["one", "two", "three"].map(there), [false, false, true]);
}

fn a_change_whose_record_is_not_committed_has_not_happened(store: &Store) {
    let mut writer = store.ledger.writer().unwrap();
    let mut turn = writer.lock().unwrap();
    let batch = seal(turn.head(), [draft("assize/access", 1)]);
    let access = vec![AccessChange::Token(token("one")), AccessChange::User(user("anna"))];
    turn.append(&Batch { access, ..batch }).unwrap();
    drop(turn);
    assert!(!store.ledger.has_tokens().unwrap());
    assert_eq!(store.ledger.users().unwrap(), []);
}
