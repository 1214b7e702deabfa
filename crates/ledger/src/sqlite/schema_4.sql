-- Verdicts in a table of their own: whoever folds over the facts reads none of their pages.
CREATE TABLE verdicts (
    position INTEGER PRIMARY KEY,
    text TEXT NOT NULL
) STRICT;
INSERT INTO verdicts SELECT position, verdict FROM records WHERE verdict IS NOT NULL;
DROP VIEW readable;
ALTER TABLE records DROP COLUMN verdict;
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
    coalesce(
        (SELECT text FROM verdicts WHERE verdicts.position = records.position),
        (SELECT text FROM blobs WHERE digest = verdict_blob)
    ) AS verdict,
    lower(hex(batch)) AS batch,
    lower(hex(hash)) AS hash,
    origin
FROM records;
