-- The last position in which each seat was told what to do; until now, votes remembered it.

CREATE TABLE advice (
    game TEXT NOT NULL REFERENCES games (id),
    seat TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

INSERT INTO advice (game, seat, seq) SELECT game, seat, seq FROM votes WHERE kind = 'suggest';
