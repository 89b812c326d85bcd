-- Positions kept to save replaying. A cache: every row may be deleted at any time.

CREATE TABLE snapshots (
    game TEXT NOT NULL REFERENCES games (id),
    revision INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    blob BLOB NOT NULL,
    PRIMARY KEY (game, revision, seq)
) STRICT;
