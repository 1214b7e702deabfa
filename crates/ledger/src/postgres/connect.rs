//! Connections to PostgreSQL and the schema they find there.

use std::collections::HashMap;
use std::time::Duration;

use ::postgres::config::Host;
use ::postgres::{Client, Config, NoTls, Statement};

use super::faults::explain;
use crate::LedgerError;

/// Each step makes the schema one version newer. Never change one that has shipped.
const MIGRATIONS: [&str; 3] =
    [include_str!("schema_1.sql"), include_str!("schema_2.sql"), include_str!("schema_3.sql")];

const KNOWN: i64 = MIGRATIONS.len() as i64;

/// Nobody waits for ever for a process that hangs, and one that hangs does not keep its turn for ever.
const SESSION: &str = "SET synchronous_commit = on; SET lock_timeout = '10s'; SET statement_timeout = '60s';
    SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = warning";

/// Any number that no other program is likely to lock: `assize` in ASCII.
const MIGRATING: i64 = 0x6173_7369_7a65;

/// Where a database is.
pub(super) struct Database {
    config: Config,
    /// For people, without the password.
    pub(super) place: String,
}

/// What to do in a database that has no ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WhenNone {
    Make,
    Refuse,
}

/// A connection with what has been prepared on it.
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

    /// Brings the schema up to date, or makes it when there is none and that is wanted.
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
    /// The statement, prepared once.
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
    // Not by `to_regclass`: it answers from a cache, which may not have heard yet of what another has just made.
    let sql = "SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'assize' AND tablename = 'schema_version'";
    if client.query_opt(sql, &[])?.is_none() {
        return Ok(0);
    }
    client.query_one("SELECT version FROM assize.schema_version", &[])?.try_get(0)
}

fn migrate(client: &mut Client) -> Result<(), ::postgres::Error> {
    let mut turn = client.transaction()?;
    turn.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATING])?;
    // Another process may have been quicker.
    let version = version(&mut turn)?;
    if version == 0 {
        turn.batch_execute(
            "CREATE SCHEMA IF NOT EXISTS assize; CREATE TABLE assize.schema_version (version bigint NOT NULL);
             INSERT INTO assize.schema_version VALUES (0)",
        )?;
    }
    for step in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        turn.batch_execute(step)?;
    }
    turn.execute("UPDATE assize.schema_version SET version = $1", &[&KNOWN])?;
    turn.commit()
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
