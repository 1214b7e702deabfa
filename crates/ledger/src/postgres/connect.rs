//! Connections to PostgreSQL and schema migrations.

use std::collections::HashMap;
use std::time::Duration;

use ::postgres::config::Host;
use ::postgres::{Client, Config, NoTls, Statement};

use super::faults::explain;
use crate::LedgerError;

/// Migrations, one for each schema version. Never change one that has shipped.
const MIGRATIONS: [&str; 4] = [
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
];

const KNOWN: i64 = MIGRATIONS.len() as i64;

/// Session settings: no process waits for ever for a lock, and a process that stands still while it holds the lock
/// loses it after a few seconds.
const SESSION: &str = "SET synchronous_commit = on; SET lock_timeout = '10s'; SET statement_timeout = '60s';
    SET idle_in_transaction_session_timeout = '5s'; SET client_min_messages = warning";

/// The advisory lock of a migration: `assize` in ASCII, which no other program is likely to use.
const MIGRATION_LOCK: i64 = 0x6173_7369_7a65;

/// The connection settings of a database.
pub(super) struct Database {
    config: Config,
    /// The location for messages, without the password.
    pub(super) place: String,
}

/// What to do with a database that has no ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WhenNone {
    Make,
    Refuse,
}

/// A connection with its cache of prepared statements.
pub(super) struct Connection {
    pub(super) client: Client,
    statements: HashMap<&'static str, Statement>,
}

impl Database {
    pub(super) fn new(url: &str) -> Result<Self, LedgerError> {
        let mut config: Config = url.parse().map_err(|error: ::postgres::Error| {
            let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            LedgerError::Unusable(format!(
                "the address of the database is not understood: {cause}; \
                 expected one such as postgres://user@host/database"
            ))
        })?;
        if config.get_application_name().is_none() {
            config.application_name("assize");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        config.keepalives_idle(Duration::from_secs(15)).keepalives_interval(Duration::from_secs(5));
        config.keepalives_retries(3).tcp_user_timeout(Duration::from_secs(30));
        let place = place(&config);
        Ok(Self { config, place })
    }

    pub(super) fn connect(&self) -> Result<Connection, LedgerError> {
        let connected = self.config.connect(NoTls).and_then(|mut client| {
            client.batch_execute(SESSION)?;
            Ok(client)
        });
        let client = connected.map_err(|error| explain(&self.place, &error))?;
        Ok(Connection { client, statements: HashMap::new() })
    }

    /// Migrates the schema; creates it or fails when there is none, as `none` says.
    pub(super) fn prepare(&self, none: WhenNone) -> Result<(), LedgerError> {
        let mut connection = self.connect()?;
        let client = &mut connection.client;
        let version = version(client).map_err(|error| explain(&self.place, &error))?;
        if version == 0 && none == WhenNone::Refuse {
            return Err(LedgerError::Unusable(format!("there is no ledger in the {}", self.place)));
        }
        if version > KNOWN {
            let place = format!("the {}", self.place);
            return Err(LedgerError::Newer { place, found: version, known: KNOWN });
        }
        if version < KNOWN {
            migrate(client).map_err(|error| match explain(&self.place, &error) {
                LedgerError::Damaged(message) => LedgerError::Unusable(message),
                other => other,
            })?;
        }
        Ok(())
    }
}

impl Connection {
    /// The prepared statement, from the cache if possible.
    pub(super) fn prepared(&mut self, sql: &'static str) -> Result<Statement, ::postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }
}

/// The version of the schema, 0 when there is none.
fn version(client: &mut impl ::postgres::GenericClient) -> Result<i64, ::postgres::Error> {
    // Not by `to_regclass`: its catalogue cache may not yet know a schema that another process has just
    // created.
    let sql = "SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'assize' AND tablename = 'schema_version'";
    if client.query_opt(sql, &[])?.is_none() {
        return Ok(0);
    }
    client.query_one("SELECT version FROM assize.schema_version", &[])?.try_get(0)
}

fn migrate(client: &mut Client) -> Result<(), ::postgres::Error> {
    let mut transaction = client.transaction()?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK])?;
    // Another process may have migrated meanwhile.
    let version = version(&mut transaction)?;
    if version == 0 {
        transaction.batch_execute(
            "CREATE SCHEMA IF NOT EXISTS assize; CREATE TABLE assize.schema_version (version bigint NOT NULL);
             INSERT INTO assize.schema_version VALUES (0)",
        )?;
    }
    for step in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        transaction.batch_execute(step)?;
    }
    transaction.execute("UPDATE assize.schema_version SET version = $1", &[&KNOWN])?;
    transaction.commit()
}

fn place(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(path)) => path.display().to_string(),
        None => "localhost".into(),
    };
    let name = config.get_dbname().or_else(|| config.get_user()).unwrap_or_default();
    format!("PostgreSQL database `{name}` on `{host}`")
}
