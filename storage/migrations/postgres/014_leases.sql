-- Which process serves which of Discord's shards, where several processes share them.

-- A process, until the server's clock says so. A number is never used again: what a process that lost its lease still
-- wants to write goes by its old number, and is refused.
CREATE TABLE processes (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,                     -- its machine and number there, for people
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    until timestamptz NOT NULL,
    leaving boolean NOT NULL DEFAULT false  -- it hands its shards over
);

-- Every shard there is, from 0 on without gaps.
CREATE TABLE shards (
    number bigint NOT NULL PRIMARY KEY,
    process bigint REFERENCES processes (id) ON DELETE SET NULL
);
CREATE INDEX shards_by_process ON shards (process);

-- When the next session of a bucket may begin at Discord.
CREATE TABLE session_starts (
    bucket bigint NOT NULL PRIMARY KEY,
    next timestamptz NOT NULL
);

-- The commands that Discord was last told of, as a hash.
CREATE TABLE registered (
    application bigint NOT NULL PRIMARY KEY,
    commands text NOT NULL
);
