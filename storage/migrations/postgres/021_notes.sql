-- What people write down for themselves in their games.

CREATE TABLE notes (
    game text COLLATE "C" NOT NULL REFERENCES games (id),
    user_id bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (game, user_id)
);

SELECT mark_rows('notes');
