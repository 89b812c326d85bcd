-- The puzzle of the day: channels that want one, what was posted there, and what people answered.

CREATE TABLE puzzle_channels (
    channel_id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,               -- who wanted it
    refused_since INTEGER,                  -- since when the bot may not post there; NULL while it may
    error TEXT,                             -- what Discord said of it
    due_at INTEGER NOT NULL,
    claimed_by TEXT,
    claimed_until INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX puzzle_channels_due ON puzzle_channels (due_at);

CREATE TABLE puzzle_days (
    channel_id INTEGER NOT NULL,
    day INTEGER NOT NULL,                   -- since 1970
    puzzle TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    message_id INTEGER,                     -- NULL until it is known to be posted
    PRIMARY KEY (channel_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE puzzle_answers (
    channel_id INTEGER NOT NULL,
    day INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    answer INTEGER NOT NULL,                -- its place among the answers
    hit INTEGER NOT NULL,                   -- 1 if it is right
    at INTEGER NOT NULL,
    PRIMARY KEY (channel_id, day, user_id)
) STRICT, WITHOUT ROWID;
