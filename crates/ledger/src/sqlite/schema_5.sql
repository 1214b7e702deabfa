-- Snapshots have a digest of all their columns. Older ones have none; they are written again when they are needed.
DELETE FROM snapshots;
ALTER TABLE snapshots ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
