-- What a process leaves to whoever takes its shards: that it is gone, and the sessions to go on with.

-- Whether it holds the lock of its number for as long as its connection stands; earlier releases hold none.
ALTER TABLE processes ADD COLUMN watched boolean NOT NULL DEFAULT false;

-- The session of each shard at Discord, the last event of it that came, and where it is gone on with.
ALTER TABLE shards ADD COLUMN session text, ADD COLUMN sequence bigint, ADD COLUMN gateway text;
