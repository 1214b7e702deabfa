CREATE TABLE assize.records (
    position bigint PRIMARY KEY,
    stream text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    edition bigint NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    actor text NOT NULL,
    batch bytea NOT NULL,
    hash bytea NOT NULL,
    body_blob bytea,
    verdict_blob bytea,
    body text,
    verdict text
);
CREATE UNIQUE INDEX records_by_stream ON assize.records (stream, version);

-- One row: the end of the chain, and the lock that whoever appends must hold.
CREATE TABLE assize.head (
    position bigint NOT NULL,
    hash bytea NOT NULL
) WITH (fillfactor = 10);
INSERT INTO assize.head VALUES (0, decode(repeat('00', 32), 'hex'));

-- Long bodies and verdicts, each once, under the SHA-256 of its text.
CREATE TABLE assize.blobs (
    digest bytea PRIMARY KEY,
    text text NOT NULL
);

-- Outside the chain, so that it can be erased; as bytes, because people may type what PostgreSQL's text cannot
-- hold. A single deleted row is enough to have it swept.
CREATE TABLE assize.personal (
    digest bytea PRIMARY KEY,
    position bigint NOT NULL,
    ordinal bigint GENERATED ALWAYS AS IDENTITY,
    subject text COLLATE "C" NOT NULL,
    salt bytea NOT NULL,
    text bytea NOT NULL
) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
CREATE INDEX personal_by_position ON assize.personal (position);
CREATE INDEX personal_by_subject ON assize.personal (subject);

CREATE TABLE assize.keys (
    scope text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    request bytea NOT NULL,
    at bigint NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX keys_by_time ON assize.keys (at);

CREATE TABLE assize.snapshots (
    name text COLLATE "C" PRIMARY KEY,
    position bigint NOT NULL,
    hash bytea NOT NULL,
    version bigint NOT NULL,
    edition text NOT NULL,
    body text NOT NULL
);

CREATE TABLE assize.tokens (
    hash bytea PRIMARY KEY,
    actor text NOT NULL,
    scope text NOT NULL,
    issued bigint NOT NULL,
    expires bigint
);

-- For people: whole texts, times and hashes as one reads them.
CREATE VIEW assize.readable AS
SELECT
    position,
    stream,
    version,
    edition,
    kind,
    to_char(to_timestamp(at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
        || '.' || lpad((at % 1000)::text, 3, '0') || 'Z' AS at,
    actor,
    coalesce(body, (SELECT text FROM assize.blobs WHERE digest = body_blob)) AS body,
    coalesce(verdict, (SELECT text FROM assize.blobs WHERE digest = verdict_blob)) AS verdict,
    encode(batch, 'hex') AS batch,
    encode(hash, 'hex') AS hash
FROM assize.records;
