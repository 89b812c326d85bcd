-- Whose time runs in each game, when and where people want to be told, and what is due when.

CREATE TABLE clocks (
    game text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES games (id),
    body text NOT NULL,
    due_at bigint,                     -- when somebody has to look at it next; NULL for never
    claimed_by text,                    -- NULL while nobody looks at it
    claimed_until bigint NOT NULL DEFAULT 0
);

CREATE INDEX clocks_due ON clocks (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE people (
    user_id bigint NOT NULL PRIMARY KEY,
    body text NOT NULL,
    due_at bigint,
    claimed_by text,
    claimed_until bigint NOT NULL DEFAULT 0
);

CREATE INDEX people_due ON people (due_at) WHERE due_at IS NOT NULL;

-- What a person has not been told yet: at once, or as soon as they may be disturbed.
CREATE TABLE pings (
    user_id bigint NOT NULL,
    game text COLLATE "C" NOT NULL REFERENCES games (id),
    kind text NOT NULL,
    body text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (user_id, game, kind)
);

CREATE INDEX pings_by_game ON pings (game);

-- When every clock stood still: the bot was away, or the machine's clock was set.
CREATE TABLE breaks (
    id bigint NOT NULL PRIMARY KEY,
    stopped_at bigint NOT NULL,
    resumed_at bigint NOT NULL
);

CREATE TABLE alive (
    id bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    at bigint NOT NULL                 -- when the bot last said that it was there
);
