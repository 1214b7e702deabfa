//! Credentials in a SQLite ledger.

use assize_kernel::{Digest, Moment};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::SqliteLedger;
use super::rows::integer;
use crate::{
    AccessChange, AccessToken, CredentialStore, InvitationCode, LedgerError, UserAccount, UserSession,
};

const TOKEN: &str = "SELECT hash, actor, scope, label, issued, issued_by, expires, revoked FROM tokens";
const USER: &str = "SELECT name, role, scope, password, created, disabled FROM users";

impl CredentialStore for SqliteLedger {
    fn token(&self, hash: &Digest) -> Result<Option<AccessToken>, LedgerError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!("{TOKEN} WHERE hash = ?1"))?;
            statement.query_row([&hash.0], token_row).optional()
        })
    }

    fn token_called(&self, id: &str) -> Result<Option<AccessToken>, LedgerError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!("{TOKEN} WHERE id = ?1"))?;
            statement.query_row([id], token_row).optional()
        })
    }

    fn tokens(&self, after: &str, limit: u64) -> Result<Vec<AccessToken>, LedgerError> {
        self.read(|connection| {
            let sql = format!("{TOKEN} WHERE id > ?1 ORDER BY id LIMIT ?2");
            connection.prepare_cached(&sql)?.query_map(params![after, integer(limit)], token_row)?.collect()
        })
    }

    fn has_tokens(&self) -> Result<bool, LedgerError> {
        self.read(|connection| {
            connection.query_row("SELECT EXISTS (SELECT 1 FROM tokens)", [], |row| row.get(0))
        })
    }

    fn user(&self, name: &str) -> Result<Option<UserAccount>, LedgerError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!("{USER} WHERE name = ?1"))?;
            statement.query_row([name], user_row).optional()
        })
    }

    fn users(&self) -> Result<Vec<UserAccount>, LedgerError> {
        self.read(|connection| {
            connection.prepare_cached(&format!("{USER} ORDER BY name"))?.query_map([], user_row)?.collect()
        })
    }

    fn code(&self, hash: &Digest) -> Result<Option<InvitationCode>, LedgerError> {
        self.read(|connection| {
            let sql = "SELECT hash, role, scope, expires, used FROM codes WHERE hash = ?1";
            connection.prepare_cached(sql)?.query_row([&hash.0], code_row).optional()
        })
    }

    fn session(&self, hash: &Digest) -> Result<Option<UserSession>, LedgerError> {
        self.read(|connection| {
            let sql = "SELECT hash, name, created, seen, expires FROM sessions WHERE hash = ?1";
            connection.prepare_cached(sql)?.query_row([&hash.0], session_row).optional()
        })
    }

    fn keep_session(&self, session: &UserSession, new: bool) -> Result<(), LedgerError> {
        let sql = if new {
            "INSERT INTO sessions (hash, name, created, seen, expires) VALUES (?1, ?2, ?3, ?4, ?5)"
        } else {
            "UPDATE sessions SET seen = ?4, expires = ?5 WHERE hash = ?1 AND name = ?2 AND created = ?3"
        };
        let UserSession { hash, name, created, seen, expires } = session;
        let [created, seen, expires] = [created, seen, expires].map(|moment| moment.as_millis());
        self.write(|connection| connection.execute(sql, params![hash.0, name, created, seen, expires]))
    }

    fn end_session(&self, hash: &Digest) -> Result<(), LedgerError> {
        self.write(|connection| connection.execute("DELETE FROM sessions WHERE hash = ?1", [&hash.0]))
    }

    fn forget_sessions(&self, before: Moment) -> Result<(), LedgerError> {
        let sql = "DELETE FROM sessions WHERE expires < ?1";
        self.write(|connection| connection.execute(sql, [before.as_millis()]))
    }
}

impl SqliteLedger {
    /// Runs a statement that is not recorded, on a new connection because it is rare.
    fn write<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<(), LedgerError> {
        let connection = self.file.writer()?;
        work(&connection).map(|_| ()).map_err(|error| self.file.explain(&error))
    }
}

/// Applies changes within the transaction of the batch.
pub(super) fn change(connection: &Connection, changes: &[AccessChange]) -> rusqlite::Result<()> {
    for change in changes {
        match change {
            AccessChange::Token(token) => put_token(connection, token)?,
            AccessChange::User(user) => put_user(connection, user)?,
            AccessChange::Code(code) => put_code(connection, code)?,
            AccessChange::EndSessions(name) => {
                connection.execute("DELETE FROM sessions WHERE name = ?1", [name])?;
            }
        }
    }
    Ok(())
}

fn put_token(connection: &Connection, token: &AccessToken) -> rusqlite::Result<()> {
    let AccessToken { hash, actor, scope, label, issued, issued_by, expires, revoked } = token;
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO tokens (hash, id, actor, scope, label, issued, issued_by, expires, revoked)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    let [expires, revoked] = [expires, revoked].map(|moment| moment.map(Moment::as_millis));
    let issued = issued.as_millis();
    let hash = hash.0;
    let id = token.id();
    statement.execute(params![hash, id, actor, scope, label, issued, issued_by, expires, revoked])?;
    Ok(())
}

fn put_user(connection: &Connection, user: &UserAccount) -> rusqlite::Result<()> {
    let UserAccount { name, role, scope, password, created, disabled } = user;
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO users (name, role, scope, password, created, disabled)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let disabled = disabled.map(Moment::as_millis);
    statement.execute(params![name, role, scope, password, created.as_millis(), disabled])?;
    Ok(())
}

fn put_code(connection: &Connection, code: &InvitationCode) -> rusqlite::Result<()> {
    let InvitationCode { hash, role, scope, expires, used } = code;
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO codes (hash, role, scope, expires, used) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    let used = used.map(Moment::as_millis);
    statement.execute(params![hash.0, role, scope, expires.as_millis(), used])?;
    Ok(())
}

fn token_row(row: &Row<'_>) -> rusqlite::Result<AccessToken> {
    Ok(AccessToken {
        hash: Digest(row.get(0)?),
        actor: row.get(1)?,
        scope: row.get(2)?,
        label: row.get(3)?,
        issued: Moment::from_millis(row.get(4)?),
        issued_by: row.get(5)?,
        expires: maybe(row, 6)?,
        revoked: maybe(row, 7)?,
    })
}

fn user_row(row: &Row<'_>) -> rusqlite::Result<UserAccount> {
    Ok(UserAccount {
        name: row.get(0)?,
        role: row.get(1)?,
        scope: row.get(2)?,
        password: row.get(3)?,
        created: Moment::from_millis(row.get(4)?),
        disabled: maybe(row, 5)?,
    })
}

fn code_row(row: &Row<'_>) -> rusqlite::Result<InvitationCode> {
    Ok(InvitationCode {
        hash: Digest(row.get(0)?),
        role: row.get(1)?,
        scope: row.get(2)?,
        expires: Moment::from_millis(row.get(3)?),
        used: maybe(row, 4)?,
    })
}

fn session_row(row: &Row<'_>) -> rusqlite::Result<UserSession> {
    Ok(UserSession {
        hash: Digest(row.get(0)?),
        name: row.get(1)?,
        created: Moment::from_millis(row.get(2)?),
        seen: Moment::from_millis(row.get(3)?),
        expires: Moment::from_millis(row.get(4)?),
    })
}

fn maybe(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Moment>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(Moment::from_millis))
}
