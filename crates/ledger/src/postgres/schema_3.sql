-- Whom to tell of what, with the secret it is signed with: beside the chain and never in it.
CREATE TABLE assize.webhooks (
    ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    url text NOT NULL,
    topics text NOT NULL,
    label text,
    secret text NOT NULL,
    added bigint NOT NULL,
    paused boolean NOT NULL,
    position bigint NOT NULL,
    attempts bigint NOT NULL,
    due bigint NOT NULL,
    last_success bigint,
    last_error_at bigint,
    last_error text,
    holder text,
    held_until bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Deliveries that were given up; what they said follows from the record.
CREATE TABLE assize.webhook_dead (
    webhook text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    attempts bigint NOT NULL,
    at bigint NOT NULL,
    error text NOT NULL,
    PRIMARY KEY (webhook, position)
);
