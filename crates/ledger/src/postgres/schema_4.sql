-- Raised by a process that lost a connection during a commit: a statement that was sent before that and is still
-- on its way appends nothing any more.
ALTER TABLE assize.head ADD COLUMN epoch bigint NOT NULL DEFAULT 0;

-- Snapshots have a digest of all their columns. Older ones have none; they are written again when they are needed.
DELETE FROM assize.snapshots;
ALTER TABLE assize.snapshots ADD COLUMN digest bytea NOT NULL DEFAULT '';
