-- Whose time runs in each game, when and where people want to be told, and what is due when.

CREATE TABLE clocks (
    game TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
    body TEXT NOT NULL,
    due_at INTEGER,                     -- when somebody has to look at it next; NULL for never
    claimed_by TEXT,                    -- NULL while nobody looks at it
    claimed_until INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX clocks_due ON clocks (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE people (
    user_id INTEGER NOT NULL PRIMARY KEY,
    body TEXT NOT NULL,
    due_at INTEGER,
    claimed_by TEXT,
    claimed_until INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX people_due ON people (due_at) WHERE due_at IS NOT NULL;

-- What a person has not been told yet: at once, or as soon as they may be disturbed.
CREATE TABLE pings (
    user_id INTEGER NOT NULL,
    game TEXT NOT NULL REFERENCES games (id),
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (user_id, game, kind)
) STRICT;

CREATE INDEX pings_by_game ON pings (game);

-- When every clock stood still: the bot was away, or the machine's clock was set.
CREATE TABLE breaks (
    id INTEGER NOT NULL PRIMARY KEY,
    stopped_at INTEGER NOT NULL,
    resumed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE alive (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL                 -- when the bot last said that it was there
) STRICT;
