-- What each game's row and seats were when the program last wrote them, as hashes. None of a number is ever missing.

CREATE TABLE seals (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL UNIQUE REFERENCES games (id),
    row TEXT NOT NULL,
    seats TEXT NOT NULL
) STRICT;
