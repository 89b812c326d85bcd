-- Posts in forums, whose tags follow their games. SQLite can change what a column may hold only in a new table.

CREATE TABLE new_watches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL REFERENCES games (id),
    kind TEXT NOT NULL CHECK (kind IN ('follow', 'board', 'post')),
    user_id INTEGER NOT NULL,               -- who wanted it
    channel_id INTEGER NOT NULL,            -- where; 0 for the person's direct messages
    events TEXT NOT NULL,                   -- words separated by commas
    every INTEGER NOT NULL,                 -- seconds between two messages at least
    seq INTEGER NOT NULL,                   -- the row of the log up to which it has told
    told_at INTEGER NOT NULL,               -- 0 before the first message
    message_id INTEGER,                     -- of a live board
    due_at INTEGER,                         -- NULL while there is nothing to tell
    claimed_by TEXT,
    claimed_until INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO sqlite_sequence (name, seq) SELECT 'new_watches', seq FROM sqlite_sequence WHERE name = 'watches';
INSERT INTO new_watches SELECT * FROM watches;
DROP TABLE watches;
ALTER TABLE new_watches RENAME TO watches;

CREATE UNIQUE INDEX one_follow_by_message ON watches (game, user_id) WHERE channel_id = 0;
CREATE UNIQUE INDEX one_watch_of_a_kind_a_channel ON watches (game, kind, channel_id) WHERE channel_id <> 0;
CREATE INDEX watches_due ON watches (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX watches_by_game ON watches (game);
