//! `assize token`: tokens given out, listed and taken back.

use assize_kernel::{Actor, Moment, to_json};
use assize_ledger::Token as Row;
use assize_server::{AccessCommand, NewToken, Secret, system_time};

use crate::args::{self, Token, TokenCommand};
use crate::output::{Failure, say};
use crate::{Done, access, store};

pub(crate) fn run(args: &Token) -> Done {
    match &args.command {
        None => issue(&args.new),
        Some(TokenCommand::List { store, json }) => list(store, *json),
        Some(TokenCommand::Revoke { id, store }) => {
            let ledger = store::open_existing(store)?;
            access::change(&*ledger, &AccessCommand::RevokeToken { id: id.clone() })?;
            say(format_args!("`{id}` is not good any more"))
        }
    }
}

fn issue(wish: &args::NewToken) -> Done {
    let ledger = store::open_existing(&wish.store)?;
    let now = system_time();
    let expires = wish.expires.map(|end| end.from(now));
    if expires.is_some_and(|end| end <= now) {
        return Err(Failure::Use("a token cannot have expired before it is given out".into()));
    }
    let secret = Secret::new().map_err(|error| Failure::Fault(error.to_string()))?;
    let (scope, label) = (wish.scope.clone(), wish.label.clone());
    let owner = Actor::new(wish.role, wish.name.clone());
    let token = NewToken { scope, label, expires, ..NewToken::of(&secret, owner) };
    access::change(&*ledger, &AccessCommand::IssueToken(token))?;
    say(secret.reveal())
}

fn list(store: &args::Store, json: bool) -> Done {
    let ledger = store::open_existing(store)?;
    let mut all: Vec<Row> = Vec::new();
    loop {
        let after = all.last().map(Row::id).unwrap_or_default();
        let page = ledger.tokens(&after, 1_000)?;
        if page.is_empty() {
            break;
        }
        all.extend(page);
    }
    all.sort_by_key(|token| (token.issued, token.id()));
    let now = system_time();
    all.iter().try_for_each(|token| if json { say(as_json(token)) } else { say(as_line(token, now)) })
}

fn as_json(token: &Row) -> String {
    let Row { actor, scope, label, issued, issued_by, expires, revoked, .. } = token;
    to_json(&serde_json::json!({
        "id": token.id(), "actor": actor, "scope": scope, "label": label, "issued": issued,
        "issued_by": issued_by, "expires": expires, "revoked": revoked,
    }))
}

fn as_line(token: &Row, now: Moment) -> String {
    let scope = if token.scope.is_empty() { "everything" } else { &token.scope };
    let state = match (token.revoked, token.expires) {
        (Some(revoked), _) => format!("taken back {revoked}"),
        (None, Some(expires)) if expires <= now => format!("expired {expires}"),
        (None, Some(expires)) => format!("good until {expires}"),
        (None, None) => "good".into(),
    };
    let label = if token.label.is_empty() { String::new() } else { format!("  {}", token.label) };
    format!("{}  {}  {scope}  {}  {state}{label}", token.id(), token.actor, token.issued)
}
