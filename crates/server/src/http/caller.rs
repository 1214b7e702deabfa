//! Who is asking: bearer tokens, kept as digests beside the ledger.

use assize_kernel::{Actor, Digest, Draft, Moment, Role, StreamId};
use assize_ledger::{Ledger, LedgerError, Token};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};

use super::problem::Problem;
use super::visit::Visit;
use super::{App, blocking};
use crate::live::Ear;

/// Somebody with a good token.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    pub(super) actor: Actor,
    /// The stream the token is good for; empty for all.
    scope: String,
    /// The digest of the token, and until when it is good.
    pub(super) token: Digest,
    pub(super) expires: Option<Moment>,
}

impl Caller {
    pub(super) fn must_be_admin(&self) -> Result<(), Problem> {
        if self.actor.role == Role::Admin {
            Ok(())
        } else {
            Err(Problem::forbidden("this needs an admin's token"))
        }
    }

    /// Whether they may see what the public may not, in a stream.
    pub(super) fn judges(&self, stream: &StreamId) -> bool {
        let here = self.scope.is_empty() || self.scope == stream.as_str() || self.scope == stream.court();
        here && matches!(self.actor.role, Role::Admin | Role::Judge)
    }

    /// Whether a record may be shown: to admins and judges, and to whoever did it.
    pub(super) fn may_see(&self, record: &Draft) -> bool {
        let own = record.actor == self.actor.to_string() && record.stream.as_str() == self.scope;
        own || matches!(self.actor.role, Role::Admin | Role::Judge)
    }

    /// How much of what is told of a stream they may hear.
    pub(super) fn ear(&self, stream: &StreamId) -> Ear {
        let here = self.scope.is_empty() || self.scope == stream.as_str();
        match self.actor.role {
            Role::Admin | Role::Judge if here => Ear::All,
            Role::Participant if self.scope == stream.as_str() => {
                Ear::Participant(self.actor.name.as_str().into())
            }
            _ => Ear::Public,
        }
    }

    /// The participant this caller may act for in a stream: itself, or whom an admin names.
    pub(super) fn acts_for(&self, stream: &StreamId, named: Option<&str>) -> Result<String, Problem> {
        match (self.actor.role, named) {
            (Role::Admin, Some(named)) => Ok(named.to_owned()),
            (Role::Admin, None) => {
                Err(Problem::malformed("`team_id` is missing: an admin's token is no team's"))
            }
            (Role::Participant, named) => {
                if self.scope != stream.as_str() {
                    return Err(Problem::forbidden(format!("this token is not for {stream}")));
                }
                match named {
                    Some(named) if named != self.actor.name => {
                        Err(Problem::forbidden(format!("this token is not `{named}`'s")))
                    }
                    _ => Ok(self.actor.name.clone()),
                }
            }
            _ => Err(Problem::forbidden("this needs a team's token")),
        }
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let unknown = |detail: &str| Problem::new(StatusCode::UNAUTHORIZED, "access.unknown_token", detail);
        let secret = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let secret = secret.and_then(|value| value.split_once(' '));
        let secret = secret
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, secret)| secret.trim());
        let secret = secret.ok_or_else(|| unknown("send a token as `Authorization: Bearer …`"))?;
        let hash = Digest::of(secret.as_bytes());
        let found = match app.known_token(&hash) {
            Some(token) => Some(token),
            None => blocking(app, move |app| Ok(app.ledger.token(&hash)?))
                .await?
                .inspect(|token| app.remember(token)),
        };
        let now = app.clerk.now();
        let found = found.filter(|token| token.revoked.is_none());
        let token = found.filter(|token| token.expires.is_none_or(|expires| now < expires));
        let token = token.ok_or_else(|| unknown("this token is not known here, or has expired"))?;
        let actor: Actor = token.actor.parse().map_err(|error| Problem::internal(&format!("{error}")))?;
        Visit::note_role(actor.role);
        Ok(Self { actor, scope: token.scope, token: token.hash, expires: token.expires })
    }
}

/// Makes a new secret for somebody and remembers its digest; the secret itself is kept nowhere.
///
/// # Errors
/// When the ledger's side table cannot be written.
pub fn issue_token(ledger: &dyn Ledger, actor: &Actor, scope: &str) -> Result<String, LedgerError> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| LedgerError::Unavailable(format!("no random bytes: {error}")))?;
    let secret = Digest(bytes).to_string();
    let hash = Digest::of(secret.as_bytes());
    let token = Token {
        hash,
        actor: actor.to_string(),
        scope: scope.to_owned(),
        label: String::new(),
        issued: crate::system_time(),
        issued_by: String::new(),
        expires: None,
        revoked: None,
    };
    assize_ledger::admit(ledger, token)?;
    Ok(secret)
}
