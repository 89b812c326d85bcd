-- The position that a message shows by now; NULL for those posted before, which showed their own at least.

ALTER TABLE messages ADD COLUMN shows bigint;
