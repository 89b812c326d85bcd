-- What changed rules are noticed by: with every row the revision of the rules, the position it led to, what was told of
-- it. And one position a game, its last, from which it goes on where its log no longer leads there.

ALTER TABLE log ADD COLUMN rules INTEGER;
ALTER TABLE log ADD COLUMN position TEXT;   -- a fingerprint; NULL in rows of earlier versions
ALTER TABLE log ADD COLUMN told TEXT;

DROP TABLE snapshots;                       -- never written by a released version

CREATE TABLE snapshots (
    game TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
    seq INTEGER NOT NULL,
    format INTEGER NOT NULL,
    blob BLOB NOT NULL,
    told TEXT                               -- of the rows that do not say it themselves
) STRICT;
