-- Whom to tell of what, with the secret it is signed with: beside the chain and never in it.
CREATE TABLE webhooks (
    ordinal INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    topics TEXT NOT NULL,
    label TEXT,
    secret TEXT NOT NULL,
    added INTEGER NOT NULL,
    paused INTEGER NOT NULL,
    position INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    due INTEGER NOT NULL,
    last_success INTEGER,
    last_error_at INTEGER,
    last_error TEXT,
    holder TEXT,
    held_until INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Deliveries that were given up; what they said follows from the record.
CREATE TABLE webhook_dead (
    webhook TEXT NOT NULL,
    position INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    at INTEGER NOT NULL,
    error TEXT NOT NULL,
    PRIMARY KEY (webhook, position)
) STRICT, WITHOUT ROWID;
