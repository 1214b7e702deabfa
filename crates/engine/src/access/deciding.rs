//! Decides access commands: checks them and produces the record and the changes of tokens, users and codes.

use std::collections::BTreeMap;

use assize_kernel::{Actor, Digest, Moment, Refusal, RefusalKind, Role, check_name};
use assize_ledger::{AccessChange, AccessToken, InvitationCode, Ledger, LedgerError, UserAccount};
use serde_json::{Value, json};

use super::{AccessCommand, NewToken, NewUser, Scope, disabling, door, kinds};
use crate::ClerkError;

/// A decided access command: the record to write and the changes to apply with it.
#[derive(Debug)]
pub(crate) struct Ruling {
    pub(crate) kind: &'static str,
    pub(crate) body: String,
    pub(crate) changes: Vec<AccessChange>,
}

/// Tokens, users and codes: those on disk, overridden by changes that are decided and not yet committed.
pub(crate) struct Known<'a> {
    ledger: &'a dyn Ledger,
    /// Oldest first.
    since: Vec<&'a AccessChange>,
}

impl<'a> Known<'a> {
    /// Without pending changes.
    pub(crate) fn on_disk(ledger: &'a dyn Ledger) -> Self {
        Self { ledger, since: Vec::new() }
    }

    /// With pending changes, oldest first.
    pub(crate) fn with(self, since: impl Iterator<Item = &'a AccessChange>) -> Self {
        Self { since: since.collect(), ..self }
    }

    pub(super) fn token(&self, id: &str) -> Result<Option<AccessToken>, LedgerError> {
        let since = self.since.iter().rev().find_map(|change| match change {
            AccessChange::Token(token) if token.id() == id => Some(token.clone()),
            _ => None,
        });
        since.map_or_else(|| self.ledger.token_called(id), |token| Ok(Some(token)))
    }

    fn has_tokens(&self) -> Result<bool, LedgerError> {
        let since = self.since.iter().any(|change| matches!(change, AccessChange::Token(_)));
        if since { Ok(true) } else { self.ledger.has_tokens() }
    }

    fn user(&self, name: &str) -> Result<Option<UserAccount>, LedgerError> {
        let since = self.since.iter().rev().find_map(|change| match change {
            AccessChange::User(user) if user.name == name => Some(user.clone()),
            _ => None,
        });
        since.map_or_else(|| self.ledger.user(name), |user| Ok(Some(user)))
    }

    /// All users, with the pending changes.
    pub(super) fn users(&self) -> Result<Vec<UserAccount>, LedgerError> {
        let mut users: BTreeMap<String, UserAccount> =
            self.ledger.users()?.into_iter().map(|user| (user.name.clone(), user)).collect();
        for change in &self.since {
            if let AccessChange::User(user) = change {
                users.insert(user.name.clone(), user.clone());
            }
        }
        Ok(users.into_values().collect())
    }

    fn code(&self, hash: &Digest) -> Result<Option<InvitationCode>, LedgerError> {
        let since = self.since.iter().rev().find_map(|change| match change {
            AccessChange::Code(code) if code.hash == *hash => Some(code.clone()),
            _ => None,
        });
        since.map_or_else(|| self.ledger.code(hash), |code| Ok(Some(code)))
    }
}

/// Decides an access command. Neither a secret nor its full digest goes into the record.
pub(crate) fn decide(
    command: &AccessCommand,
    at: Moment,
    actor: &Actor,
    known: &Known<'_>,
) -> Result<Ruling, ClerkError> {
    match command {
        AccessCommand::IssueToken(token) => issue_token(token, at, actor),
        AccessCommand::IssueFirstToken(token) => {
            if known.has_tokens()? {
                return Err(conflict("access.token.exists", "somebody has been given a token before"));
            }
            issue_token(token, at, actor)
        }
        AccessCommand::RevokeToken { id } => revoke_token(id, at, known),
        AccessCommand::AddUser(new) => add_user(new, None, at, known),
        AccessCommand::ChangePassword { name, password } => {
            let user = UserAccount { password: password.clone(), ..user_of(name, known)? };
            let changes = vec![AccessChange::User(user), AccessChange::EndSessions(name.clone())];
            Ok(ruling(kinds::PASSWORD_CHANGED, json!({ "name": name }), changes))
        }
        AccessCommand::DisableUser { name } => disabling::disable(name, at, known),
        AccessCommand::EnableUser { name } => disabling::enable(name, known),
        AccessCommand::IssueCode { hash, role, expires } => {
            let (role, scope) = (role.as_str().to_owned(), String::new());
            let code = InvitationCode { hash: *hash, role, scope, expires: *expires, used: None };
            let facts = json!({ "code": called(hash), "role": code.role, "expires": expires });
            Ok(ruling(kinds::CODE_ISSUED, facts, vec![AccessChange::Code(code)]))
        }
        AccessCommand::UseCode { hash, name, password } => use_code(hash, name, password, at, known),
        AccessCommand::OpenDoor { stream } => door::open(stream, at, actor, known),
        AccessCommand::CloseDoor { stream } => door::close(stream, at, known),
    }
}

fn issue_token(new: &NewToken, at: Moment, issuer: &Actor) -> Result<Ruling, ClerkError> {
    check_holder(&new.owner, &new.scope)?;
    if new.scope.participant().is_some_and(|name| name != new.owner.name) {
        let message = format!("a token of `{}` cannot be good for `{}`", new.owner.name, new.scope);
        return Err(malformed("access.scope.invalid", message));
    }
    if new.label.chars().count() > 200 {
        return Err(malformed("access.label.invalid", "a label has at most 200 characters"));
    }
    Ok(give_token(new, at, issuer))
}

