-- Interactions that came over HTTP, until whoever serves their server has done what they ask.

CREATE TABLE inbox (
    id bigint NOT NULL PRIMARY KEY,         -- Discord's
    guild_id bigint,
    body text,                              -- as it came, NULL once it is done
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    process bigint REFERENCES processes (id) ON DELETE SET NULL,
    borrowed boolean NOT NULL DEFAULT false -- a process that does not serve the server has acknowledged it
);

CREATE INDEX inbox_waiting ON inbox (at) WHERE body IS NOT NULL;
