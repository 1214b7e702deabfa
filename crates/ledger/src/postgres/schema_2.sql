-- From where a change came: personal, therefore outside the chain, and erased with the person.
ALTER TABLE assize.records ADD COLUMN origin text;

-- A token can be named without being known: by the first twelve digits of its digest.
ALTER TABLE assize.tokens
    ADD COLUMN id text COLLATE "C",
    ADD COLUMN label text NOT NULL DEFAULT '',
    ADD COLUMN issued_by text NOT NULL DEFAULT '',
    ADD COLUMN revoked bigint;
UPDATE assize.tokens SET id = left(encode(hash, 'hex'), 12);
ALTER TABLE assize.tokens
    ALTER COLUMN id SET NOT NULL,
    ALTER COLUMN label DROP DEFAULT,
    ALTER COLUMN issued_by DROP DEFAULT;
CREATE UNIQUE INDEX tokens_by_id ON assize.tokens (id);

-- People who log in with a password, of which Argon2id's digest is kept.
CREATE TABLE assize.users (
    name text COLLATE "C" PRIMARY KEY,
    role text NOT NULL,
    scope text NOT NULL,
    password text NOT NULL,
    created bigint NOT NULL,
    disabled bigint
);

CREATE TABLE assize.sessions (
    hash bytea PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    created bigint NOT NULL,
    seen bigint NOT NULL,
    expires bigint NOT NULL
);
CREATE INDEX sessions_by_name ON assize.sessions (name);
CREATE INDEX sessions_by_end ON assize.sessions (expires);

-- Secrets that let somebody choose a name and a password, once.
CREATE TABLE assize.codes (
    hash bytea PRIMARY KEY,
    role text NOT NULL,
    scope text NOT NULL,
    expires bigint NOT NULL,
    used bigint
);

CREATE OR REPLACE VIEW assize.readable AS
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
    encode(hash, 'hex') AS hash,
    origin
FROM assize.records;
