-- By which rules a game was last written or read, as its program calls them; NULL where it was written by a release
-- before this one. Only games of other rules are looked at when a bot starts.

ALTER TABLE games ADD COLUMN rules text;
CREATE INDEX games_running ON games (rules) WHERE status = 'running';
CREATE INDEX games_by_status ON games (status);
