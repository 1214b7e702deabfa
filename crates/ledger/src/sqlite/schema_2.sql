-- From where a change came: personal, therefore outside the chain, and erased with the person.
ALTER TABLE records ADD COLUMN origin TEXT;

-- A token can be named without being known: by the first twelve digits of its digest.
CREATE TABLE named_tokens (
    hash BLOB NOT NULL UNIQUE,
    id TEXT NOT NULL UNIQUE,
    actor TEXT NOT NULL,
    scope TEXT NOT NULL,
    label TEXT NOT NULL,
    issued INTEGER NOT NULL,
    issued_by TEXT NOT NULL,
    expires INTEGER,
    revoked INTEGER
) STRICT;
INSERT INTO named_tokens
SELECT hash, lower(substr(hex(hash), 1, 12)), actor, scope, '', issued, '', expires, NULL FROM tokens;
DROP TABLE tokens;
ALTER TABLE named_tokens RENAME TO tokens;

-- People who log in with a password, of which Argon2id's digest is kept.
CREATE TABLE users (
    name TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    scope TEXT NOT NULL,
    password TEXT NOT NULL,
    created INTEGER NOT NULL,
    disabled INTEGER
) STRICT;

CREATE TABLE sessions (
    hash BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    expires INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_name ON sessions (name);
CREATE INDEX sessions_by_end ON sessions (expires);

-- Secrets that let somebody choose a name and a password, once.
CREATE TABLE codes (
    hash BLOB NOT NULL UNIQUE,
    role TEXT NOT NULL,
    scope TEXT NOT NULL,
    expires INTEGER NOT NULL,
    used INTEGER
) STRICT;

DROP VIEW readable;
CREATE VIEW readable AS
SELECT
    position,
    stream,
    version,
    edition,
    kind,
    strftime('%Y-%m-%dT%H:%M:%S', at / 1000, 'unixepoch') || printf('.%03dZ', at % 1000) AS at,
    actor,
    coalesce(body, (SELECT text FROM blobs WHERE digest = body_blob)) AS body,
    coalesce(verdict, (SELECT text FROM blobs WHERE digest = verdict_blob)) AS verdict,
    lower(hex(batch)) AS batch,
    lower(hex(hash)) AS hash,
    origin
FROM records;
