-- The puzzle of the day: channels that want one, what was posted there, and what people answered.

CREATE TABLE puzzle_channels (
    channel_id bigint NOT NULL PRIMARY KEY,
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,               -- who wanted it
    refused_since bigint,                  -- since when the bot may not post there; NULL while it may
    error text,                             -- what Discord said of it
    due_at bigint NOT NULL,
    claimed_by text,
    claimed_until bigint NOT NULL DEFAULT 0
);

CREATE INDEX puzzle_channels_due ON puzzle_channels (due_at);

CREATE TABLE puzzle_days (
    channel_id bigint NOT NULL,
    day bigint NOT NULL,                   -- since 1970
    puzzle text NOT NULL,
    begun_at bigint NOT NULL,
    message_id bigint,                     -- NULL until it is known to be posted
    PRIMARY KEY (channel_id, day)
);

CREATE TABLE puzzle_answers (
    channel_id bigint NOT NULL,
    day bigint NOT NULL,
    user_id bigint NOT NULL,
    answer bigint NOT NULL,                -- its place among the answers
    hit bigint NOT NULL,                   -- 1 if it is right
    at bigint NOT NULL,
    PRIMARY KEY (channel_id, day, user_id)
);

SELECT mark_rows('puzzle_channels');
SELECT mark_rows('puzzle_days');
SELECT mark_rows('puzzle_answers');
