//! Credentials in a PostgreSQL ledger.

use std::collections::BTreeMap;

use ::postgres::{Error, Row};
use assize_kernel::{Digest, Moment};

use super::PostgresLedger;
use super::connect::Connection;
use super::rows::{digest, integer};
use crate::{
    AccessChange, AccessToken, CredentialStore, InvitationCode, LedgerError, UserAccount, UserSession,
};

macro_rules! tokens {
    ($which:literal) => {
        concat!(
            "SELECT hash, actor, scope, label, issued, issued_by, expires, revoked FROM assize.tokens",
            $which
        )
    };
}

const TOKEN: &str = tokens!(" WHERE hash = $1");
const TOKEN_CALLED: &str = tokens!(" WHERE id = $1");
const TOKENS: &str = tokens!(" WHERE id > $1 ORDER BY id LIMIT $2");
const USER: &str = "SELECT name, role, scope, password, created, disabled FROM assize.users WHERE name = $1";
const USERS: &str = "SELECT name, role, scope, password, created, disabled FROM assize.users ORDER BY name";
const CODE: &str = "SELECT hash, role, scope, expires, used FROM assize.codes WHERE hash = $1";
const SESSION: &str = "SELECT hash, name, created, seen, expires FROM assize.sessions WHERE hash = $1";

impl CredentialStore for PostgresLedger {
    fn token(&self, hash: &Digest) -> Result<Option<AccessToken>, LedgerError> {
        self.read(|connection| {
            let statement = connection.prepared(TOKEN)?;
            let row = connection.client.query_opt(&statement, &[&hash.0.as_slice()])?;
            row.as_ref().map(token_row).transpose()
        })
    }

    fn token_called(&self, id: &str) -> Result<Option<AccessToken>, LedgerError> {
        self.read(|connection| {
            connection.client.query_opt(TOKEN_CALLED, &[&id])?.as_ref().map(token_row).transpose()
        })
    }

    fn tokens(&self, after: &str, limit: u64) -> Result<Vec<AccessToken>, LedgerError> {
        self.read(|connection| {
            let rows = connection.client.query(TOKENS, &[&after, &integer(limit)])?;
            rows.iter().map(token_row).collect()
        })
    }

    fn has_tokens(&self) -> Result<bool, LedgerError> {
        self.read(|connection| {
            connection.client.query_one("SELECT EXISTS (SELECT FROM assize.tokens)", &[])?.try_get(0)
        })
    }

    fn user(&self, name: &str) -> Result<Option<UserAccount>, LedgerError> {
        self.read(|connection| {
            let statement = connection.prepared(USER)?;
            connection.client.query_opt(&statement, &[&name])?.as_ref().map(user_row).transpose()
        })
    }

    fn users(&self) -> Result<Vec<UserAccount>, LedgerError> {
        self.read(|connection| connection.client.query(USERS, &[])?.iter().map(user_row).collect())
    }

    fn code(&self, hash: &Digest) -> Result<Option<InvitationCode>, LedgerError> {
        self.read(|connection| {
            let row = connection.client.query_opt(CODE, &[&hash.0.as_slice()])?;
            row.as_ref().map(code_row).transpose()
        })
    }

    fn session(&self, hash: &Digest) -> Result<Option<UserSession>, LedgerError> {
        self.read(|connection| {
            let statement = connection.prepared(SESSION)?;
            let row = connection.client.query_opt(&statement, &[&hash.0.as_slice()])?;
            row.as_ref().map(session_row).transpose()
        })
    }

    fn keep_session(&self, session: &UserSession, new: bool) -> Result<(), LedgerError> {
        let sql = if new {
            "INSERT INTO assize.sessions (hash, name, created, seen, expires) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (hash) DO NOTHING"
        } else {
            "UPDATE assize.sessions SET seen = $4, expires = $5 WHERE hash = $1 AND name = $2 AND created = $3"
        };
        let UserSession { hash, name, created, seen, expires } = session;
        let [created, seen, expires] = [created, seen, expires].map(|moment| moment.as_millis());
        self.write(sql, &[&hash.0.as_slice(), name, &created, &seen, &expires])
    }

    fn end_session(&self, hash: &Digest) -> Result<(), LedgerError> {
        self.write("DELETE FROM assize.sessions WHERE hash = $1", &[&hash.0.as_slice()])
    }

    fn forget_sessions(&self, before: Moment) -> Result<(), LedgerError> {
        self.write("DELETE FROM assize.sessions WHERE expires < $1", &[&before.as_millis()])
    }
}

impl PostgresLedger {
    /// Runs an idempotent statement that is not recorded; it may be retried.
    fn write(&self, sql: &str, values: &[&(dyn ::postgres::types::ToSql + Sync)]) -> Result<(), LedgerError> {
        self.read(|connection| connection.client.execute(sql, values).map(|_| ()))
    }
}

/// All credentials, as changes that would add them.
pub(super) fn all(connection: &mut Connection) -> Result<Vec<AccessChange>, Error> {
    let mut changes = Vec::new();
    for row in connection.client.query(tokens!(""), &[])? {
        changes.push(AccessChange::Token(token_row(&row)?));
    }
    for row in connection.client.query(USERS, &[])? {
        changes.push(AccessChange::User(user_row(&row)?));
    }
    for row in connection.client.query("SELECT hash, role, scope, expires, used FROM assize.codes", &[])? {
        changes.push(AccessChange::Code(code_row(&row)?));
    }
    Ok(changes)
}

