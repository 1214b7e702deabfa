-- Small columns first: whoever folds over the facts never reads as far as the verdict.
CREATE TABLE records (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    edition INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    batch BLOB NOT NULL,
    hash BLOB NOT NULL,
    body_blob BLOB,
    verdict_blob BLOB,
    body TEXT,
    verdict TEXT
) STRICT;
CREATE UNIQUE INDEX records_by_stream ON records (stream, version);

-- Long bodies and verdicts, each once, under the SHA-256 of its text.
CREATE TABLE blobs (
    digest BLOB NOT NULL UNIQUE,
    text TEXT NOT NULL
) STRICT;

-- Outside the chain, so that it can be erased.
CREATE TABLE personal (
    digest BLOB NOT NULL UNIQUE,
    position INTEGER NOT NULL,
    subject TEXT NOT NULL,
    salt BLOB NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX personal_by_position ON personal (position);
CREATE INDEX personal_by_subject ON personal (subject);

CREATE TABLE keys (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    request BLOB NOT NULL,
    at INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_by_time ON keys (at);

CREATE TABLE snapshots (
    name TEXT NOT NULL UNIQUE,
    position INTEGER NOT NULL,
    hash BLOB NOT NULL,
    version INTEGER NOT NULL,
    edition TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE TABLE tokens (
    hash BLOB NOT NULL UNIQUE,
    actor TEXT NOT NULL,
    scope TEXT NOT NULL,
    issued INTEGER NOT NULL,
    expires INTEGER
) STRICT;

-- For people: whole texts, times and hashes as one reads them.
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
    lower(hex(hash)) AS hash
FROM records;
