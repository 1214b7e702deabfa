//! `assize token`: issue, list and revoke tokens.

use assize_engine::{AccessCommand, NewToken, Secret, system_time};
use assize_kernel::{Actor, Moment, to_json};
use assize_ledger::AccessToken;

use crate::args::{self, TokenArgs, TokenCommand};
use crate::output::{Failure, say};
use crate::{CommandResult, access, store};

pub(crate) fn run(args: &TokenArgs) -> CommandResult {
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

fn issue(wish: &args::NewTokenArgs) -> CommandResult {
    let ledger = store::open_existing(&wish.store)?;
    let now = system_time();
    let expires = wish.expires.map(|end| end.from(now));
    if expires.is_some_and(|end| end <= now) {
        return Err(Failure::Use("a token cannot have expired before it is given out".into()));
    }
    let secret = Secret::new().map_err(|error| Failure::Fault(error.to_string()))?;
    let scope = wish.scope.clone();
    let label = wish.label.clone();
    let owner = Actor::new(wish.role, wish.name.clone());
    let token = NewToken { scope, label, expires, ..NewToken::of(&secret, owner) };
    access::change(&*ledger, &AccessCommand::IssueToken(token))?;
    say(secret.reveal())
}

fn list(store: &args::StoreArgs, json: bool) -> CommandResult {
    let ledger = store::open_existing(store)?;
    let mut all: Vec<AccessToken> = Vec::new();
    loop {
        let after = all.last().map(AccessToken::id).unwrap_or_default();
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

fn as_json(token: &AccessToken) -> String {
    let AccessToken { actor, scope, label, issued, issued_by, expires, revoked, .. } = token;
    to_json(&serde_json::json!({
        "id": token.id(), "actor": actor, "scope": scope, "label": label, "issued": issued,
        "issued_by": issued_by, "expires": expires, "revoked": revoked,
    }))
}

fn as_line(token: &AccessToken, now: Moment) -> String {
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