/// Applies changes within the transaction of the batch; tokens in one statement, as every participant has
/// one.
pub(super) fn change(connection: &mut Connection, changes: &[AccessChange]) -> Result<(), Error> {
    let mut tokens = BTreeMap::new();
    for change in changes {
        match change {
            // One statement may not update a row twice: the last change of a token counts.
            AccessChange::Token(token) => drop(tokens.insert(token.hash, token)),
            AccessChange::User(user) => put_user(connection, user)?,
            AccessChange::Code(code) => put_code(connection, code)?,
            AccessChange::EndSessions(name) => {
                let sql = "DELETE FROM assize.sessions WHERE name = $1";
                connection.client.execute(sql, &[name])?;
            }
        }
    }
    if tokens.is_empty() { Ok(()) } else { put_tokens(connection, &tokens.into_values().collect::<Vec<_>>()) }
}

fn put_tokens(connection: &mut Connection, tokens: &[&AccessToken]) -> Result<(), Error> {
    let statement = connection.prepared(
        "INSERT INTO assize.tokens (hash, id, actor, scope, label, issued, issued_by, expires, revoked)
         SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[],
            $7::text[], $8::bigint[], $9::bigint[])
         ON CONFLICT (hash) DO UPDATE SET actor = excluded.actor, scope = excluded.scope,
         label = excluded.label, issued = excluded.issued, issued_by = excluded.issued_by,
         expires = excluded.expires, revoked = excluded.revoked",
    )?;
    let hashes: Vec<&[u8]> = tokens.iter().map(|token| token.hash.0.as_slice()).collect();
    let ids: Vec<String> = tokens.iter().map(|token| token.id()).collect();
    let texts =
        |text: fn(&AccessToken) -> &str| tokens.iter().map(|token| text(token)).collect::<Vec<&str>>();
    let times = |time: fn(&AccessToken) -> Option<Moment>| {
        tokens.iter().map(|token| time(token).map(Moment::as_millis)).collect::<Vec<Option<i64>>>()
    };
    connection.client.execute(
        &statement,
        &[
            &hashes,
            &ids,
            &texts(|token| &token.actor),
            &texts(|token| &token.scope),
            &texts(|token| &token.label),
            &times(|token| Some(token.issued)),
            &texts(|token| &token.issued_by),
            &times(|token| token.expires),
            &times(|token| token.revoked),
        ],
    )?;
    Ok(())
}

fn put_user(connection: &mut Connection, user: &UserAccount) -> Result<(), Error> {
    let UserAccount { name, role, scope, password, created, disabled } = user;
    let sql = "INSERT INTO assize.users (name, role, scope, password, created, disabled)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (name) DO UPDATE SET role = excluded.role, scope = excluded.scope,
         password = excluded.password, created = excluded.created, disabled = excluded.disabled";
    let created = created.as_millis();
    let disabled = disabled.map(Moment::as_millis);
    connection.client.execute(sql, &[name, role, scope, password, &created, &disabled])?;
    Ok(())
}

fn put_code(connection: &mut Connection, code: &InvitationCode) -> Result<(), Error> {
    let InvitationCode { hash, role, scope, expires, used } = code;
    let sql = "INSERT INTO assize.codes (hash, role, scope, expires, used) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (hash) DO UPDATE SET role = excluded.role, scope = excluded.scope,
         expires = excluded.expires, used = excluded.used";
    let expires = expires.as_millis();
    let used = used.map(Moment::as_millis);
    connection.client.execute(sql, &[&hash.0.as_slice(), role, scope, &expires, &used])?;
    Ok(())
}

fn token_row(row: &Row) -> Result<AccessToken, Error> {
    Ok(AccessToken {
        hash: digest(row.try_get(0)?),
        actor: row.try_get(1)?,
        scope: row.try_get(2)?,
        label: row.try_get(3)?,
        issued: Moment::from_millis(row.try_get(4)?),
        issued_by: row.try_get(5)?,
        expires: maybe(row, 6)?,
        revoked: maybe(row, 7)?,
    })
}

fn user_row(row: &Row) -> Result<UserAccount, Error> {
    Ok(UserAccount {
        name: row.try_get(0)?,
        role: row.try_get(1)?,
        scope: row.try_get(2)?,
        password: row.try_get(3)?,
        created: Moment::from_millis(row.try_get(4)?),
        disabled: maybe(row, 5)?,
    })
}

fn code_row(row: &Row) -> Result<InvitationCode, Error> {
    Ok(InvitationCode {
        hash: digest(row.try_get(0)?),
        role: row.try_get(1)?,
        scope: row.try_get(2)?,
        expires: Moment::from_millis(row.try_get(3)?),
        used: maybe(row, 4)?,
    })
}

fn session_row(row: &Row) -> Result<UserSession, Error> {
    Ok(UserSession {
        hash: digest(row.try_get(0)?),
        name: row.try_get(1)?,
        created: Moment::from_millis(row.try_get(2)?),
        seen: Moment::from_millis(row.try_get(3)?),
        expires: Moment::from_millis(row.try_get(4)?),
    })
}

fn maybe(row: &Row, column: usize) -> Result<Option<Moment>, Error> {
    Ok(row.try_get::<_, Option<i64>>(column)?.map(Moment::from_millis))
}