/// Issues a token without checking its owner and scope.
pub(crate) fn give_token(new: &NewToken, at: Moment, issuer: &Actor) -> Ruling {
    let token = new.row(at, issuer);
    let facts = json!({
        "id": token.id(), "actor": token.actor, "scope": token.scope, "label": token.label,
        "expires": token.expires,
    });
    ruling(kinds::TOKEN_ISSUED, facts, vec![AccessChange::Token(token)])
}

fn revoke_token(id: &str, at: Moment, known: &Known<'_>) -> Result<Ruling, ClerkError> {
    let token = known.token(id)?.ok_or_else(|| {
        let message = format!("there is no token `{id}`");
        ClerkError::Refused(Refusal::new("access.token.unknown", RefusalKind::Unknown, message))
    })?;
    if token.revoked.is_some() {
        let message = format!("the token `{id}` has been taken back already");
        return Err(conflict("access.token.revoked", message));
    }
    let facts = json!({ "id": id, "actor": token.actor, "scope": token.scope });
    let token = AccessToken { revoked: Some(at), ..token };
    Ok(ruling(kinds::TOKEN_REVOKED, facts, vec![AccessChange::Token(token)]))
}

fn add_user(
    new: &NewUser,
    code: Option<&Digest>,
    at: Moment,
    known: &Known<'_>,
) -> Result<Ruling, ClerkError> {
    let NewUser { name, role, scope, password } = new;
    check_holder(&Actor::new(*role, name.clone()), scope)?;
    if let Some(user) = known.user(name)? {
        let message = match user.disabled {
            None => format!("there is somebody called `{name}` already"),
            Some(_) => format!(
                "there is somebody called `{name}` already, who is disabled; `assize user enable {name}` lets \
                 them log in again"
            ),
        };
        return Err(conflict("access.user.exists", message));
    }
    let mut facts = json!({ "name": name, "role": role, "scope": scope.to_string() });
    if let (Some(code), Some(facts)) = (code, facts.as_object_mut()) {
        facts.insert("code".into(), called(code).into());
    }
    let user = UserAccount {
        name: name.clone(),
        role: role.as_str().to_owned(),
        scope: scope.to_string(),
        password: password.clone(),
        created: at,
        disabled: None,
    };
    Ok(ruling(kinds::USER_ADDED, facts, vec![AccessChange::User(user)]))
}

fn use_code(
    hash: &Digest,
    name: &str,
    password: &str,
    at: Moment,
    known: &Known<'_>,
) -> Result<Ruling, ClerkError> {
    let code = check_code(known.code(hash)?, at)?;
    let role = Role::named(&code.role).ok_or_else(|| ClerkError::Damaged("a code has no role".into()))?;
    let scope = code.scope.parse().map_err(|error| ClerkError::Damaged(format!("a code: {error}")))?;
    let new = NewUser { name: name.to_owned(), role, scope, password: password.to_owned() };
    let mut ruling = add_user(&new, Some(hash), at, known)?;
    ruling.changes.push(AccessChange::Code(InvitationCode { used: Some(at), ..code }));
    Ok(ruling)
}

/// Checks that an invitation code exists, is unused and has not expired.
pub fn check_code(code: Option<InvitationCode>, at: Moment) -> Result<InvitationCode, ClerkError> {
    let wrong = match &code {
        None => "this link is not known here",
        Some(InvitationCode { used: Some(_), .. }) => "this link has been used; log in instead",
        Some(InvitationCode { expires, .. }) if *expires <= at => "this link has expired",
        Some(_) => "",
    };
    let good = code.filter(|_| wrong.is_empty());
    good.ok_or_else(|| {
        ClerkError::Refused(Refusal::new("access.code.invalid", RefusalKind::Forbidden, wrong))
    })
}

/// The user of this name, or a refusal.
pub(super) fn user_of(name: &str, known: &Known<'_>) -> Result<UserAccount, ClerkError> {
    known.user(name)?.ok_or_else(|| {
        let message = format!("there is nobody called `{name}`");
        ClerkError::Refused(Refusal::new("access.user.unknown", RefusalKind::Unknown, message))
    })
}

/// Checks that a token or user may have this name, role and scope.
fn check_holder(holder: &Actor, scope: &Scope) -> Result<(), ClerkError> {
    check_name(&holder.name).map_err(|error| malformed("access.name.invalid", error.to_string()))?;
    match (holder.role, scope) {
        (Role::System, _) => Err(malformed("access.role.invalid", "nobody can be `system` but the engine")),
        (Role::Participant, Scope::Everything | Scope::Court(_)) => {
            let message = "a participant's scope must be its stream, such as `contest/spring`, or what it is \
                           called there, such as `contest/spring/ants`";
            Err(malformed("access.scope.invalid", message))
        }
        (Role::Participant, Scope::Stream(_) | Scope::Participant(..)) => Ok(()),
        (_, Scope::Participant(..)) => {
            let message = format!("`{scope}` is a participant's scope; the role must be `participant`");
            Err(malformed("access.scope.invalid", message))
        }
        _ => Ok(()),
    }
}

pub(super) fn ruling(kind: &'static str, facts: Value, changes: Vec<AccessChange>) -> Ruling {
    let body = Value::Object(std::iter::once((kind.to_owned(), facts)).collect()).to_string();
    Ruling { kind, body, changes }
}

/// The id of a code: a prefix of its digest, as for a token.
fn called(hash: &Digest) -> String {
    hash.to_string().chars().take(12).collect()
}

pub(super) fn conflict(code: &'static str, message: impl Into<String>) -> ClerkError {
    ClerkError::Refused(Refusal::new(code, RefusalKind::Conflict, message))
}

fn malformed(code: &'static str, message: impl Into<String>) -> ClerkError {
    ClerkError::Refused(Refusal::new(code, RefusalKind::Malformed, message))
}
