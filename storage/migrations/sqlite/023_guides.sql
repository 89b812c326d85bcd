-- How far people are in the guided first game.

CREATE TABLE guides (
    user_id INTEGER PRIMARY KEY,
    body TEXT NOT NULL,
    revision INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;
