-- Posts in forums, whose tags follow their games.

ALTER TABLE watches DROP CONSTRAINT watches_kind_check;
ALTER TABLE watches ADD CONSTRAINT watches_kind_check CHECK (kind IN ('follow', 'board', 'post'));
